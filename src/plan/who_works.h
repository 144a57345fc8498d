#pragma once
#include <string>

#include "plan/state.h"

// Who works for a plan now: on its strategy, or on what that says.
namespace clever::plan {

[[nodiscard]] inline bool makes_strategy(const State& plan) noexcept {
  return plan.phase == model::Phase::kAction || plan.phase == model::Phase::kStrategize;
}
[[nodiscard]] inline const std::string& actor_now(const State& plan) noexcept {
  return plan.settings.actor_for(makes_strategy(plan));
}
[[nodiscard]] inline bool uses_model_now(const State& plan) noexcept {
  return plan.settings.uses_model_for(makes_strategy(plan));
}
[[nodiscard]] inline const model::ModelTerms& terms_now(const State& plan) noexcept {
  return plan.settings.terms_for(makes_strategy(plan));
}

}  // namespace clever::plan

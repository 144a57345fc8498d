#pragma once
#include <algorithm>
#include <cstdint>
#include <string>

#include "plan/state.h"

// The actor that works for a plan now: on its strategy, or on its steps.
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

/// How often the provider found this plan's conversation too long. The room for context shrinks
/// with it, because a catalog may overstate a model's window.
[[nodiscard]] inline std::int64_t overflows(const State& plan) noexcept {
  return plan.retries.at(static_cast<std::size_t>(model::ErrorCategory::kContextOverflow));
}
/// In tokens.
[[nodiscard]] inline std::int64_t window_now(const State& plan) noexcept {
  return terms_now(plan).context_window >> (2 * std::min<std::int64_t>(overflows(plan), 8));
}
[[nodiscard]] inline std::int64_t max_output_now(const State& plan) noexcept {
  const std::int64_t most = terms_now(plan).max_output;
  constexpr std::int64_t kLeast = 512;
  return overflows(plan) == 0 ? most : std::min(most, std::max(window_now(plan) / 4, kLeast));
}

}  // namespace clever::plan

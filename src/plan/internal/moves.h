#pragma once
#include <string>

#include "model/phase.h"

namespace clever::plan {

/// The phase and state of a plan. A value.
struct Place {
  model::Phase phase = model::Phase::kAction;
  model::PlanState state = model::PlanState::kQueued;
};
/// "execute/processing"
[[nodiscard]] std::string to_string(const Place& place);

/// Whether the table of decide.h allows this move.
[[nodiscard]] bool may_move(const Place& from, const Place& to) noexcept;

}  // namespace clever::plan

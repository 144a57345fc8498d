#pragma once
#include <string>

#include "model/phase.h"

namespace clever::plan {

/// Where a plan is. A value.
struct Place {
  model::Phase phase = model::Phase::kAction;
  model::PlanState state = model::PlanState::kQueued;
};
/// "execute/processing"
[[nodiscard]] std::string to_string(const Place& place);

/// Whether the table of decide.h has a way from one to the other.
[[nodiscard]] bool may_move(const Place& from, const Place& to) noexcept;

}  // namespace clever::plan

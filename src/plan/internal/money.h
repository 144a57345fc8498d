#pragma once
#include <string>
#include <vector>

#include "model/budget_events.h"
#include "model/time.h"
#include "plan/state.h"

namespace clever::plan {

/// "day/2026-11-15", "session/ID", "plan/ROOT", …, "plan/ID", in the order in which they are taken.
[[nodiscard]] std::vector<std::string> budget_scopes(const State& state, model::Timestamp now);
/// The most that the next model call can cost: each byte of the request a token, and the whole
/// output.
[[nodiscard]] model::Cost worst_case(const State& state);

}  // namespace clever::plan

#pragma once
#include <cstddef>
#include <string>

#include "plan/state.h"

namespace clever::engine::internal {

/// What the plan is about to do, has done and does now, from its state, in at most `budget` bytes:
/// of many steps those around the present one and those it depends on. Empty if there is no
/// strategy worth telling (none, or the one implicit step of a task that is worked on directly).
/// Pure.
[[nodiscard]] std::string plan_overview(const plan::State& plan, std::size_t budget);

/// Files that still hold the marks of a conflict, at most `budget` bytes; empty if there are none.
[[nodiscard]] std::string open_conflicts(const plan::State& plan, std::size_t budget);

}  // namespace clever::engine::internal

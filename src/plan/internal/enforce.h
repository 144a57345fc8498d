#pragma once
#include "plan/internal/draft.h"

namespace clever::plan {

/// Why the invariants contradict each other; empty if they do not.
[[nodiscard]] std::string broken_invariants(const State& state);

/// Adds the invariants in force to the tree of decisions, unless they are in it already.
void enforce_invariants(Draft& draft);

}  // namespace clever::plan

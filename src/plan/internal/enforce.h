#pragma once
#include "plan/internal/draft.h"

namespace clever::plan {

/// Why the invariants cannot hold together; empty: they can.
[[nodiscard]] std::string broken_invariants(const State& state);

/// Those in force are part of the tree of decisions from now on, unless they are already.
void enforce_invariants(Draft& draft);

}  // namespace clever::plan

#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "engine/effects/workspaces.h"
#include "plan/state.h"

namespace clever::engine {

/// Why what a plan made and sealed cannot land as it is: "a.txt changed since", one for each file
/// that is no longer as the plan found it. Empty: it can, or it has, or nothing is sealed. Looks at
/// the project and touches nothing.
[[nodiscard]] base::Result<std::vector<std::string>> moved_on(const PlanFiles& files,
                                                              const plan::State& plan,
                                                              const base::StopToken& stop = {});

}  // namespace clever::engine

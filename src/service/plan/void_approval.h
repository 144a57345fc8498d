#pragma once
#include <string>
#include <vector>

#include "base/stop_token.h"
#include "engine/effects/workspaces.h"
#include "plan/state.h"

// An approval holds for the files as they were: once one of them has changed it is void. Private to
// the module.
namespace clever::service {

/// "a.txt changed since", for each; none if it can land, or if that cannot be found out: applying
/// finds out anyway.
[[nodiscard]] std::vector<std::string> moved_on_since(const engine::PlanFiles& files,
                                                      const plan::State& plan,
                                                      const base::StopToken& stop);

/// "your approval of DIGEST is void: a.txt changed since"
[[nodiscard]] std::string void_sentence(const plan::State& plan,
                                        const std::vector<std::string>& moved_on);
/// What to type about it, in back quotes.
[[nodiscard]] std::string void_cure(const plan::State& plan);

}  // namespace clever::service

#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "apply/apply.h"
#include "base/result.h"
#include "engine/effects/internal/messages.h"
#include "engine/effects/workspaces.h"
#include "engine/sensitive_changes.h"
#include "plan/state.h"

namespace clever::engine::internal {

/// What is applied, or taken back: the plan's net work as it was asked for. `conflict` if nothing
/// was asked for or it is not what was sealed. The task is a part of the commit's message, unless a
/// person wrote one.
[[nodiscard]] base::Result<apply::Request> landing_of(const plan::State& plan,
                                                      Workspaces& workspaces, Messages& messages,
                                                      const std::filesystem::path& applies);

/// Of a plan that spans several projects: the commit in each.
[[nodiscard]] std::vector<model::ProjectHead> commits_of(const apply::Outcome& outcome);

/// "PATH changed since", one for each.
[[nodiscard]] std::vector<std::string> sentences(const std::vector<apply::MovedOn>& moved_on);

/// What the plan's rules say of the sensitive changes in its work. Reads all that differs.
[[nodiscard]] base::Result<SensitiveVerdict> sensitive_verdict(const plan::State& plan,
                                                               Workspaces& workspaces,
                                                               const base::StopToken& stop);

}  // namespace clever::engine::internal

#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "apply/apply.h"
#include "apply/internal/journal.h"
#include "apply/internal/state_folder.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"

// Applies one changeset to several projects: to all of them or to none.
//
// Each project has its own journal up to the moment when all its files are exchanged. Then one
// record in the group's journal decides for all projects:
//
//   group's journal         | what a recovery does with each project
//   beginning               | back
//   beginning verified      | forward
//   beginning verified back | back: another process moved the first branch, and no branch moved
//
// Locks are taken in one order, the group's first and then the projects' by their roots. The
// process that applies holds all of them to the end, so the holder of one project's lock reads a
// decision that no process changes any more. The group's journal is removed last.
namespace clever::apply::internal {

[[nodiscard]] base::Result<Outcome> apply_to_group(const Request& request,
                                                   const base::StopToken& stop,
                                                   base::Deadline deadline);
[[nodiscard]] base::Result<Outcome> undo_in_group(const Request& applied,
                                                  const base::StopToken& stop,
                                                  base::Deadline deadline);
[[nodiscard]] base::Result<std::optional<Outcome>> landed_in_group(const Request& request);
[[nodiscard]] base::Result<Fit> look_at_group(const Request& request, const base::StopToken& stop,
                                              base::Deadline deadline);
[[nodiscard]] base::Result<HookResult> run_hooks_of_group(const Request& request,
                                                          const confine::Launcher& launcher,
                                                          const base::StopToken& stop,
                                                          base::Deadline deadline);

/// Returns the root of the group whose interrupted apply left a journal in this project; empty if
/// there is none. Takes no lock.
[[nodiscard]] base::Result<std::string> interrupted_group(const StateFolder& state);

/// Ends an interrupted apply to the group in all its projects and returns what it did. Returns an
/// error of a project if `wanted` is the root of that project or of the group; otherwise the answer
/// mentions it. With `waits` it waits for the locks; without, it does nothing while another process
/// holds one.
[[nodiscard]] base::Result<std::string> end_interrupted_group(
    const StateFolder& group, const std::string& wanted, bool waits,
    const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

}  // namespace clever::apply::internal

#pragma once
#include <string>

#include "apply/internal/state_folder.h"
#include "base/result.h"
#include "git/project.h"

namespace clever::apply::internal {

/// Completes a killed apply: forward if all its files were exchanged, else back; of several
/// projects that land together, as their group's journal says. The caller holds the project's lock,
/// which the writer of that journal holds too. Returns what it did; empty if there was nothing.
[[nodiscard]] base::Result<std::string> end_interrupted(const git::Project& project,
                                                        const StateFolder& state);

}  // namespace clever::apply::internal

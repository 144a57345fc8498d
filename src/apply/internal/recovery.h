#pragma once
#include <string>

#include "apply/internal/state_folder.h"
#include "base/result.h"
#include "git/project.h"

namespace clever::apply::internal {

/// Ends what a killed apply left, forward if all its files were exchanged, else back; of several
/// projects that land together, as their group's journal says. The caller holds the project's lock,
/// which who writes that journal holds as well. Says what it did; empty if there was nothing.
[[nodiscard]] base::Result<std::string> end_interrupted(const git::Project& project,
                                                        const StateFolder& state);

}  // namespace clever::apply::internal

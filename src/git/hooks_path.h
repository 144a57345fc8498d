#pragma once
#include <string>

#include "base/stop_token.h"
#include "git/project.h"

namespace clever::git {

/// The folder below the project's root that core.hooksPath names, such as ".githooks"; empty if the
/// setting is missing, names a folder elsewhere, or cannot be read. Runs git, and blocks.
[[nodiscard]] std::string hooks_path(const Project& project, const base::StopToken& stop = {});

}  // namespace clever::git

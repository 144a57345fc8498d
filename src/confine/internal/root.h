#pragma once
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "confine/command.h"

namespace clever::confine::internal {

/// Makes the world of a command the root of this process: an empty folder in memory into which the
/// host's top folders are bound read-only; over them what is hidden, the fresh /proc, /dev, /tmp
/// and /run, and the command's own mounts. Nothing of the host's own root stays reachable.
///
/// For process 1 of fresh user, mount and process namespaces. Returns the places that may be
/// written.
[[nodiscard]] base::Result<std::vector<std::filesystem::path>> enter_root(const Command& command);

}  // namespace clever::confine::internal

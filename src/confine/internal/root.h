#pragma once
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "confine/command.h"

namespace clever::confine::internal {

/// Builds the root of a command's process: an empty folder in memory into which the host's top
/// folders are bound read-only; over them the hidden places, a fresh /proc, /dev, /tmp and /run,
/// and the command's own mounts. The host's own root becomes unreachable.
///
/// For process 1 of fresh user, mount and process namespaces. Returns the writable places.
[[nodiscard]] base::Result<std::vector<std::filesystem::path>> enter_root(const Command& command);

}  // namespace clever::confine::internal

#pragma once
#include <filesystem>
#include <vector>

#include "base/result.h"

namespace clever::confine::internal {

/// From here on this process and its children can change files below `writable` only, regardless of
/// the mounts, and (on kernels that support it) neither signal processes outside nor reach their
/// abstract sockets. Does nothing on a kernel without Landlock: the namespaces are the boundary,
/// and this is a second one. For a process that cannot gain privileges.
[[nodiscard]] base::Result<void> restrict_writes(
    const std::vector<std::filesystem::path>& writable);

}  // namespace clever::confine::internal

#pragma once
#include <filesystem>
#include <vector>

#include "base/result.h"

namespace clever::confine::internal {

/// From here on this process and its children can change files below `writable` only, whatever the
/// mounts say, and (where the kernel knows how) neither signal processes outside nor reach their
/// abstract sockets. Does nothing on a kernel without Landlock: the namespaces are the boundary,
/// and this is one more. For a process that cannot gain privileges.
[[nodiscard]] base::Result<void> restrict_writes(
    const std::vector<std::filesystem::path>& writable);

}  // namespace clever::confine::internal

#pragma once
#include <filesystem>

#include "base/result.h"
#include "base/stop_token.h"

namespace clever::sandbox {

/// Makes `to` hold exactly what `from` does: files with their modes and times, links, folders, and
/// the marks by which the kernel's overlay hides what lies below. Sockets, fifos and devices are
/// left out. For the folder that a command of a former owner wrote to, and for the homes of agents:
/// the original may still be written to, and stays as it is.
///
/// Follows no link. `resource_exhausted` above 2,000,000 entries, or for a file above 1 GiB.
/// Blocks.
[[nodiscard]] base::Result<void> copy_layer(const std::filesystem::path& from,
                                            const std::filesystem::path& to,
                                            const base::StopToken& stop = {});

}  // namespace clever::sandbox

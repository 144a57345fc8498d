#pragma once
#include <filesystem>

#include "base/result.h"
#include "base/stop_token.h"

namespace clever::sandbox {

/// Makes `to` an exact copy of `from`: files with their modes and times, links, folders, and the
/// marks by which the kernel's overlay hides lower layers. Leaves out sockets, fifos and devices.
/// For the folder of a former owner's command, and for the homes of agents: the original may still
/// be written to, and stays unchanged.
///
/// Does not follow links. `resource_exhausted` above 2,000,000 entries, or for a file above 1 GiB.
/// Blocks.
[[nodiscard]] base::Result<void> copy_layer(const std::filesystem::path& from,
                                            const std::filesystem::path& to,
                                            const base::StopToken& stop = {});

}  // namespace clever::sandbox

#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io::internal {

/// Opens a file that a person may have named, and never waits: a FIFO without a peer would block
/// the open, a terminal every read. Accepts regular files, /dev/null and other devices that never
/// block; folders too, so that the caller's read reports the problem. `invalid_argument` for
/// everything else. `doing` begins the message: "cannot read".
[[nodiscard]] base::Result<FileDescriptor> open_regular(const std::filesystem::path& path,
                                                        int flags, std::string_view doing,
                                                        mode_t mode = 0);

}  // namespace clever::io::internal

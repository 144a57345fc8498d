#pragma once
#include <string_view>

#include "base/result.h"

namespace clever::io {

/// Writes everything, in as many calls as needed; waits if the descriptor is non-blocking.
/// `unavailable` if the reader is gone, never death by SIGPIPE; `resource_exhausted` for a full
/// disk. Bytes written before a failure stay written.
[[nodiscard]] base::Result<void> write_all(int descriptor, std::string_view text);

}  // namespace clever::io

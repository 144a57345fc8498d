#pragma once
#include <string_view>

#include "base/result.h"

namespace clever::io {

/// Writes everything, however many calls that takes; waits if the descriptor is non-blocking. A
/// reader that went away is `unavailable`, never the death of this process by SIGPIPE; a full disk
/// is `resource_exhausted`. What was written before the failure stays written.
[[nodiscard]] base::Result<void> write_all(int descriptor, std::string_view text);

}  // namespace clever::io

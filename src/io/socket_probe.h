#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/deadline.h"
#include "base/result.h"

// Whether somebody answers at an address: connects, says nothing, hangs up. Plain functions, safe
// from any thread.
namespace clever::io {

/// Tries every address of the host. `unavailable` if none takes the connection, `not_found` for a
/// name nobody knows, `deadline_exceeded` if that takes too long, the look-up of the name included.
[[nodiscard]] base::Result<void> probe_tcp(const std::string& host, std::uint16_t port,
                                           base::Deadline deadline);

/// `invalid_argument` for a path longer than a socket's may be.
[[nodiscard]] base::Result<void> probe_unix_socket(const std::filesystem::path& path,
                                                   base::Deadline deadline);

}  // namespace clever::io

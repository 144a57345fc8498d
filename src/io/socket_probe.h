#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/deadline.h"
#include "base/result.h"

// Checks whether a server accepts connections at an address: connects, sends nothing, disconnects.
// Plain functions, safe from any thread.
namespace clever::io {

/// Tries every address of the host. `unavailable` if none accepts the connection, `not_found` for
/// an unknown name, `deadline_exceeded` if it takes too long, including the look-up of the name.
[[nodiscard]] base::Result<void> probe_tcp(const std::string& host, std::uint16_t port,
                                           base::Deadline deadline);

/// `invalid_argument` for a path that is too long for a socket.
[[nodiscard]] base::Result<void> probe_unix_socket(const std::filesystem::path& path,
                                                   base::Deadline deadline);

}  // namespace clever::io

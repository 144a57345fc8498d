#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file_descriptor.h"

// Pipes and sockets whose numbers avoid those of a child, and complete reads and writes on them.
// Plain functions; none raises SIGPIPE on a socket.
namespace clever::confine::internal {

/// Two ends, which programs do not inherit.
struct Ends {
  io::FileDescriptor reading;
  io::FileDescriptor writing;
};
[[nodiscard]] base::Result<Ends> make_pipe();

struct Sockets {
  io::FileDescriptor ours;
  io::FileDescriptor theirs;
};
[[nodiscard]] base::Result<Sockets> make_socket_pair();

[[nodiscard]] base::Result<void> make_nonblocking(const io::FileDescriptor& file);

/// Sends everything on a socket; `unavailable` without a reader.
[[nodiscard]] base::Result<void> send_all(int socket, std::string_view bytes);
/// Receives exactly this many bytes; `unavailable` if the socket ends earlier, or nothing comes for
/// this long (negative: wait forever).
[[nodiscard]] base::Result<std::string> receive_exactly(int socket, std::size_t count,
                                                        std::chrono::milliseconds patience);

}  // namespace clever::confine::internal

#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file_descriptor.h"

// Pipes and sockets whose numbers stay clear of those that a child gets, and whole reads and writes
// on them. Plain functions; none raises SIGPIPE on a socket.
namespace clever::confine::internal {

/// Two ends, neither inherited by programs.
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

/// Sends all of it on a socket; `unavailable` if nobody listens.
[[nodiscard]] base::Result<void> send_all(int socket, std::string_view bytes);
/// Exactly so many bytes of a socket; `unavailable` if it ends before, or nothing comes for so long
/// (negative: for ever).
[[nodiscard]] base::Result<std::string> receive_exactly(int socket, std::size_t count,
                                                        std::chrono::milliseconds patience);

}  // namespace clever::confine::internal

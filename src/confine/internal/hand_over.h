#pragma once
#include <cstdint>

#include "base/result.h"
#include "io/file_descriptor.h"

// Passes descriptors over a unix socket.
namespace clever::confine::internal {

/// A connection, and the port of this machine that it is for; 0: its first bytes name the
/// destination. The other side of the socket, and the port, are not trusted.
struct HandedOver {
  io::FileDescriptor connection;
  std::uint16_t port = 0;
};

/// `unavailable` without a receiver.
[[nodiscard]] base::Result<void> hand_over(int socket, const io::FileDescriptor& descriptor,
                                           std::uint16_t port);
/// Waits for the next one; `unavailable` at the socket's end.
[[nodiscard]] base::Result<HandedOver> take_over(int socket);

}  // namespace clever::confine::internal

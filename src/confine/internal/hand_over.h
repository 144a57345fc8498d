#pragma once
#include <cstdint>

#include "base/result.h"
#include "io/file_descriptor.h"

// Descriptors that travel over a unix socket.
namespace clever::confine::internal {

/// A connection and the port of this machine that it is meant for; 0: its first words say where it
/// wants to go. The other side of the socket is not trusted: neither is the port.
struct HandedOver {
  io::FileDescriptor connection;
  std::uint16_t port = 0;
};

/// `unavailable` if nobody takes it any more.
[[nodiscard]] base::Result<void> hand_over(int socket, const io::FileDescriptor& descriptor,
                                           std::uint16_t port);
/// The next one, waiting for it; `unavailable` at the socket's end.
[[nodiscard]] base::Result<HandedOver> take_over(int socket);

}  // namespace clever::confine::internal

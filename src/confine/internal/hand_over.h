#pragma once
#include "base/result.h"
#include "io/file_descriptor.h"

// Descriptors that travel over a unix socket.
namespace clever::confine::internal {

/// `unavailable` if nobody takes it any more.
[[nodiscard]] base::Result<void> hand_over(int socket, const io::FileDescriptor& descriptor);
/// The next one, waiting for it; `unavailable` at the socket's end.
[[nodiscard]] base::Result<io::FileDescriptor> take_over(int socket);

}  // namespace clever::confine::internal

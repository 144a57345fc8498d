#pragma once
#include "base/result.h"
#include "io/file_descriptor.h"

// How a forked process tells that it could not become a program: over a pipe that closes without a
// word when it could.
namespace clever::confine::internal {

void tell_failure(const io::FileDescriptor& pipe, const base::Error& error);
/// Waits for the pipe to close; the error that came over it, if one did.
[[nodiscard]] base::Result<void> start_outcome(const io::FileDescriptor& pipe);

}  // namespace clever::confine::internal

#pragma once
#include "base/result.h"
#include "io/file_descriptor.h"

// Reports from a forked process whether it could become a program: over a pipe that closes without
// a message on success.
namespace clever::confine::internal {

void tell_failure(const io::FileDescriptor& pipe, const base::Error& error);
/// Waits for the pipe to close; returns the error that came over it, if any.
[[nodiscard]] base::Result<void> start_outcome(const io::FileDescriptor& pipe);

}  // namespace clever::confine::internal

#pragma once
#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io::internal {

/// A pipe whose ends programs do not inherit, and which avoids the three standard numbers even if
/// those are closed: a child's dup2 would overwrite them.
struct Pipe {
  FileDescriptor reading;
  FileDescriptor writing;

  [[nodiscard]] static base::Result<Pipe> create();
};

[[nodiscard]] base::Result<void> make_nonblocking(const FileDescriptor& file);

}  // namespace clever::io::internal

#pragma once
#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io::internal {

/// Two ends, neither inherited by programs, neither one of the standard three even if those are
/// closed: a child's dup2 would overwrite it.
struct Pipe {
  FileDescriptor reading;
  FileDescriptor writing;

  [[nodiscard]] static base::Result<Pipe> create();
};

[[nodiscard]] base::Result<void> make_nonblocking(const FileDescriptor& file);

}  // namespace clever::io::internal

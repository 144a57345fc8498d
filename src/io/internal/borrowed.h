#pragma once

#include "io/file_descriptor.h"

namespace clever::io::internal {

/// Somebody else's descriptor: used as one's own, never closed.
class Borrowed {
 public:
  explicit Borrowed(int descriptor) : file_(descriptor) {}
  ~Borrowed() { static_cast<void>(file_.release()); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  [[nodiscard]] const FileDescriptor& file() const { return file_; }

 private:
  FileDescriptor file_;
};

}  // namespace clever::io::internal

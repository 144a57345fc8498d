#pragma once

#include "io/file_descriptor.h"

namespace clever::io::internal {

/// A descriptor with another owner: usable, but never closed here.
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

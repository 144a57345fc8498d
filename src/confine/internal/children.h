#pragma once
#include <sys/types.h>

#include "base/result.h"
#include "confine/internal/usage_watch.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// The children of a supervisor: reaps all of them, and tells about one. For a process with one
/// thread; made before the first child.
class ChildWatch {
 public:
  [[nodiscard]] static base::Result<ChildWatch> create();

  /// Until that child has ended or uses too much, which is reported, or until the control socket
  /// has ended.
  void wait_for(pid_t program, UsageWatch& usage) const;

 private:
  explicit ChildWatch(io::FileDescriptor signals) : signals_(std::move(signals)) {}

  io::FileDescriptor signals_;
};

}  // namespace clever::confine::internal

#pragma once
#include <sys/types.h>

#include "base/result.h"
#include "confine/internal/usage_watch.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// The children of a supervisor: reaps all of them, and reports on one. For a single-threaded
/// process; made before the first child.
class ChildWatch {
 public:
  [[nodiscard]] static base::Result<ChildWatch> create();

  /// Waits until that child has ended or uses too much, which it reports, or until the control
  /// socket has ended.
  void wait_for(pid_t program, UsageWatch& usage) const;

 private:
  explicit ChildWatch(io::FileDescriptor signals) : signals_(std::move(signals)) {}

  io::FileDescriptor signals_;
};

}  // namespace clever::confine::internal

#pragma once
#include <sys/types.h>

#include "base/result.h"
#include "io/file_descriptor.h"
#include "io/internal/pipe.h"
#include "io/internal/spawn.h"
#include "io/process.h"

namespace clever::io::internal {

/// A started program, leader of its own process group. The destructor kills the group, reaps the
/// leader and waits (at most a second) until no process of the group runs.
///
/// The leader stays unreaped while the group may be signalled, so that its number cannot be reused.
class Child {
 public:
  [[nodiscard]] static base::Result<Child> start(const ProcessOptions& options,
                                                 const ChildStreams& streams);
  Child(Child&& other) noexcept
      : process_(std::exchange(other.process_, 0)), watch_(std::move(other.watch_)) {}
  Child& operator=(Child&&) = delete;
  ~Child();

  /// Readable once the leader has ended.
  [[nodiscard]] int watch() const noexcept { return watch_.number(); }
  /// Kills the group, reaps the leader and returns its wait status. Once.
  [[nodiscard]] int finish();

 private:
  explicit Child(pid_t process) noexcept : process_(process) {}

  // 0 once finished.
  pid_t process_;
  FileDescriptor watch_;
};

}  // namespace clever::io::internal

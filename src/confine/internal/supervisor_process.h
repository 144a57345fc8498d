#pragma once
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// The descriptors of a supervisor: the command's standard streams, the control socket and, with a
/// proxy, the socket to it (else negative).
struct SupervisorDescriptors {
  int input = -1;
  int output = -1;
  int error = -1;
  int control = -1;
  int proxy = -1;
};

/// A started supervisor, a child of this process. Move-only; used by one thread at a time. It ends
/// when the control socket does, and the destructor waits for that: close or shut it down before.
class SupervisorProcess {
 public:
  /// Starts the program in its own session, with no other descriptor and an empty environment.
  [[nodiscard]] static base::Result<SupervisorProcess> start(
      const std::vector<std::string>& argv, const SupervisorDescriptors& descriptors);
  SupervisorProcess(SupervisorProcess&& other) noexcept
      : process_(std::exchange(other.process_, 0)), watch_(std::move(other.watch_)) {}
  SupervisorProcess& operator=(SupervisorProcess&&) = delete;
  ~SupervisorProcess();

  /// Readable once it has ended.
  [[nodiscard]] int watch() const noexcept { return watch_.number(); }
  /// Waits for its end. A second call does nothing.
  void reap();

 private:
  explicit SupervisorProcess(pid_t process) noexcept : process_(process) {}

  // 0 once reaped.
  pid_t process_;
  io::FileDescriptor watch_;
};

}  // namespace clever::confine::internal

#pragma once
#include <filesystem>

#include "base/result.h"
#include "base/stop_token.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// A lock between processes that is taken and released many times: flock(2) on a file that is
/// created if missing and never deleted. A waiter sleeps in the kernel until the holder releases
/// it, so many processes queue without starving each other; the kernel releases it for a dead
/// holder. Programs started by the holder do not inherit it.
///
/// Used by one thread at a time. For a lock taken once, with a deadline: FileLock.
class ProcessMutex {
 public:
  [[nodiscard]] static base::Result<ProcessMutex> open(const std::filesystem::path& path);

  /// `cancelled` on a stop while another process holds it. (A signal to the waiting thread,
  /// SIGRTMAX-1, ends a wait; its handler does nothing.)
  [[nodiscard]] base::Result<void> lock(const base::StopToken& stop);
  void unlock() noexcept;

 private:
  explicit ProcessMutex(FileDescriptor file) noexcept : file_(std::move(file)) {}

  FileDescriptor file_;
};

}  // namespace clever::io

#pragma once
#include <filesystem>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// A lock between processes (and threads: each acquisition is its own), exclusive or shared, held
/// through flock(2) on a file that is created if missing, and stays. The kernel releases it when
/// the process ends in any way; programs started by the holder do not inherit it.
///
/// Move-only; the destructor releases it. Not for concurrent use by two threads. Advisory: it does
/// not stop other programs from writing.
///
/// Waiting: flock(2) cannot be interrupted by a stop or a deadline, so acquire() tries without
/// blocking and waits between attempts on the stop token, 1 ms at first, doubling to 16 ms. So a
/// waiter ends at once on a stop, or at the deadline, and notices a release within 16 ms. Waiters
/// are not served in order.
class FileLock {
 public:
  /// `cancelled` or `deadline_exceeded` if that comes before the lock is free; a free lock wins
  /// over both. Otherwise fails like opening a file.
  [[nodiscard]] static base::Result<FileLock> acquire(const std::filesystem::path& path,
                                                      const base::StopToken& stop,
                                                      base::Deadline deadline);
  /// Like acquire(), but any number of callers hold it at once, and none while one has it
  /// exclusively.
  [[nodiscard]] static base::Result<FileLock> share(const std::filesystem::path& path,
                                                    const base::StopToken& stop,
                                                    base::Deadline deadline);
  /// `unavailable` if another process holds it.
  [[nodiscard]] static base::Result<FileLock> try_acquire(const std::filesystem::path& path);

  /// Whether a process holds it now. Creates nothing: `not_found` without a file. Concurrent
  /// callers do not mistake each other for a holder.
  [[nodiscard]] static base::Result<bool> is_held(const std::filesystem::path& path);
  /// Deletes the file if it is not locked; returns whether it did. For paths that will never be
  /// locked again, or whose holders check names() after locking.
  [[nodiscard]] static base::Result<bool> remove_if_free(const std::filesystem::path& path);

  /// Whether the path still leads to the locked file: another process may have deleted it during
  /// the wait.
  [[nodiscard]] bool names(const std::filesystem::path& path) const;

  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(FileDescriptor file) noexcept : file_(std::move(file)) {}
  void release() noexcept;

  FileDescriptor file_;
};

}  // namespace clever::io

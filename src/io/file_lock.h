#pragma once
#include <filesystem>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// An exclusive lock between processes (and between threads: each acquisition is its own), held
/// through flock(2) on a file that is created if missing, and stays. The kernel releases it
/// when the process ends, however it ends; programs started by the holder do not inherit it.
///
/// Move-only; owned by whoever acquired it, released by the destructor. Not for use by two threads
/// at once. Works between those who use it: it does not stop others from writing.
///
/// Waiting: flock(2) cannot be interrupted by a stop or a deadline, so acquire() asks without
/// blocking and waits between attempts on the stop token, 1 ms at first, doubling to 16 ms. A
/// waiter therefore ends at once on a stop, at the deadline otherwise, and notices a release within
/// 16 ms. Waiters are not served in order.
class FileLock {
 public:
  /// `cancelled` or `deadline_exceeded` if that comes before the lock is free; a free lock wins
  /// over both. Fails like opening a file does otherwise.
  [[nodiscard]] static base::Result<FileLock> acquire(const std::filesystem::path& path,
                                                      const base::StopToken& stop,
                                                      base::Deadline deadline);
  /// `unavailable` if somebody else holds it.
  [[nodiscard]] static base::Result<FileLock> try_acquire(const std::filesystem::path& path);

  /// Whether somebody holds it at this moment. Creates nothing: `not_found` without a file. Any
  /// number may ask at once without being taken for a holder by each other.
  [[nodiscard]] static base::Result<bool> is_held(const std::filesystem::path& path);
  /// Deletes the file if nobody holds it; true if it did. For files whose path will never be locked
  /// again, or by holders who check names() once they hold.
  [[nodiscard]] static base::Result<bool> remove_if_free(const std::filesystem::path& path);

  /// Whether the path still leads to the file that is locked: somebody may have deleted it while
  /// this was waiting for it.
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

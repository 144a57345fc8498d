#include "io/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "base/lock_rank.h"
#include "base/monitor.h"
#include "io/internal/open_regular.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

constexpr base::Duration kFirstPause = std::chrono::milliseconds{1};
constexpr base::Duration kLongestPause = std::chrono::milliseconds{16};

base::Result<FileDescriptor> open_lock_file(const std::filesystem::path& path) {
  return internal::open_regular(path, O_RDWR | O_CREAT, "cannot open the lock file", 0600);
}

base::Result<FileDescriptor> open_existing(const std::filesystem::path& path) {
  return internal::open_regular(path, O_RDWR, "cannot open the lock file");
}

bool is_at(const FileDescriptor& file, const std::filesystem::path& path) {
  struct stat opened{};
  struct stat present{};
  return ::fstat(file.number(), &opened) == 0 && ::stat(path.c_str(), &present) == 0 &&
         opened.st_dev == present.st_dev && opened.st_ino == present.st_ino;
}

// Returns true if this process has the lock now, false if another has it.
base::Result<bool> lock_now(const FileDescriptor& file, const std::filesystem::path& path,
                            int kind = LOCK_EX) {
  while (::flock(file.number(), kind | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) return system_error(errno, "cannot lock", path);
  }
  return true;
}

// Returns after `pause`, at the deadline, or on a stop; the caller checks again in each case.
void wait_a_little(base::Clock& clock, base::Duration pause, const base::StopToken& stop,
                   const base::Deadline& deadline) {
  base::Monitor<bool> nothing;
  const base::Duration until = std::min(pause, deadline.remaining());
  const auto woken = nothing.wait(stop, base::Deadline::after(clock, until),
                                  [](bool happened) { return happened; });
  static_cast<void>(woken);
}

base::Result<FileDescriptor> lock_in_time(const std::filesystem::path& path, int kind,
                                          const base::StopToken& stop,
                                          const base::Deadline& deadline) {
  base::lock_rank::require_none("locking a file");
  CLEVER_ASSIGN(FileDescriptor file, open_lock_file(path));
  base::SystemClock clock;
  for (base::Duration pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    CLEVER_ASSIGN(const bool locked, lock_now(file, path, kind));
    if (locked) return file;
    if (stop.stop_requested()) return base::cancelled("stopped while waiting for " + path.string());
    if (deadline.passed()) {
      return base::deadline_exceeded(path.string() + " is still locked by another process");
    }
    wait_a_little(clock, pause, stop, deadline);
  }
}

}  // namespace

base::Result<FileLock> FileLock::acquire(const std::filesystem::path& path,
                                         const base::StopToken& stop, base::Deadline deadline) {
  CLEVER_ASSIGN(FileDescriptor file, lock_in_time(path, LOCK_EX, stop, deadline));
  return FileLock(std::move(file));
}

base::Result<FileLock> FileLock::share(const std::filesystem::path& path,
                                       const base::StopToken& stop, base::Deadline deadline) {
  CLEVER_ASSIGN(FileDescriptor file, lock_in_time(path, LOCK_SH, stop, deadline));
  return FileLock(std::move(file));
}

base::Result<FileLock> FileLock::try_acquire(const std::filesystem::path& path) {
  base::lock_rank::require_none("locking a file");
  CLEVER_ASSIGN(FileDescriptor file, open_lock_file(path));
  CLEVER_ASSIGN(const bool locked, lock_now(file, path));
  if (!locked) return base::unavailable(path.string() + " is locked by another process");
  return FileLock(std::move(file));
}

base::Result<bool> FileLock::is_held(const std::filesystem::path& path) {
  base::lock_rank::require_none("looking at a lock");
  CLEVER_ASSIGN(FileDescriptor file, open_existing(path));
  CLEVER_ASSIGN(const bool shared, lock_now(file, path, LOCK_SH));
  const FileLock released(std::move(file));
  return !shared;
}

base::Result<bool> FileLock::remove_if_free(const std::filesystem::path& path) {
  base::lock_rank::require_none("removing a lock file");
  CLEVER_ASSIGN(FileDescriptor file, open_existing(path));
  CLEVER_ASSIGN(const bool locked, lock_now(file, path));
  const FileLock lock(std::move(file));
  // Between opening and locking, one process may have deleted the file and another created a new
  // one.
  if (!locked || !lock.names(path)) return false;
  if (::unlink(path.c_str()) != 0) return system_error(errno, "cannot delete", path);
  return true;
}

bool FileLock::names(const std::filesystem::path& path) const { return is_at(file_, path); }

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  if (this == &other) return *this;
  release();
  file_ = std::move(other.file_);
  return *this;
}

FileLock::~FileLock() { release(); }

void FileLock::release() noexcept {
  // Unlocks before closing: a program that is starting now still has a copy of the descriptor,
  // which would keep the lock until its exec.
  if (file_.valid()) ::flock(file_.number(), LOCK_UN);
  file_.reset();
}

}  // namespace clever::io

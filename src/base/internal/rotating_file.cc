#include "base/internal/rotating_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace clever::base::internal {
namespace {

namespace fs = std::filesystem;

Error failure(const std::string& doing, const fs::path& path) {
  return unavailable("cannot " + doing + " the log file " + path.string() + ": " +
                     std::system_category().message(errno));
}

bool is_regular(int descriptor) {
  struct stat status{};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

RotatingFile::RotatingFile(fs::path path, std::uint64_t max_bytes, std::size_t old_files)
    : path_(std::move(path)), max_bytes_(max_bytes), old_files_(old_files) {}

RotatingFile::RotatingFile(RotatingFile&& other) noexcept
    : path_(std::move(other.path_)),
      max_bytes_(other.max_bytes_),
      old_files_(other.old_files_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

RotatingFile::~RotatingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<RotatingFile> RotatingFile::open(const fs::path& path, std::uint64_t max_bytes,
                                        std::size_t old_files) {
  if (max_bytes == 0) return invalid_argument("a log file needs a size of at least one byte");
  std::error_code ignored;  // open() below reports the problem
  fs::create_directories(path.parent_path(), ignored);
  RotatingFile file(path, max_bytes, old_files);
  CLEVER_TRY(file.open_current());
  return file;
}

Result<void> RotatingFile::open_current() {
  // A FIFO without a reader must fail, not wait.
  const int opened = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC,
                            S_IRUSR | S_IWUSR);
  if (opened < 0) return failure("open", path_);
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = opened;
  // The file may be readable for others. A device such as /dev/stderr belongs to others too.
  if (is_regular(opened)) static_cast<void>(::fchmod(opened, S_IRUSR | S_IWUSR));
  return {};
}

bool RotatingFile::is_current() const {
  struct stat named{};
  struct stat open{};
  return ::stat(path_.c_str(), &named) == 0 && ::fstat(descriptor_, &open) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

std::uint64_t RotatingFile::size() const {
  struct stat status{};
  if (!is_regular(descriptor_) || ::fstat(descriptor_, &status) != 0) return 0;
  return static_cast<std::uint64_t>(status.st_size);
}

Result<void> RotatingFile::append(std::string_view line) {
  if (!is_current()) CLEVER_TRY(open_current());
  const std::uint64_t before = size();
  if (before > 0 && before + line.size() > max_bytes_) CLEVER_TRY(rotate());
  return write(line);
}

// Renames agents.log to agents.1.log, that to agents.2.log, and so on; removes the last one.
// Locked, so that one of several processes rotates and the others find the fresh file.
Result<void> RotatingFile::rotate() {
  while (::flock(descriptor_, LOCK_EX) != 0) {
    if (errno != EINTR) return failure("lock", path_);
  }
  if (is_current()) {
    for (std::size_t number = old_files_; number > 1; --number) {
      const fs::path from = old_file(number - 1);
      if (::rename(from.c_str(), old_file(number).c_str()) != 0 && errno != ENOENT) {
        return failure("rotate", from);
      }
    }
    const int done =
        old_files_ == 0 ? ::unlink(path_.c_str()) : ::rename(path_.c_str(), old_file(1).c_str());
    if (done != 0) return failure("rotate", path_);
  }
  return open_current();  // closes and so unlocks the old file
}

fs::path RotatingFile::old_file(std::size_t number) const {
  return path_.parent_path() /
         (path_.stem().string() + "." + std::to_string(number) + path_.extension().string());
}

Result<void> RotatingFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return failure("write", path_);
    }
  }
  return {};
}

}  // namespace clever::base::internal

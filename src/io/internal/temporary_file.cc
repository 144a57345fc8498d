#include "io/internal/temporary_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "io/disk_fault.h"
#include "io/system_error.h"

namespace clever::io::internal {
namespace {

// Refuses more concurrent writers of one file than this.
constexpr int kNames = 256;
// Leaves room for the rest of the name within the 255 bytes of a file name.
constexpr std::size_t kLongestStem = 200;

std::filesystem::path name_of(const std::filesystem::path& target, int number) {
  const std::string stem = target.filename().string().substr(0, kLongestStem);
  return target.parent_path() / ("." + stem + ".tmp" + std::to_string(number));
}

bool leads_to(const std::filesystem::path& path, const FileDescriptor& file) {
  struct stat named{};
  struct stat opened{};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(file.number(), &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

bool lock_now(const FileDescriptor& file) { return ::flock(file.number(), LOCK_EX | LOCK_NB) == 0; }

// Where the file system has no locks, no other process can take the file away either.
bool is_ours(const std::filesystem::path& path, const FileDescriptor& file) {
  return (lock_now(file) || errno != EWOULDBLOCK) && leads_to(path, file);
}

void remove_if_abandoned(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.valid() && lock_now(file) && leads_to(path, file)) ::unlink(path.c_str());
}

}  // namespace

base::Result<TemporaryFile> TemporaryFile::beside(const std::filesystem::path& target,
                                                  mode_t mode) {
  for (int attempt = 0; attempt < 2 * kNames; ++attempt) {
    // Tries each name twice: the first look may free it.
    std::filesystem::path path = name_of(target, attempt / 2);
    if (disk_fails(DiskChange::kCreate)) {
      return system_error(errno, "cannot create a file beside", target);
    }
    FileDescriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
    if (file.valid()) {
      // Fails only if a remover came between the two calls; it removes the file.
      if (is_ours(path, file)) return TemporaryFile(std::move(file), path);
    } else if (errno == EEXIST) {
      remove_if_abandoned(path);
    } else {
      return system_error(errno, "cannot create a file beside", target);
    }
  }
  return base::resource_exhausted("too many unfinished writes beside " + target.string() +
                                  "; remove its .tmp files");
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty() && file_.valid()) ::unlink(path_.c_str());
}

base::Result<void> TemporaryFile::replace(const std::filesystem::path& target) {
  if (disk_fails(DiskChange::kMove) || ::rename(path_.c_str(), target.c_str()) != 0) {
    return system_error(errno, "cannot replace", target);
  }
  path_.clear();
  return {};
}

}  // namespace clever::io::internal

#include "io/file_identity.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/lock_rank.h"
#include "io/disk_fault.h"
#include "io/file.h"
#include "io/system_error.h"

namespace clever::io {

base::Result<FileIdentity> file_identity(const std::filesystem::path& path) {
  base::lock_rank::require_none("looking at a file");
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    return system_error(errno, "cannot look at", path);
  }
  if (!S_ISREG(status.st_mode)) {
    return base::invalid_argument(path.string() + (S_ISDIR(status.st_mode)
                                                       ? " is a folder, not a file"
                                                       : " is not a regular file"));
  }
  return FileIdentity{.device = status.st_dev,
                      .inode = status.st_ino,
                      .names = status.st_nlink,
                      .size = static_cast<std::uint64_t>(status.st_size)};
}

base::Result<void> create_file(const std::filesystem::path& path, mode_t mode) {
  base::lock_rank::require_none("creating a file");
  CLEVER_ASSIGN(const auto target, follow_links(path));
  if (target.has_parent_path()) CLEVER_TRY(make_directories(target.parent_path()));
  const bool fails = disk_fails(DiskChange::kCreate);
  if (!fails && (::mknod(target.c_str(), S_IFREG | mode, 0) == 0 || errno == EEXIST)) return {};
  // In an unwritable folder the file may still exist.
  const int number = errno;
  if (file_kind(target) != FileKind::kMissing) return {};
  return system_error(number, "cannot create", target);
}

}  // namespace clever::io

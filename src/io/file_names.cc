#include "io/file_names.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/lock_rank.h"
#include "io/disk_fault.h"
#include "io/internal/sync_folder.h"
#include "io/system_error.h"

namespace clever::io {

base::Result<std::filesystem::path> real_path(const std::filesystem::path& path) {
  base::lock_rank::require_none("following a link");
  std::error_code error;
  std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return system_error(error.value(), "cannot find", path);
  return real;
}

base::Result<void> move_new_file(const std::filesystem::path& from,
                                 const std::filesystem::path& to) {
  base::lock_rank::require_none("moving a file");
  if (disk_fails(DiskChange::kMove) ||
      ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
    return system_error(errno, "cannot move " + from.string() + " to", to);
  }
  return internal::sync_folder(to);
}

base::Result<void> remove_file(const std::filesystem::path& path) {
  base::lock_rank::require_none("removing a file");
  if (disk_fails(DiskChange::kRemove) || ::unlink(path.c_str()) != 0) {
    return system_error(errno, "cannot remove", path);
  }
  return {};
}

}  // namespace clever::io

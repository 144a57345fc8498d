#include "io/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/lock_rank.h"
#include "io/disk_fault.h"
#include "io/internal/open_regular.h"
#include "io/internal/sync_folder.h"
#include "io/output.h"
#include "io/system_error.h"

namespace clever::io {

base::Result<AppendFile> AppendFile::open(const std::filesystem::path& path, mode_t mode) {
  base::lock_rank::require_none("opening a file");
  if (disk_fails(DiskChange::kCreate)) return system_error(errno, "cannot write", path);
  CLEVER_ASSIGN(auto file,
                internal::open_regular(path, O_WRONLY | O_CREAT | O_APPEND, "cannot write", mode));
  CLEVER_TRY(internal::sync_folder(path));
  return AppendFile(std::move(file), path);
}

base::Result<void> AppendFile::append(std::string_view bytes) {
  base::lock_rank::require_none("writing a file");
  if (disk_fails(DiskChange::kWrite)) return system_error(errno, "cannot write", path_);
  CLEVER_TRY(write_all(file_.number(), bytes).context("writing " + path_.string()));
  return sync();
}

base::Result<void> AppendFile::truncate(std::size_t size) {
  base::lock_rank::require_none("cutting a file");
  if (disk_fails(DiskChange::kWrite) ||
      ::ftruncate(file_.number(), static_cast<off_t>(size)) != 0) {
    return system_error(errno, "cannot cut", path_);
  }
  return sync();
}

base::Result<void> AppendFile::sync() {
  if (disk_fails(DiskChange::kSync) || ::fdatasync(file_.number()) != 0)
    return system_error(errno, "cannot sync", path_);
  return {};
}

}  // namespace clever::io

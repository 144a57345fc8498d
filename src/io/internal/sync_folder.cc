#include "io/internal/sync_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "io/disk_fault.h"
#include "io/file_descriptor.h"
#include "io/system_error.h"

namespace clever::io::internal {

base::Result<void> sync_folder(const std::filesystem::path& target) {
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  if (disk_fails(DiskChange::kSync)) return system_error(errno, "cannot sync", folder);
  const FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder without read permission cannot be synced: the rename is as durable as the file system
  // makes it.
  if (!file.valid() || ::fsync(file.number()) == 0 || errno == EINVAL) return {};
  return system_error(errno, "cannot sync", folder);
}

}  // namespace clever::io::internal

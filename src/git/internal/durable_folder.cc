#include "git/internal/durable_folder.h"

#include "io/directory.h"

namespace clever::git::internal {

base::Result<void> sync_way_to(const std::filesystem::path& folder) {
  std::filesystem::path above = folder;
  while (above.has_relative_path()) {
    above = above.parent_path();
    const auto directory = io::Directory::open(above);
    if (!directory.ok()) break;
    const auto synced = directory->sync_directory("");
    if (synced.ok()) continue;
    if (synced.error().code() == base::ErrorCode::kPermissionDenied) break;
    return synced.error();
  }
  return {};
}

}  // namespace clever::git::internal

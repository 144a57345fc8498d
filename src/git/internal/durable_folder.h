#pragma once
#include <filesystem>

#include "base/result.h"

namespace clever::git::internal {

/// Makes the path to an existing folder (absolute) durable: syncs the folders above it. Nearly free
/// if nothing was new. Skips folders that may not be opened: they belong to other users, and are
/// older.
[[nodiscard]] base::Result<void> sync_way_to(const std::filesystem::path& folder);

}  // namespace clever::git::internal

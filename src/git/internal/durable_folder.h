#pragma once
#include <filesystem>

#include "base/result.h"

namespace clever::git::internal {

/// Makes sure that the way to an existing folder (absolute) survives a loss of power: syncs the
/// folders above it. Costs nothing worth mentioning where nothing was new. Folders above that may
/// not be opened are somebody else's, and older.
[[nodiscard]] base::Result<void> sync_way_to(const std::filesystem::path& folder);

}  // namespace clever::git::internal

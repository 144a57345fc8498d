#pragma once
#include <filesystem>

#include "base/result.h"

namespace clever::io::internal {

/// Makes the names in the folder of `target` durable.
[[nodiscard]] base::Result<void> sync_folder(const std::filesystem::path& target);

}  // namespace clever::io::internal

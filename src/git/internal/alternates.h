#pragma once
#include <filesystem>
#include <vector>

namespace clever::git::internal {

/// The folders, and those that their info/alternates name, recursively: existing ones only, without
/// links and duplicates.
[[nodiscard]] std::vector<std::filesystem::path> with_alternates(
    const std::vector<std::filesystem::path>& object_folders);

}  // namespace clever::git::internal

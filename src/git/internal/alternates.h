#pragma once
#include <filesystem>
#include <vector>

namespace clever::git::internal {

/// The folders and those that their info/alternates name, and so on; each once, existing ones only,
/// without links.
[[nodiscard]] std::vector<std::filesystem::path> with_alternates(
    const std::vector<std::filesystem::path>& object_folders);

}  // namespace clever::git::internal

#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace clever::engine::internal {

struct DefinitionFile {
  /// As messages name it.
  std::string name{};
  std::string text{};
};

/// The *.yaml and *.yml of a folder, by name; at most 1 MiB each, and 10,000. A folder that is not
/// there is an empty one. Blocks.
[[nodiscard]] base::Result<std::vector<DefinitionFile>> definition_files(
    const std::filesystem::path& folder);

}  // namespace clever::engine::internal

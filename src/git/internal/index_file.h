#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "git/tree_entry.h"

namespace clever::git::internal {

struct IndexedPath {
  std::string path;
  Node node{};
};

/// Lists an index file without running git. Nothing if only git can read it (a split or sparse
/// index, a newer format, a damaged file): then ask git.
[[nodiscard]] std::optional<std::vector<IndexedPath>> read_index_file(
    const std::filesystem::path& file);

}  // namespace clever::git::internal

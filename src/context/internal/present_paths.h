#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/internal/commit_table.h"

namespace clever::context::internal {

/// For each commit of `order` (newest first) the files it changed, by their present names: numbers
/// of `table.paths`, sorted and unique. Leaves out deleted files. A commit that touched more than
/// `most_files` counts as changing nothing, but its renames are followed.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> present_paths(
    const CommitTable& table, const std::vector<std::uint32_t>& order, std::size_t most_files);

}  // namespace clever::context::internal

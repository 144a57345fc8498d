#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/internal/commit_table.h"

namespace clever::context::internal {

/// For each commit of `order` (newest first) the files it changed, by the names they have now:
/// numbers of `table.paths`, each once, in their order. Files that are gone are left out. Commits
/// that touched more than `most_files` changed nothing here, but what they renamed is followed.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> present_paths(
    const CommitTable& table, const std::vector<std::uint32_t>& order, std::size_t most_files);

}  // namespace clever::context::internal

#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "apply/internal/repository.h"

// Parses and writes the formats of git's plumbing. Pure functions.
namespace clever::apply::internal {

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// From `ls-tree -z`: "100644 blob ID\tpath" each.
void add_tree_entries(Entries& entries, std::string_view output);
/// From `ls-files -z -s -t`: "H 100644 ID 0\tpath" each.
void add_index_entries(Entries& entries, std::string_view output);
[[nodiscard]] Entries parse_index_entries(std::string_view output);

/// For `update-index -z --index-info`.
[[nodiscard]] std::string index_lines(const std::vector<IndexEntry>& entries);

}  // namespace clever::apply::internal

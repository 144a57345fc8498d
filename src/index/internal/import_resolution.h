#pragma once
#include <string_view>
#include <vector>

#include "index/code_index.h"
#include "index/internal/file_table.h"

namespace clever::index::internal {

/// The files of a view that an import of `from` leads to, judged by paths alone: relative imports
/// from their place, others by the longest common suffix of names, nearest first. Sorted; empty for
/// files outside the view, such as a system library.
[[nodiscard]] std::vector<FileNumber> resolve_import(const FileTable& table, FileNumber from,
                                                     std::string_view import);

}  // namespace clever::index::internal

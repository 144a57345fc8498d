#pragma once
#include <string_view>
#include <vector>

#include "index/code_index.h"
#include "index/internal/file_table.h"

namespace clever::index::internal {

/// The files of a view that an import of `from` leads to, by their paths alone: relative ones from
/// where it stands, others by the longest tail of names that they share, nearest first. Sorted;
/// empty for what is not in the view, such as a system's library.
[[nodiscard]] std::vector<FileNumber> resolve_import(const FileTable& table, FileNumber from,
                                                     std::string_view import);

}  // namespace clever::index::internal

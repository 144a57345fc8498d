#pragma once
#include <string>
#include <vector>

#include "diff/tree_diff.h"

namespace clever::diff::internal {

/// The parts that git prints for a file: one, or the removal and the creation if its kind changed.
[[nodiscard]] std::vector<FileDiff> printed_parts(const FileDiff& file);

/// The text above the first hunk; for a binary file the whole text.
[[nodiscard]] std::string file_header(const FileDiff& file);

/// "@@ -1,2 +1,3 @@ heading", with its line end.
[[nodiscard]] std::string hunk_header(const Hunk& hunk);

}  // namespace clever::diff::internal

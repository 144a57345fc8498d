#pragma once
#include "diff/tree_diff.h"

// The parts of a file's difference besides its lines. Pure functions.
namespace clever::diff::internal {

/// Only its mode or its name changed.
[[nodiscard]] bool same_content(const FileDiff& file);
/// A file became a link, a link a submodule, …
[[nodiscard]] bool changes_kind(const FileDiff& file);
/// It can only be taken as a whole: a link, a submodule, or a changed kind.
[[nodiscard]] bool is_one_choice(const FileDiff& file);
/// Its mode changed, but not its kind.
[[nodiscard]] bool changes_mode(const FileDiff& file);
/// Whether there is a choice besides the lines.
[[nodiscard]] bool has_whole_choice(const FileDiff& file);

}  // namespace clever::diff::internal

#pragma once
#include "diff/tree_diff.h"

// What a file's difference is beside its lines. Pure functions.
namespace clever::diff::internal {

/// Only its mode or its name changed.
[[nodiscard]] bool same_content(const FileDiff& file);
/// A file became a link, a link a submodule, …
[[nodiscard]] bool changes_kind(const FileDiff& file);
/// Can only be taken as a whole: a link, a submodule, or a changed kind.
[[nodiscard]] bool is_one_choice(const FileDiff& file);
/// Its mode changed, and not its kind.
[[nodiscard]] bool changes_mode(const FileDiff& file);
/// Whether there is something to choose beside the lines.
[[nodiscard]] bool has_whole_choice(const FileDiff& file);

}  // namespace clever::diff::internal

#pragma once
// What changed about a file beside its lines, in words and as documents. Pure functions. Private to
// the module.
#include <string>
#include <string_view>
#include <vector>

#include "diff/tree_diff.h"
#include "model/document.h"

namespace clever::service {

using model::Document;

/// "added", "modified", "deleted", "renamed", "mode"
[[nodiscard]] std::string_view status_of(const diff::FileDiff& file);

/// "new file", "deleted", "renamed, 87 % the same", "mode 100644 → 100755", "binary, 12 → 40
/// bytes", …; none of a file of which only lines changed.
[[nodiscard]] std::vector<std::string> remarks_on(const diff::FileDiff& file);

/// {id, old_start, old_lines, new_start, new_lines, heading, lines[{kind, text}]}. A text has its
/// line end, if it has one; a kind is "context", "added" or "removed".
[[nodiscard]] Document hunk_document(const diff::Hunk& hunk);
/// {path, status, insertions, deletions, from?, binary?, whole?{id, what[]}, hunks[]}. `whole` is
/// what can be chosen beside the lines.
[[nodiscard]] Document file_document(const diff::FileDiff& file);

}  // namespace clever::service

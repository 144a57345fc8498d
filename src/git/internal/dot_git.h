#pragma once
#include <string_view>

namespace clever::git::internal {

/// Whether some file system treats this name as `.git`: Windows ignores case, dots and spaces at
/// the end and everything from a colon on, makes short names (`git~1`) and separates by backslash;
/// HFS+ ignores case and some invisible characters. As in git, a name that is `.git` up to invalid
/// UTF-8 counts too.
[[nodiscard]] bool means_dot_git(std::string_view name);

}  // namespace clever::git::internal

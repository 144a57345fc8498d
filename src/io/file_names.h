#pragma once
#include <filesystem>

#include "base/result.h"

// Resolves, moves and removes names of files. Stateless functions, safe from any thread; each
// aborts in test builds if its thread holds a lock.
namespace clever::io {

/// The canonical path of an existing file: without links, `.` and `..`.
[[nodiscard]] base::Result<std::filesystem::path> real_path(const std::filesystem::path& path);

/// Renames a file within its file system; `already_exists` if the new name is taken.
[[nodiscard]] base::Result<void> move_new_file(const std::filesystem::path& from,
                                               const std::filesystem::path& to);

/// `not_found` if there is none.
[[nodiscard]] base::Result<void> remove_file(const std::filesystem::path& path);

}  // namespace clever::io

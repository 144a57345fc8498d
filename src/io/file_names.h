#pragma once
#include <filesystem>

#include "base/result.h"

// The names of files: resolved, moved, removed. Plain functions without state, safe to call
// from any thread; each aborts in test builds if its thread holds a lock.
namespace clever::io {

/// The one path without links, `.` and `..` that leads to something that exists.
[[nodiscard]] base::Result<std::filesystem::path> real_path(const std::filesystem::path& path);

/// Gives a file another name in the same file system; `already_exists` if something has it.
[[nodiscard]] base::Result<void> move_new_file(const std::filesystem::path& from,
                                               const std::filesystem::path& to);

/// `not_found` if there is none.
[[nodiscard]] base::Result<void> remove_file(const std::filesystem::path& path);

}  // namespace clever::io

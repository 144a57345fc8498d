#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

// Whole files, read and replaced. Plain functions without state, safe to call from any thread; each
// aborts in test builds if its thread holds a lock. Failures name the path and the system's reason.
namespace clever::io {

inline constexpr std::size_t kDefaultReadLimit = std::size_t{64} << 20U;

/// The whole content. `not_found`, `permission_denied`, `invalid_argument` for a directory and for
/// whatever might block (a FIFO, a terminal), and `resource_exhausted` for a file larger than
/// `limit` bytes.
[[nodiscard]] base::Result<std::string> read_file(const std::filesystem::path& path,
                                                  std::size_t limit = kDefaultReadLimit);

/// What comes in at the standard input until its end, for which it waits.
[[nodiscard]] base::Result<std::string> read_standard_input(std::size_t limit = kDefaultReadLimit);

/// Replaces the file in one step: a reader sees the old content or the new, also after a crash or a
/// loss of power, and a failure (full disk, unwritable folder) leaves the old file whole.
///
/// An existing file keeps its mode and, where permitted, its owner; a new one gets `mode` less the
/// umask. Through a symbolic link the link's target is replaced and the link stays. The content is
/// gathered in a file beside the target, `.NAME.tmpN`; one left behind by a killed writer is
/// removed by the next write of the same target.
[[nodiscard]] base::Result<void> write_file_atomically(const std::filesystem::path& path,
                                                       std::string_view content,
                                                       mode_t mode = 0600);

/// Creates the folder and those above it that are missing, all with `mode` less the umask. Fine if
/// it is already there; `already_exists` if something that is no folder is in the way.
[[nodiscard]] base::Result<void> make_directories(const std::filesystem::path& path,
                                                  mode_t mode = 0700);

/// The path that remains when the last component's symbolic links are followed, whether or not
/// anything is there: what write_file_atomically would replace.
[[nodiscard]] base::Result<std::filesystem::path> follow_links(const std::filesystem::path& path);

enum class FileKind : std::uint8_t { kMissing, kFile, kDirectory, kOther };
/// What is there, links followed. Whatever cannot be reached counts as missing.
[[nodiscard]] FileKind file_kind(const std::filesystem::path& path);

/// Whether both paths lead to one existing file or folder.
[[nodiscard]] bool same_file(const std::filesystem::path& left, const std::filesystem::path& right);

/// The path seen from the file-system root, `.` and `..` removed.
[[nodiscard]] std::filesystem::path absolute_path(const std::filesystem::path& path);

/// Where the process works.
[[nodiscard]] base::Result<std::filesystem::path> working_directory();

}  // namespace clever::io

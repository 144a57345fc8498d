#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

// Reads and replaces whole files. Stateless functions, safe from any thread; each aborts in test
// builds if its thread holds a lock. Failures name the path and the system's reason.
namespace clever::io {

inline constexpr std::size_t kDefaultReadLimit = std::size_t{64} << 20U;

/// The whole content. `not_found`, `permission_denied`, `invalid_argument` for a directory and for
/// anything that might block (a FIFO, a terminal), and `resource_exhausted` for a file larger than
/// `limit` bytes.
[[nodiscard]] base::Result<std::string> read_file(const std::filesystem::path& path,
                                                  std::size_t limit = kDefaultReadLimit);

/// Reads standard input to its end, and waits for that.
[[nodiscard]] base::Result<std::string> read_standard_input(std::size_t limit = kDefaultReadLimit);

/// Replaces the file in one step: a reader sees the old content or the new, also after a crash or a
/// loss of power, and a failure (full disk, unwritable folder) leaves the old file intact.
///
/// An existing file keeps its mode and, where permitted, its owner; a new one gets `mode` less the
/// umask. Through a symbolic link it replaces the target and keeps the link. Gathers the content in
/// a file beside the target, `.NAME.tmpN`; the next write of the same target removes one that a
/// killed writer left.
[[nodiscard]] base::Result<void> write_file_atomically(const std::filesystem::path& path,
                                                       std::string_view content,
                                                       mode_t mode = 0600);

/// Creates the folder and missing parents, all with `mode` less the umask. Succeeds if it exists;
/// `already_exists` if something other than a folder has the name.
[[nodiscard]] base::Result<void> make_directories(const std::filesystem::path& path,
                                                  mode_t mode = 0700);

/// Follows the symbolic links of the last component, whether or not the target exists: the path
/// that write_file_atomically would replace.
[[nodiscard]] base::Result<std::filesystem::path> follow_links(const std::filesystem::path& path);

enum class FileKind : std::uint8_t { kMissing, kFile, kDirectory, kOther };
/// The kind of file, following links. Unreachable ones count as missing.
[[nodiscard]] FileKind file_kind(const std::filesystem::path& path);

/// Whether both paths lead to one existing file or folder.
[[nodiscard]] bool same_file(const std::filesystem::path& left, const std::filesystem::path& right);

/// The absolute path, without `.` and `..`.
[[nodiscard]] std::filesystem::path absolute_path(const std::filesystem::path& path);

/// The process's working directory.
[[nodiscard]] base::Result<std::filesystem::path> working_directory();

}  // namespace clever::io

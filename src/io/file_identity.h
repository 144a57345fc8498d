#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>

#include "base/result.h"

// Identifies files under any name. Plain functions, safe from any thread. They do not open the
// file: closing it again would drop the record locks (fcntl(2)) that the process holds on it.
namespace clever::io {

struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  /// The number of its names (hard links).
  std::uint64_t names = 0;
  std::uint64_t size = 0;
  /// The same file, whatever its size was.
  friend bool operator==(const FileIdentity& left, const FileIdentity& right) {
    return left.device == right.device && left.inode == right.inode && left.names == right.names;
  }
};

/// Follows links. `not_found` if nothing is there, `invalid_argument` if it is not a regular file.
[[nodiscard]] base::Result<FileIdentity> file_identity(const std::filesystem::path& path);

/// Creates an empty file with `mode` less the umask, and the folders above it (0700); succeeds if
/// it exists. Through a symbolic link it creates the target.
[[nodiscard]] base::Result<void> create_file(const std::filesystem::path& path, mode_t mode = 0600);

}  // namespace clever::io

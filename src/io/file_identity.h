#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>

#include "base/result.h"

// Which file it is, by whatever name. Plain functions, safe from any thread; neither opens the
// file: closing it again would take away the record locks (fcntl(2)) that the process holds on it.
namespace clever::io {

struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  /// Under how many names the file system knows it.
  std::uint64_t names = 0;
  std::uint64_t size = 0;
  /// The same file, however large it was when it was looked at.
  friend bool operator==(const FileIdentity& left, const FileIdentity& right) {
    return left.device == right.device && left.inode == right.inode && left.names == right.names;
  }
};

/// Links followed. `not_found` if nothing is there, `invalid_argument` if it is no regular file.
[[nodiscard]] base::Result<FileIdentity> file_identity(const std::filesystem::path& path);

/// Creates an empty file with `mode` less the umask, and the folders above it (0700); fine if it is
/// there. Through a symbolic link the link's target is created.
[[nodiscard]] base::Result<void> create_file(const std::filesystem::path& path, mode_t mode = 0600);

}  // namespace clever::io

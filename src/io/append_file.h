#pragma once
#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// A file that only grows, and whose growth survives a crash and a loss of power once append() has
/// returned. Used by one thread at a time. Failures name the path and the system's reason.
class AppendFile {
 public:
  /// Creates the file if there is none, with `mode` less the umask.
  [[nodiscard]] static base::Result<AppendFile> open(const std::filesystem::path& path,
                                                     mode_t mode = 0600);

  /// Writes all of it and syncs. After a failure the file may end with a part of it.
  [[nodiscard]] base::Result<void> append(std::string_view bytes);
  /// Drops what lies beyond `size` bytes, and syncs.
  [[nodiscard]] base::Result<void> truncate(std::size_t size);

 private:
  AppendFile(FileDescriptor file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)) {}
  [[nodiscard]] base::Result<void> sync();

  FileDescriptor file_;
  std::filesystem::path path_;
};

}  // namespace clever::io

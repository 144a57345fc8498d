#pragma once
#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// A file that only grows. Once append() returns, the bytes survive a crash and a loss of power.
/// Used by one thread at a time. Failures name the path and the system's reason.
class AppendFile {
 public:
  /// Creates a missing file, with `mode` less the umask.
  [[nodiscard]] static base::Result<AppendFile> open(const std::filesystem::path& path,
                                                     mode_t mode = 0600);

  /// Writes everything and syncs. After a failure the file may end with a part of it.
  [[nodiscard]] base::Result<void> append(std::string_view bytes);
  /// Cuts the file to `size` bytes, and syncs.
  [[nodiscard]] base::Result<void> truncate(std::size_t size);

 private:
  AppendFile(FileDescriptor file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)) {}
  [[nodiscard]] base::Result<void> sync();

  FileDescriptor file_;
  std::filesystem::path path_;
};

}  // namespace clever::io

#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// Writes a large file from beginning to end through a buffer. Replaces its content; nothing is
/// durable before sync() returns.
///
/// Used by one thread at a time. Keeps the first failure (a full disk: `resource_exhausted`) and
/// returns it from every later call, so that only sync() must be checked.
class FileWriter {
 public:
  [[nodiscard]] static base::Result<FileWriter> open(const std::filesystem::path& path,
                                                     mode_t mode = 0600);

  void append(std::string_view bytes);
  /// How many bytes were appended so far.
  [[nodiscard]] std::uint64_t size() const noexcept { return written_ + buffer_.size(); }
  /// Writes the rest, and syncs.
  [[nodiscard]] base::Result<void> sync();

 private:
  FileWriter(FileDescriptor file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)) {}
  void flush();

  FileDescriptor file_;
  std::filesystem::path path_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  base::Result<void> failure_{};
};

}  // namespace clever::io

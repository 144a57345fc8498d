#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace clever::base::internal {

/// A file that is appended to line by line and rotated by size, also by several processes at once.
/// Readable by its owner only. Not thread-safe. Stays usable after a failed append.
class RotatingFile {
 public:
  [[nodiscard]] static Result<RotatingFile> open(const std::filesystem::path& path,
                                                 std::uint64_t max_bytes, std::size_t old_files);
  RotatingFile(RotatingFile&& other) noexcept;
  RotatingFile& operator=(RotatingFile&&) = delete;
  ~RotatingFile();

  /// Passes the line to the kernel, in the present file or a fresh one.
  Result<void> append(std::string_view line);

 private:
  RotatingFile(std::filesystem::path path, std::uint64_t max_bytes, std::size_t old_files);

  Result<void> open_current();
  /// Whether the path still names the open file: another process may have rotated it.
  [[nodiscard]] bool is_current() const;
  /// 0 unless it is a regular file: devices are never rotated.
  [[nodiscard]] std::uint64_t size() const;
  Result<void> rotate();
  [[nodiscard]] std::filesystem::path old_file(std::size_t number) const;
  Result<void> write(std::string_view text);

  std::filesystem::path path_;
  std::uint64_t max_bytes_;
  std::size_t old_files_;
  int descriptor_ = -1;
};

}  // namespace clever::base::internal

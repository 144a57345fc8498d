#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace clever::base::internal {

/// A file that is appended to line by line and rotated by size. Not thread-safe. After a failed
/// append it must be opened anew: the library underneath does not survive a failed rotation.
class RotatingFile {
 public:
  [[nodiscard]] static Result<RotatingFile> open(const std::filesystem::path& path,
                                                 std::uint64_t max_bytes, std::size_t old_files);
  RotatingFile(RotatingFile&&) noexcept;
  ~RotatingFile();

  /// Appends as it is, and flushes.
  Result<void> append(std::string_view line);

 private:
  class Sink;
  explicit RotatingFile(std::unique_ptr<Sink> sink);
  std::unique_ptr<Sink> sink_;
};

}  // namespace clever::base::internal

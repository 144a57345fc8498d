#pragma once
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace clever::io {

/// The bytes of a file as they were when it was opened, shared with the page cache instead of
/// copied. For files that are never changed in place: if another program cuts the file, a read
/// beyond its new end kills the process. The file may be removed or replaced at any time.
///
/// Move-only; reading is thread-safe. The destructor unmaps the pages.
class MappedFile {
 public:
  /// Fails like opening a file; `invalid_argument` for anything but a regular file.
  [[nodiscard]] static base::Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
  /// Tells the kernel that these pages may leave memory; reading them again reads the file again.
  void release(std::string_view part) const noexcept;

 private:
  explicit MappedFile(std::string_view bytes) noexcept : bytes_(bytes) {}

  std::string_view bytes_;
};

}  // namespace clever::io

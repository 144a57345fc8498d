#pragma once
#include <utility>

namespace clever::io {

/// Owns one file descriptor and closes it. Move-only; as thread-safe as an int.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) noexcept : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    other.reset();
    return *this;
  }
  ~FileDescriptor() { reset(); }

  /// Negative if there is none.
  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool valid() const noexcept { return number_ >= 0; }
  void reset() noexcept;
  /// For a new owner that closes it.
  [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

}  // namespace clever::io

#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// The encoding on the supervisor's socket: little-endian numbers, and texts with their length in
// front.
namespace clever::confine::internal {

class WireWriter {
 public:
  void number(std::uint64_t value);
  void text(std::string_view value);
  [[nodiscard]] std::string take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Decodes what WireWriter wrote. After the first missing part every answer is empty, and finish()
/// reports it: `invalid_argument`. The text must outlive it.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint64_t number();
  [[nodiscard]] std::string text();
  /// A count of elements of at least one byte each; fails if it exceeds the remaining bytes.
  [[nodiscard]] std::size_t count();
  void fail() noexcept { failed_ = true; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// Checks that everything was read and valid.
  [[nodiscard]] base::Result<void> finish() const;

 private:
  [[nodiscard]] std::string_view bytes(std::size_t count);

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace clever::confine::internal

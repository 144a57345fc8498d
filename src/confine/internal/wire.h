#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// The bytes in which both sides of the supervisor's socket speak: little-endian numbers, and texts
// with their length in front.
namespace clever::confine::internal {

class WireWriter {
 public:
  void number(std::uint64_t value);
  void text(std::string_view value);
  [[nodiscard]] std::string take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what WireWriter wrote. After the first thing that is not there every answer is empty, and
/// finish() says so: `invalid_argument`. The text must outlive it.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint64_t number();
  [[nodiscard]] std::string text();
  /// A count of things that take at least one byte each: more than there are bytes is a failure.
  [[nodiscard]] std::size_t count();
  void fail() noexcept { failed_ = true; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// Everything has been read, and all of it made sense.
  [[nodiscard]] base::Result<void> finish() const;

 private:
  [[nodiscard]] std::string_view bytes(std::size_t count);

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace clever::confine::internal

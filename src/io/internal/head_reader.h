#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/http.h"

namespace clever::io::internal {

/// Builds an HttpHead from libcurl's lines: drops interim answers (1xx), joins folded lines,
/// ignores trailers. Pure.
class HeadReader {
 public:
  /// The effect of a line.
  enum class Line : std::uint8_t { kMore, kComplete, kTooLarge };
  /// More than any API sends; a longer head is an attack or a mistake.
  static constexpr std::size_t kLimit = std::size_t{256} << 10U;

  [[nodiscard]] Line add(std::string_view line);
  [[nodiscard]] const HttpHead& head() const noexcept { return head_; }
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  void reset();

 private:
  void begin(std::string_view status_line);
  void add_field(std::string_view line);

  HttpHead head_;
  std::size_t size_ = 0;
  bool complete_ = false;
};

}  // namespace clever::io::internal

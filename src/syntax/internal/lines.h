#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/syntax.h"

namespace clever::syntax::internal {

/// The lines of a text. Numbered from 1; a text that is not empty has at least one, and a final
/// newline begins none. Immutable; the text outlives it.
class Lines {
 public:
  explicit Lines(std::string_view content);

  [[nodiscard]] std::uint32_t count() const noexcept {
    return static_cast<std::uint32_t>(begins_.size());
  }
  /// The line with the byte; the last one for positions behind the text.
  [[nodiscard]] std::uint32_t line_of(std::size_t byte) const;
  [[nodiscard]] std::size_t begin(std::uint32_t line) const;
  /// After its newline.
  [[nodiscard]] std::size_t end(std::uint32_t line) const;
  /// Without its newline.
  [[nodiscard]] std::string_view text(std::uint32_t line) const;
  [[nodiscard]] bool blank(std::uint32_t line) const;
  [[nodiscard]] Range range(std::size_t begin, std::size_t end) const;

 private:
  std::string_view content_;
  std::vector<std::size_t> begins_;
};

}  // namespace clever::syntax::internal

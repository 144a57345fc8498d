#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clever::sandbox::internal {

/// A text with every "\r\n" as "\n", and the mapping back to the original bytes. A value.
class UnixText {
 public:
  explicit UnixText(std::string_view original);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// Where the byte at `offset` of text() (or its end) begins in the original; for a line end, at
  /// its "\r".
  [[nodiscard]] std::size_t original_offset(std::size_t offset) const;
  /// Whether most lines end in "\r\n".
  [[nodiscard]] bool mostly_windows() const noexcept { return dropped_.size() * 2 > lines_; }

 private:
  std::string text_;
  std::vector<std::size_t> dropped_;  // offsets in text_ of the line ends that lost their "\r"
  std::size_t lines_ = 0;
};

/// Adds "\r" to every "\n" without one.
[[nodiscard]] std::string with_windows_ends(std::string_view text);

/// The number of the line, from 1, with the byte at `offset`.
[[nodiscard]] std::size_t line_number(std::string_view text, std::size_t offset);

/// The lines without their ends. A final line end does not add an empty line.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace clever::sandbox::internal

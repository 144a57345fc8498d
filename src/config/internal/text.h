#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clever::config::internal {

/// The line (from 1) of the first byte that is not UTF-8.
[[nodiscard]] std::optional<std::size_t> first_line_not_utf8(std::string_view text);

/// Letters, digits, `_` and `-`, at least one.
[[nodiscard]] bool is_bare_key(std::string_view text);

/// As a TOML basic string, with quotes.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Replaces control characters by `?`, so that a file's content cannot control a person's terminal.
[[nodiscard]] std::string printable(std::string_view text);

/// In single quotes for a message: printable, redacted, and cut off after 80 bytes, since a value
/// pasted into the wrong place may be long.
[[nodiscard]] std::string shown(std::string_view text);

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Finds bytes by line and column, both from 1, columns in code points. Refers to the text.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  /// The end of the text for a position beyond it.
  [[nodiscard]] std::size_t offset(std::size_t line, std::size_t column) const;
  [[nodiscard]] std::size_t count() const noexcept { return starts_.size(); }

 private:
  std::string_view text_;
  // The number of the first code point of each line.
  std::vector<std::size_t> starts_;
  // The byte at which every kStride-th code point starts, so that finding one takes bounded time in
  // lines of any length.
  std::vector<std::size_t> marks_;
};

}  // namespace clever::config::internal

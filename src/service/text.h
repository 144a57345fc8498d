#pragma once
// Text as a terminal shows it: what is printable, how wide it is, where it may be broken.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clever::service {

/// The next code point of `text` from `at`, which moves behind it. Bytes that are not UTF-8 give
/// U+FFFD.
[[nodiscard]] char32_t next_code_point(std::string_view text, std::size_t& at) noexcept;

/// Valid UTF-8 without control characters: what is not printable is replaced by U+FFFD, line breaks
/// and tabs by a space. A file name or a setting cannot steer the terminal through it.
[[nodiscard]] std::string printable(std::string_view text);

/// How many columns a terminal needs for it.
[[nodiscard]] std::size_t columns(std::string_view text) noexcept;

/// `text` and spaces up to a width in columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);

/// Breaks at spaces so that no line is wider than `width`, unless a word is. 0: no limit.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// A user's word for a message: printable, in single quotes, shortened in the middle when long.
[[nodiscard]] std::string in_quotes(std::string_view word);

/// "a, b or c"
[[nodiscard]] std::string alternatives(const std::vector<std::string_view>& words);

}  // namespace clever::service

#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace clever::base {

/// One character of a text, or a stretch of bytes that is none.
struct CodePoint {
  char32_t value = 0;  // U+FFFD where the bytes are not UTF-8
  std::size_t size = 1;
  bool valid = false;
};

/// The character that begins at `at`, which must lie within the text. Bytes that are not UTF-8
/// (overlong forms, surrogates and cut sequences too) come in the longest stretch that could have
/// begun a character, so that each becomes one replacement character.
[[nodiscard]] CodePoint decode_utf8(std::string_view text, std::size_t at);

[[nodiscard]] bool is_utf8(std::string_view text);

/// The text with what is not UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string to_valid_utf8(std::string_view text);

/// The longest beginning of at most `max_bytes` that does not cut a character.
[[nodiscard]] std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

void append_utf8(std::string& text, char32_t code_point);

/// Whether a character would do something to a terminal or a line instead of being seen: control
/// characters, line and paragraph separators, and those that reorder the text around them.
[[nodiscard]] bool is_invisible_control(char32_t code_point);

}  // namespace clever::base

#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace clever::base {

/// One character of a text, or a stretch of invalid bytes.
struct CodePoint {
  char32_t value = 0;  // U+FFFD for invalid bytes
  std::size_t size = 1;
  bool valid = false;
};

/// The character that begins at `at`, which must lie within the text. Invalid UTF-8 (including
/// overlong forms, surrogates and cut sequences) yields the longest stretch that could have begun a
/// character, so that each becomes one replacement character.
[[nodiscard]] CodePoint decode_utf8(std::string_view text, std::size_t at);

[[nodiscard]] bool is_utf8(std::string_view text);

/// Replaces invalid UTF-8 by U+FFFD.
[[nodiscard]] std::string to_valid_utf8(std::string_view text);

/// The longest beginning of at most `max_bytes` that does not cut a character.
[[nodiscard]] std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

void append_utf8(std::string& text, char32_t code_point);

/// Whether a character controls a terminal or line instead of being visible: control characters,
/// line and paragraph separators, and those that reorder the text around them.
[[nodiscard]] bool is_invisible_control(char32_t code_point);

}  // namespace clever::base

#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace clever::test {

/// "line 3\nline 4\n" from 3 to 4.
inline std::string numbered_lines(std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i <= to; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

/// The text with the first place of `old_part` replaced; there must be one.
inline std::string replaced(std::string text, std::string_view old_part,
                            std::string_view new_part) {
  return text.replace(text.find(old_part), old_part.size(), new_part);
}

}  // namespace clever::test

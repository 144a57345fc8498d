#pragma once
#include <string>
#include <string_view>

// Characters of ASCII. Plain functions.
namespace clever::provider::internal {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Returns an ASCII letter in lower case; other characters unchanged.
[[nodiscard]] constexpr char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower_letter(c);
  return result;
}

}  // namespace clever::provider::internal

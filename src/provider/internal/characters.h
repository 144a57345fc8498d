#pragma once

// Characters of ASCII. Plain functions.
namespace clever::provider::internal {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Returns an ASCII letter in lower case; other characters unchanged.
[[nodiscard]] constexpr char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace clever::provider::internal

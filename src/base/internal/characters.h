#pragma once
#include <algorithm>
#include <string_view>

// ASCII only and independent of the locale, unlike <cctype>.
namespace clever::base::internal {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_alphanumeric(char c) {
  return is_digit(c) || is_lower(c) || is_upper(c);
}
[[nodiscard]] constexpr bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
[[nodiscard]] constexpr char to_lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, to_lower, to_lower);
}
/// The first position at or after `from` with a character outside the class.
template <class Class>
[[nodiscard]] constexpr std::size_t run_end(std::string_view text, std::size_t from,
                                            Class in_class) {
  while (from < text.size() && in_class(text[from])) ++from;
  return from;
}

}  // namespace clever::base::internal

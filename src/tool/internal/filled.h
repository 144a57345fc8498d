#pragma once
#include <array>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace clever::tool {

namespace internal {

inline std::string piece(std::string_view text) { return std::string(text); }
inline std::string piece(char c) { return std::string(1, c); }
template <std::integral T>
  requires(!std::same_as<T, char> && !std::same_as<T, bool>)
std::string piece(T number) {
  return std::to_string(number);
}

}  // namespace internal

/// Replaces each `{}` of the pattern by the next argument. A pure function.
template <class... Arguments>
[[nodiscard]] std::string filled(std::string_view pattern, const Arguments&... arguments) {
  const std::array<std::string, sizeof...(arguments)> pieces = {internal::piece(arguments)...};
  std::string text;
  for (const std::string& piece : pieces) {
    const std::size_t gap = pattern.find("{}");
    text.append(pattern.substr(0, gap)).append(piece);
    pattern.remove_prefix(gap + 2);
  }
  return text.append(pattern);
}

/// "one, two, three"
[[nodiscard]] inline std::string comma_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace clever::tool

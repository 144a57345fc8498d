#pragma once
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace clever::context::internal {

inline void append_text(std::string& to, std::string_view text) { to += text; }
inline void append_text(std::string& to, std::integral auto number) {
  to += std::to_string(number);
}

/// Concatenates texts and whole numbers.
template <class... Parts>
[[nodiscard]] std::string text_of(const Parts&... parts) {
  std::string text;
  (append_text(text, parts), ...);
  return text;
}

}  // namespace clever::context::internal

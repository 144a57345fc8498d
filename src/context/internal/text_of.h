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

[[nodiscard]] inline std::string joined(const std::vector<std::string>& texts,
                                        std::string_view between) {
  std::string all;
  for (const std::string& text : texts) {
    if (!all.empty()) all += between;
    all += text;
  }
  return all;
}

}  // namespace clever::context::internal

#pragma once
#include <string_view>
#include <vector>

namespace clever::git::internal {

/// The pieces that each end with `end`, and the rest after the last one unless it is empty. They
/// point into the text.
[[nodiscard]] std::vector<std::string_view> pieces_of(std::string_view text, char end);

[[nodiscard]] inline std::vector<std::string_view> lines_of(std::string_view text) {
  return pieces_of(text, '\n');
}

}  // namespace clever::git::internal

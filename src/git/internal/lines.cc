#include "git/internal/lines.h"

#include <algorithm>
#include <cstddef>

namespace clever::git::internal {

std::vector<std::string_view> pieces_of(std::string_view text, char end) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find(end), text.size());
    pieces.push_back(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return pieces;
}

}  // namespace clever::git::internal

#include "context/parts/internal/lines.h"

namespace clever::context::internal {

std::string as_many_lines(const std::vector<std::string>& lines, const TokenCounter& counter,
                          std::size_t tokens) {
  std::string text;
  std::size_t used = 0;
  for (const auto& line : lines) {
    const std::size_t cost = counter.count(line);
    if (used + cost > tokens) break;
    used += cost;
    text += line;
  }
  // Lines may cost more together than alone.
  while (!text.empty() && counter.count(text) > tokens) {
    const std::size_t end = text.size() < 2 ? std::string::npos : text.rfind('\n', text.size() - 2);
    text.resize(end == std::string::npos ? 0 : end + 1);
  }
  return text;
}

}  // namespace clever::context::internal

#include "syntax/internal/lines.h"

#include <algorithm>

namespace clever::syntax::internal {

Lines::Lines(std::string_view content) : content_(content) {
  for (std::size_t at = 0; at < content.size();) {
    begins_.push_back(at);
    const std::size_t newline = content.find('\n', at);
    at = newline == std::string_view::npos ? content.size() : newline + 1;
  }
}

std::uint32_t Lines::line_of(std::size_t byte) const {
  const auto after = std::ranges::upper_bound(begins_, byte);
  return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(after - begins_.begin(), 1));
}

std::size_t Lines::begin(std::uint32_t line) const { return begins_[line - 1]; }

std::size_t Lines::end(std::uint32_t line) const {
  return line < count() ? begins_[line] : content_.size();
}

std::string_view Lines::text(std::uint32_t line) const {
  std::string_view whole = content_.substr(begin(line), end(line) - begin(line));
  while (whole.ends_with('\n') || whole.ends_with('\r')) {
    whole.remove_suffix(1);
  }
  return whole;
}

bool Lines::blank(std::uint32_t line) const {
  return text(line).find_first_not_of(" \t\f\v") == std::string_view::npos;
}

Range Lines::range(std::size_t begin, std::size_t end) const {
  return {.begin = static_cast<std::uint32_t>(begin),
          .end = static_cast<std::uint32_t>(end),
          .first_line = line_of(begin),
          .last_line = line_of(end > begin ? end - 1 : begin)};
}

}  // namespace clever::syntax::internal

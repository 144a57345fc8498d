#include "sandbox/workspace/internal/line_ends.h"

#include <algorithm>

namespace clever::sandbox::internal {

UnixText::UnixText(std::string_view original) {
  text_.reserve(original.size());
  for (std::size_t i = 0; i < original.size(); ++i) {
    const bool windows = original[i] == '\r' && i + 1 < original.size() && original[i + 1] == '\n';
    if (windows) {
      dropped_.push_back(text_.size());
    } else {
      text_.push_back(original[i]);
      if (original[i] == '\n') ++lines_;
    }
  }
}

std::size_t UnixText::original_offset(std::size_t offset) const {
  const auto before = std::ranges::lower_bound(dropped_, offset);
  return offset + static_cast<std::size_t>(before - dropped_.begin());
}

std::string with_windows_ends(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 16);
  char last = '\0';
  for (const char c : text) {
    if (c == '\n' && last != '\r') result.push_back('\r');
    result.push_back(c);
    last = c;
  }
  return result;
}

std::size_t line_number(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace clever::sandbox::internal

#include "cli/live/text_flow.h"

#include <utility>

#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

constexpr std::string_view kTabBlanks = "    ";

// Returns how many bytes at the end may belong to an incomplete character.
std::size_t torn_bytes(std::string_view text) {
  constexpr std::size_t kLongest = 4;
  for (std::size_t back = 1; back < kLongest && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : (byte >= 0xE0 ? 3 : 2);
    return back < length ? back : 0;
  }
  return 0;
}

}  // namespace

std::vector<std::string> TextFlow::feed(std::string_view text, std::size_t width) {
  std::string bytes = std::exchange(torn_, {}).append(text);
  const std::size_t torn = torn_bytes(bytes);
  torn_ = bytes.substr(bytes.size() - torn);
  bytes.resize(bytes.size() - torn);
  std::vector<std::string> rows;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(bytes, at);
    if (c == '\n') {
      rows.push_back(std::exchange(row_, {}));
    } else if (c == '\t') {
      take(kTabBlanks, width, rows);
    } else if (c != '\r') {
      take(printable(std::string_view(bytes).substr(begin, at - begin)), width, rows);
    }
  }
  return rows;
}

// A full row ends at the last space, if it has one.
void TextFlow::take(std::string_view shown, std::size_t width, std::vector<std::string>& rows) {
  if (width == 0 || row_.empty() || columns(row_) + columns(shown) <= width) {
    row_ += shown;
    return;
  }
  if (shown == " ") {
    rows.push_back(std::exchange(row_, {}));
    return;
  }
  const std::size_t space = row_.rfind(' ');
  if (space == std::string::npos || space == 0) {
    rows.push_back(std::exchange(row_, std::string(shown)));
    return;
  }
  rows.push_back(row_.substr(0, space));
  row_ = row_.substr(space + 1) + std::string(shown);
}

std::string TextFlow::rest() const { return row_; }

std::vector<std::string> TextFlow::end() {
  torn_.clear();
  if (row_.empty()) return {};
  return {std::exchange(row_, {})};
}

}  // namespace clever::cli

#include "mcp/internal/last_words.h"

#include "mcp/internal/message.h"

namespace clever::mcp::internal {
namespace {

constexpr int kMostLines = 10;

std::size_t beginning_of_last_lines(std::string_view text) {
  std::size_t at = text.size();
  for (int lines = 0; lines < kMostLines && at != 0; ++lines) {
    const std::size_t end = text.rfind('\n', at - 1);
    if (end == std::string_view::npos) return 0;
    at = end;
  }
  return at == 0 ? 0 : at + 1;
}

}  // namespace

void LastWords::add(std::string_view bytes) {
  if (bytes.size() > kLimit) bytes.remove_prefix(bytes.size() - kLimit);
  text_.append(bytes);
  if (text_.size() > kLimit) text_.erase(0, text_.size() - kLimit);
}

std::string LastWords::lines() const {
  std::string_view text = text_;
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  text.remove_prefix(beginning_of_last_lines(text));
  std::string shown_lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!shown_lines.empty()) shown_lines += '\n';
    shown_lines += shown(line, 400);
  }
  return shown_lines;
}

}  // namespace clever::mcp::internal

#include "config/internal/text.h"

#include <algorithm>

#include "base/redact.h"

namespace clever::config::internal {
namespace {

constexpr std::size_t kStride = 64;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Returns the length of the well-formed sequence at the start of `text`, or 0.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xC0U) != 0x80U) return 0;
  }
  // Overlong, a surrogate, or past the last code point.
  const unsigned second = byte(1);
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0)) return 0;
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90)) return 0;
  return length;
}

std::string escaped(char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(c);
  return std::string("\\u00") + kDigits[value >> 4U] + kDigits[value & 0xFU];
}

}  // namespace

std::optional<std::size_t> first_line_not_utf8(std::string_view text) {
  std::size_t line = 1;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) return line;
    if (text.front() == '\n') ++line;
    text.remove_prefix(length);
  }
  return std::nullopt;
}

bool is_bare_key(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (is_control(c)) {
      result += escaped(c);
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string printable(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(result, is_control, '?');
  return result;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 80;
  const std::string safe = printable(base::redact(text));
  if (safe.size() <= kMost) return "'" + safe + "'";
  std::size_t end = kMost;
  while (end > 0 && is_continuation(safe[end])) --end;
  return "'" + safe.substr(0, end) + "…'";
}

LineIndex::LineIndex(std::string_view text) : text_(text) {
  std::size_t code_points = 0;
  starts_.push_back(0);
  for (std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
       at < text.size(); ++at) {
    if (is_continuation(text[at])) continue;
    if (code_points++ % kStride == 0) marks_.push_back(at);
    if (text[at] == '\n') starts_.push_back(code_points);
  }
}

std::size_t LineIndex::offset(std::size_t line, std::size_t column) const {
  if (line == 0 || line > starts_.size() || column == 0) return text_.size();
  const std::size_t wanted = starts_[line - 1] + column - 1;
  if (wanted / kStride >= marks_.size()) return text_.size();
  std::size_t at = marks_[wanted / kStride];
  for (std::size_t rest = wanted % kStride; rest > 0 && at < text_.size(); --rest) {
    ++at;
    while (at < text_.size() && is_continuation(text_[at])) ++at;
  }
  return at;
}

}  // namespace clever::config::internal

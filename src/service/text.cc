#include "service/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.h"

namespace clever::service {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Range {
  char32_t first;
  char32_t last;
};

// East Asian wide and emoji blocks, as terminals draw them.
constexpr std::array<Range, 10> kWideRanges{{{0x1100, 0x115F},
                                             {0x2E80, 0x303E},
                                             {0x3041, 0xA4CF},
                                             {0xAC00, 0xD7A3},
                                             {0xF900, 0xFAFF},
                                             {0xFE30, 0xFE4F},
                                             {0xFF00, 0xFF60},
                                             {0xFFE0, 0xFFE6},
                                             {0x1F300, 0x1FAFF},
                                             {0x20000, 0x3FFFD}}};

// Combining marks, joiners and variation selectors.
constexpr std::array<Range, 5> kZeroWidth{
    {{0x0300, 0x036F}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}}};

// Characters that reorder or hide what follows, so that a name could pretend to be another.
constexpr std::array<Range, 3> kTreacherous{{{0x200E, 0x200F}, {0x202A, 0x202E}, {0x2066, 0x2069}}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t code_point) noexcept {
  return std::ranges::any_of(ranges, [code_point](const Range& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

bool is_control(char32_t c) noexcept { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

std::size_t column_count(char32_t c) noexcept {
  if (is_control(c) || within(kZeroWidth, c)) return 0;
  return within(kWideRanges, c) ? 2 : 1;
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& at) noexcept {
  const base::CodePoint next = base::decode_utf8(text, at);
  at += next.size;
  return next.value;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c == '\n' || c == '\t' || c == '\r') {
      result.push_back(' ');
    } else {
      base::append_utf8(result, is_control(c) || within(kTreacherous, c) ? kReplacement : c);
    }
  }
  return result;
}

std::size_t columns(std::string_view text) noexcept {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) count += column_count(next_code_point(text, at));
  return count;
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  const std::size_t used = columns(text);
  if (used < width) result.append(width - used, ' ');
  return result;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  if (width == 0 || columns(text) <= width) return {std::string(text)};
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!lines.back().empty() && columns(lines.back()) + 1 + columns(word) > width) {
      lines.emplace_back();
    }
    if (!lines.back().empty()) lines.back().push_back(' ');
    lines.back().append(word);
  }
  return lines;
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t kShown = 64;
  constexpr std::size_t kEnd = 16;
  std::string text;
  if (word.size() <= kShown) {
    text = printable(word);
  } else {
    text =
        printable(word.substr(0, kShown - kEnd)) + "…" + printable(word.substr(word.size() - kEnd));
  }
  return "'" + text + "'";
}

std::string alternatives(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text.append(i + 1 == words.size() ? " or " : ", ");
    text.append(words[i]);
  }
  return text;
}

}  // namespace clever::service

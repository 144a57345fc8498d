#include "engine/internal/invisible_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace clever::engine::internal {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr char32_t kNone = 0;
constexpr char32_t kByteOrderMark = 0xFEFF;
constexpr Range kJoiners{0x200C, 0x200D};

// Variation selectors choose how the character before them is drawn; several in a row can encode
// hidden text.
constexpr std::array kSelectors{Range{0xFE00, 0xFE0F}, Range{0x180B, 0x180D},
                                Range{0xE0100, 0xE01EF}};

constexpr std::array kHidden{
    Range{0x00AD, 0x00AD},   Range{0x034F, 0x034F},   Range{0x061C, 0x061C},
    Range{0x115F, 0x1160},   Range{0x17B4, 0x17B5},   Range{0x180E, 0x180E},
    Range{0x200B, 0x200F},   Range{0x2028, 0x202E},   Range{0x2060, 0x206F},
    Range{0x3164, 0x3164},   Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},
    Range{0xFFF9, 0xFFFB},   Range{0x1D173, 0x1D17A}, Range{0xE0000, 0xE00FF},
    Range{0xE01F0, 0xE0FFF},
};

bool is_in(char32_t c, const Range& range) { return c >= range.first && c <= range.last; }

bool is_hidden(char32_t c) {
  return std::ranges::any_of(kHidden, [c](const Range& range) { return is_in(c, range); });
}

// Decodes the first character; an invalid byte counts as itself.
char32_t first_character(std::string_view text, std::size_t& length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (length == 1 || length > text.size()) {
    length = 1;
    return lead;
  }
  char32_t c = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) {
      length = 1;
      return lead;
    }
    c = (c << 6U) | (byte(i) & 0x3FU);
  }
  return c;
}

bool is_foreign(char32_t c) { return c >= 0x80; }

bool is_selector(char32_t c) {
  return std::ranges::any_of(kSelectors, [c](const Range& range) { return is_in(c, range); });
}

// "1️⃣" is a digit, a selector and a frame.
bool can_be_drawn_otherwise(char32_t c) {
  return (c >= '0' && c <= '9') || c == '#' || c == '*' || (is_foreign(c) && !is_selector(c));
}

}  // namespace

bool hides_text(std::string_view text) {
  char32_t before = kNone;
  bool at_start = true;
  while (!text.empty()) {
    std::size_t length = 1;
    const char32_t c = first_character(text, length);
    text.remove_prefix(length);
    std::size_t unused = 0;
    const char32_t after = text.empty() ? kNone : first_character(text, unused);
    const bool joins = is_in(c, kJoiners) && is_foreign(before) && is_foreign(after);
    const bool marks = c == kByteOrderMark && at_start;
    if (is_hidden(c) && !joins && !marks) return true;
    if (is_selector(c) && !can_be_drawn_otherwise(before)) return true;
    before = c;
    at_start = false;
  }
  return false;
}

}  // namespace clever::engine::internal

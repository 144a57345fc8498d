#include "index/internal/letters.h"

#include <algorithm>
#include <span>

namespace clever::index::internal {
namespace {

struct Span {
  char32_t first;
  char32_t last;
};

constexpr std::array kSigns{
    Span{0x80, 0xA9},       Span{0xAB, 0xB4},     Span{0xB6, 0xB9},       Span{0xBB, 0xBF},
    Span{0xD7, 0xD7},       Span{0xF7, 0xF7},     Span{0x2C2, 0x2DF},     Span{0x37E, 0x37E},
    Span{0x387, 0x387},     Span{0x589, 0x58A},   Span{0x5BE, 0x5C0},     Span{0x60C, 0x60D},
    Span{0x61B, 0x61F},     Span{0x66A, 0x66D},   Span{0x6D4, 0x6D4},     Span{0x964, 0x965},
    Span{0x1680, 0x1680},   Span{0x180E, 0x180E}, Span{0x2000, 0x2BFF},   Span{0x2E00, 0x2FFF},
    Span{0x3000, 0x3004},   Span{0x3008, 0x3020}, Span{0x3030, 0x303F},   Span{0x30FB, 0x30FB},
    Span{0xA4FE, 0xA4FF},   Span{0xD800, 0xF8FF}, Span{0xFB29, 0xFB29},   Span{0xFD3E, 0xFD3F},
    Span{0xFE00, 0xFE6F},   Span{0xFEFF, 0xFF0F}, Span{0xFF1A, 0xFF20},   Span{0xFF3B, 0xFF40},
    Span{0xFF5B, 0xFF65},   Span{0xFFE0, 0xFFFF}, Span{0x1D000, 0x1D3FF}, Span{0x1F000, 0x1FBFF},
    Span{0xE0000, 0x10FFFF}};

constexpr std::array kIdeographs{Span{0xE00, 0xEFF},    Span{0x3040, 0x30FF}, Span{0x3400, 0x4DBF},
                                 Span{0x4E00, 0x9FFF},  Span{0xF900, 0xFAFF}, Span{0xFF66, 0xFF9D},
                                 Span{0x20000, 0x3FFFF}};

bool within(std::span<const Span> spans, char32_t character) {
  const auto after = std::ranges::upper_bound(spans, character, {}, &Span::first);
  return after != spans.begin() && character <= std::prev(after)->last;
}

// Ranges in which upper and lower case alternate.
bool is_even_upper(char32_t c) {
  return (c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177) || (c >= 0x1E00 && c <= 0x1EFF) ||
         (c >= 0x460 && c <= 0x481) || (c >= 0x48A && c <= 0x4BF) || (c >= 0x4D0 && c <= 0x52F);
}
bool is_odd_upper(char32_t c) { return (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E); }

}  // namespace

bool is_letter(char32_t character) noexcept { return !within(kSigns, character); }

bool is_ideograph(char32_t character) noexcept { return within(kIdeographs, character); }

char32_t to_lower(char32_t c) noexcept {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 32;
  if (c == 0x130 || c == 0x131) return 'i';
  if (is_even_upper(c)) return c | 1U;
  if (is_odd_upper(c)) return (c & 1U) != 0 ? c + 1 : c;
  if (c == 0x178) return 0xFF;
  if (c >= 0x391 && c <= 0x3A9) return c + 32;
  if (c >= 0x410 && c <= 0x42F) return c + 32;
  if (c >= 0x400 && c <= 0x40F) return c + 80;
  if (c >= 0x531 && c <= 0x556) return c + 48;
  return c;
}

}  // namespace clever::index::internal

#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace clever::context::internal {

/// The classes that tokenisers distinguish, by Unicode's general categories.
enum class CharacterClass : std::uint8_t {
  kOther,
  kUpper,   // Lu, Lt
  kLower,   // Ll
  kLetter,  // Lm, Lo: without case
  kMark,    // M
  kNumber,  // N
  kSpace,   // White_Space
};

/// The class of every character. Immutable, thread-safe.
class Characters {
 public:
  /// Parses lines "FIRST [LAST] CLASS" in rising order, numbers in hexadecimal, with the classes U,
  /// L, O (letter), M, N, S and A (U and L alternating). Skips invalid lines.
  explicit Characters(std::string_view lines);

  [[nodiscard]] CharacterClass of(char32_t character) const;
  /// The same for a single byte of UTF-8, the common case.
  [[nodiscard]] CharacterClass of_byte(unsigned char byte) const { return plane_[byte]; }

 private:
  struct Range {
    char32_t first = 0;
    char32_t last = 0;
    char kind = 'U';
  };
  void add(const Range& range);

  // Constant after construction.
  std::vector<CharacterClass> plane_;
  std::vector<Range> beyond_;
};

}  // namespace clever::context::internal

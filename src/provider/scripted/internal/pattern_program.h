#pragma once
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::provider::internal {

using ByteSet = std::bitset<256>;

enum class PatternOp : std::uint8_t {
  kBytes,      // one byte of sets[x]
  kSplit,      // go on at x, and with lower priority at y
  kJump,       // go on at x
  kSave,       // note the place in slot x
  kLineStart,  // ^
  kLineEnd,    // $
  kWordEdge,   // \b
  kMatch,
};

struct PatternInstruction {
  PatternOp op = PatternOp::kMatch;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

/// What a pattern is compiled to: instructions for a machine that walks through the text once, with
/// as many threads as there are instructions at most. Slots 2n and 2n+1 are the ends of group n.
struct PatternProgram {
  std::vector<ByteSet> sets{};
  std::vector<PatternInstruction> code{};
  std::size_t groups = 0;

  [[nodiscard]] std::size_t slots() const noexcept { return 2 * (groups + 1); }
};

inline constexpr std::size_t kMostPatternBytes = 1000;
inline constexpr std::size_t kMostPatternInstructions = 5000;
inline constexpr std::size_t kMostPatternGroups = 20;
inline constexpr std::size_t kMostPatternDepth = 50;
inline constexpr std::size_t kMostPatternRepeats = 1000;

[[nodiscard]] base::Result<PatternProgram> compile_pattern(std::string_view text);

}  // namespace clever::provider::internal

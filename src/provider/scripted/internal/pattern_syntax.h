#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "provider/scripted/internal/pattern_program.h"

namespace clever::provider::internal {

enum class PatternNodeKind : std::uint8_t {
  kBytes,
  kAnyOf,     // alternatives
  kSequence,  // one after another
  kRepeat,    // the one part, least to most times
  kGroup,     // the one part, captured
  kLineStart,
  kLineEnd,
  kWordEdge,
};

/// A pattern as it is written. The depth is bounded by kMostPatternDepth.
struct PatternNode {
  PatternNodeKind kind = PatternNodeKind::kSequence;
  ByteSet bytes{};
  std::vector<PatternNode> parts{};
  std::size_t least = 0;
  std::size_t most = 0;  // kNoEnd: as often as there is text
  bool lazy = false;
  std::size_t group = 0;

  static constexpr std::size_t kNoEnd = SIZE_MAX;
};

struct PatternTree {
  PatternNode root{};
  std::size_t groups = 0;
};

[[nodiscard]] base::Result<PatternTree> parse_pattern(std::string_view text);

}  // namespace clever::provider::internal

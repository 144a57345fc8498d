#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "context/tokens/internal/vocabulary.h"

namespace clever::context::internal {

/// The tokens of one piece: repeatedly joins the two neighbours that form the token of the lowest
/// rank, the first pair if there are several. Uses a queue: O(n log n).
[[nodiscard]] std::vector<std::uint32_t> merge_by_queue(const Vocabulary& vocabulary,
                                                        std::string_view piece);

/// The same by comparing all neighbours each time: faster for a few bytes.
[[nodiscard]] std::vector<std::uint32_t> merge_by_looking(const Vocabulary& vocabulary,
                                                          std::string_view piece);

/// Longer pieces are cut here, which may yield a token or two more than the tokeniser.
inline constexpr std::size_t kLongestPiece = std::size_t{32} << 10U;

/// Tokenises pieces one after another, each in the faster way. Keeps its memory, so that a text
/// costs no allocation per piece. For one thread.
class BytePairs {
 public:
  explicit BytePairs(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  void append_tokens(std::string_view piece, std::vector<std::uint32_t>& tokens);
  [[nodiscard]] std::size_t count(std::string_view piece);

  /// Where the parts begin that merge_by_looking leaves, and where the last one ends.
  [[nodiscard]] const std::vector<std::uint32_t>& looked_at(std::string_view piece);

 private:
  [[nodiscard]] std::uint32_t pair_rank(std::string_view piece, std::size_t part) const;

  const Vocabulary& vocabulary_;
  std::vector<std::uint32_t> begins_;
  // The rank of each part joined with the next one.
  std::vector<std::uint32_t> ranks_;
};

/// Counts the tokens of one text's pieces. A text repeats its words, so recent counts are cached;
/// the text must outlive it. For one thread.
class PieceCounts {
 public:
  explicit PieceCounts(const Vocabulary& vocabulary) : pairs_(vocabulary) {}

  [[nodiscard]] std::size_t of(std::string_view piece);

 private:
  static constexpr std::size_t kRemembered = 512;
  struct Counted {
    std::string_view piece{};
    std::size_t tokens = 0;
  };

  BytePairs pairs_;
  std::array<Counted, kRemembered> known_{};
};

}  // namespace clever::context::internal

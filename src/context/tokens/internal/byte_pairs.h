#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "context/tokens/internal/vocabulary.h"

namespace clever::context::internal {

/// The tokens of one piece: again and again the two neighbours that make the token of the lowest
/// rank are put together, the first of them if there are several. By a queue: time grows with the
/// piece's length and the logarithm of it.
[[nodiscard]] std::vector<std::uint32_t> merge_by_queue(const Vocabulary& vocabulary,
                                                        std::string_view piece);

/// The same by looking at all neighbours each time: faster for a few bytes.
[[nodiscard]] std::vector<std::uint32_t> merge_by_looking(const Vocabulary& vocabulary,
                                                          std::string_view piece);

/// A piece longer than this is cut there, which may make a token or two more of it than the
/// tokeniser would.
inline constexpr std::size_t kLongestPiece = std::size_t{32} << 10U;

/// The tokens of one piece after another, each by whichever way is faster. Keeps its room between
/// pieces, so that a text costs no memory per piece. For one thread.
class BytePairs {
 public:
  explicit BytePairs(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  void append_tokens(std::string_view piece, std::vector<std::uint32_t>& tokens);
  [[nodiscard]] std::size_t count(std::string_view piece);

  /// Where the parts begin that looking at all neighbours leaves, and where the last one ends.
  [[nodiscard]] const std::vector<std::uint32_t>& looked_at(std::string_view piece);

 private:
  [[nodiscard]] std::uint32_t pair_rank(std::string_view piece, std::size_t part) const;

  const Vocabulary& vocabulary_;
  std::vector<std::uint32_t> begins_;
  // Of each part together with the next one.
  std::vector<std::uint32_t> ranks_;
};

/// How many tokens the pieces of one text have. A text repeats its words, so what was counted last
/// is remembered; the text must live as long as this. For one thread.
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

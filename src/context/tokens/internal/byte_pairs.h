#pragma once
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

/// Whichever is faster. A piece longer than kLongestPiece is cut there, which may make a token or
/// two more of it than the tokeniser would.
inline constexpr std::size_t kLongestPiece = std::size_t{32} << 10U;
void append_tokens(const Vocabulary& vocabulary, std::string_view piece,
                   std::vector<std::uint32_t>& tokens);

}  // namespace clever::context::internal

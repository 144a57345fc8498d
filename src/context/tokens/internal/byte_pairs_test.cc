#include "context/tokens/internal/byte_pairs.h"

#include <gtest/gtest.h>

#include <string>

#include "context/tokens/internal/token_data.h"

namespace clever::context::internal {
namespace {

std::string joined(const std::vector<std::uint32_t>& tokens) {
  std::string text;
  for (const std::uint32_t token : tokens) text += std::to_string(token) + " ";
  return text;
}

TEST(BytePairs, BothWaysMakeTheSameTokens) {
  const Vocabulary vocabulary = Vocabulary::unpack(cl100k_data()).value();
  std::uint32_t state = 1;
  for (int round = 0; round < 300; ++round) {
    std::string piece;
    const std::uint32_t letters = 1 + (state >> 28U);
    for (int i = 0; i < 1 + round; ++i) {
      state = state * 1664525U + 1013904223U;
      piece += static_cast<char>('a' + (state >> 16U) % letters);
    }
    EXPECT_EQ(joined(merge_by_queue(vocabulary, piece)),
              joined(merge_by_looking(vocabulary, piece)))
        << piece;
  }
}

TEST(PieceCounts, CountAsManyAsThereAreTokens) {
  const Vocabulary vocabulary = Vocabulary::unpack(cl100k_data()).value();
  // Many share a length and a beginning, and so a place.
  std::vector<std::string> pieces;
  for (int i = 0; i < 3000; ++i) pieces.push_back("beginning" + std::to_string(i * 7919 % 4000));
  pieces.push_back(std::string(kLongestPiece + 10, 'x'));
  BytePairs pairs(vocabulary);
  PieceCounts counts(vocabulary);
  for (int round = 0; round < 2; ++round) {
    for (const std::string& piece : pieces) {
      std::vector<std::uint32_t> tokens;
      pairs.append_tokens(piece, tokens);
      ASSERT_EQ(counts.of(piece), tokens.size()) << piece;
    }
  }
}

TEST(BytePairs, TakesEveryByte) {
  const Vocabulary vocabulary = Vocabulary::unpack(cl100k_data()).value();
  std::string piece;
  for (int i = 0; i < 256; ++i) piece += static_cast<char>(i);
  for (const std::uint32_t token : merge_by_queue(vocabulary, piece)) {
    EXPECT_NE(token, Vocabulary::kNone);
  }
}

TEST(Vocabulary, KnowsItsTokens) {
  const Vocabulary cl100k = Vocabulary::unpack(cl100k_data()).value();
  EXPECT_EQ(cl100k.size(), 100'256U);
  EXPECT_EQ(cl100k.rank("!"), 0U);
  EXPECT_EQ(cl100k.rank("hello"), 15339U);
  EXPECT_EQ(cl100k.rank("hellohellohello"), Vocabulary::kNone);
  EXPECT_EQ(cl100k.rank(std::string(1000, ' ')), Vocabulary::kNone);
  EXPECT_EQ(cl100k.rank(""), Vocabulary::kNone);
  EXPECT_EQ(Vocabulary::unpack(o200k_data()).value().size(), 199'998U);
}

TEST(Vocabulary, RefusesAnInvalidTable) {
  const std::string good(cl100k_data());
  for (const std::string& bad :
       {std::string(), good.substr(0, 7), good.substr(0, good.size() / 2),
        std::string("\x01") + good.substr(1), good.substr(0, 8) + "nonsense"}) {
    EXPECT_EQ(Vocabulary::unpack(bad).error().code(), base::ErrorCode::kCorruption);
  }
}

}  // namespace
}  // namespace clever::context::internal

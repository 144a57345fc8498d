#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "diff/text_diff.h"

namespace clever::diff {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string side(const std::vector<WordPiece>& pieces, LineKind without) {
  std::string text;
  for (const WordPiece& piece : pieces) {
    if (piece.kind != without) text += piece.text;
  }
  return text;
}

TEST(Words, OnlyTheChangedWordDiffers) {
  EXPECT_THAT(
      words_of("return first_name;\n", "return last_name;\n"),
      ElementsAre(WordPiece{LineKind::kContext, "return "},
                  WordPiece{LineKind::kRemoved, "first_name"},
                  WordPiece{LineKind::kAdded, "last_name"}, WordPiece{LineKind::kContext, ";\n"}));
}

TEST(Words, PunctuationStandsForItself) {
  EXPECT_THAT(words_of("f(a);", "f(a));"),
              ElementsAre(WordPiece{LineKind::kContext, "f(a)"}, WordPiece{LineKind::kAdded, ")"},
                          WordPiece{LineKind::kContext, ";"}));
}

TEST(Words, BytesAboveAsciiBelongToWords) {
  EXPECT_THAT(words_of("größe", "große"), ElementsAre(WordPiece{LineKind::kRemoved, "größe"},
                                                      WordPiece{LineKind::kAdded, "große"}));
}

TEST(Words, OfNothingAreNone) { EXPECT_THAT(words_of("", ""), IsEmpty()); }

TEST(Words, JoinToBothTexts) {
  EXPECT_TRUE(rc::check([](const std::string& one, const std::string& other) {
    const std::string before = one + " " + other;
    const std::string after = other + "\n" + one;
    const auto pieces = words_of(before, after);
    RC_ASSERT(side(pieces, LineKind::kAdded) == before);
    RC_ASSERT(side(pieces, LineKind::kRemoved) == after);
  }));
}

TEST(Words, NeighboursAreOfDifferentKinds) {
  EXPECT_TRUE(rc::check([](const std::string& before, const std::string& after) {
    const auto pieces = words_of(before, after);
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      RC_ASSERT(pieces[i - 1].kind != pieces[i].kind);
      RC_ASSERT(!pieces[i].text.empty());
    }
  }));
}

}  // namespace
}  // namespace clever::diff

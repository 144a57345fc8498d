#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::base {
namespace {

using testing::ElementsAre;

TEST(Text, CaseChangesAsciiLettersOnly) {
  EXPECT_EQ(lower_case("ÄBC-Z09"), "Äbc-z09");
  EXPECT_EQ(upper_case("äbc-z09"), "äBC-Z09");
}

TEST(Text, TrimsBothEnds) {
  EXPECT_EQ(trimmed(" \t a b\n"), "a b");
  EXPECT_EQ(trimmed("--a-b-", "-"), "a-b");
  EXPECT_EQ(trimmed(" \n"), "");
}

TEST(Text, IsBlankWithoutAnyOtherCharacter) {
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank(" \t\r\n\f\v"));
  EXPECT_FALSE(is_blank(" x "));
}

TEST(Text, JoinsWithASeparatorBetween) {
  const std::vector<std::string> words = {"a", "b", "c"};
  EXPECT_EQ(joined(words), "a, b, c");
  EXPECT_EQ(joined(words, "|"), "a|b|c");
  EXPECT_EQ(joined(std::vector<std::string_view>{"", ""}, ";"), ";");
  EXPECT_EQ(joined(std::vector<std::string>()), "");
}

TEST(Text, SplitsIntoOneMorePieceThanSeparators) {
  EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

}  // namespace
}  // namespace clever::base

#include "base/nearest.h"

#include <gtest/gtest.h>

namespace clever::base {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("config", "confg"), 1U);
}

TEST(EditDistance, CountsASwapOfNeighboursOnce) {
  EXPECT_EQ(edit_distance("plna", "plan"), 1U);
  EXPECT_EQ(edit_distance("ab", "ba"), 1U);
}

TEST(EditDistance, IgnoresCase) { EXPECT_EQ(edit_distance("JSON", "json"), 0U); }

TEST(EditDistance, IsSymmetric) {
  for (const char* left : {"model.default", "log.level", "x", ""}) {
    for (const char* right : {"model.defualt", "log.file", "yx", "model"}) {
      EXPECT_EQ(edit_distance(left, right), edit_distance(right, left));
    }
  }
}

TEST(EditDistance, GivesUpOnWordsTooLongToBeTyped) {
  EXPECT_EQ(edit_distance(std::string(300, 'a'), std::string(299, 'a')), 300U);
}

TEST(NearestMatch, FindsTheTypedWord) {
  EXPECT_EQ(nearest_match("verison", {"run", "version", "config"}), "version");
  EXPECT_EQ(nearest_match("output.fromat", {"output.color", "output.format"}), "output.format");
}

TEST(NearestMatch, PrefersTheNearerOne) {
  EXPECT_EQ(nearest_match("plans", {"plant", "plan", "plans"}), "plans");
}

TEST(NearestMatch, TakesTheFirstOfEquals) {
  EXPECT_EQ(nearest_match("cat", {"bat", "hat"}), "bat");
}

TEST(NearestMatch, SuggestsNothingForSomethingElse) {
  EXPECT_EQ(nearest_match("banana", {"run", "version", "config"}), std::nullopt);
  EXPECT_EQ(nearest_match("", {"run"}), std::nullopt);
  EXPECT_EQ(nearest_match("run", {}), std::nullopt);
}

TEST(NearestMatch, DoesNotReplaceAOneLetterWordByAnother) {
  EXPECT_EQ(nearest_match("x", {"y"}), std::nullopt);
}

}  // namespace
}  // namespace clever::base

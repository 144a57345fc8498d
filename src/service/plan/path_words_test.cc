#include "service/plan/path_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::service {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PathWords, AreAsPeopleAndTerminalsWriteThem) {
  EXPECT_THAT(path_words("look at a.png, please"), ElementsAre("look", "at", "a.png", "please"));
  EXPECT_THAT(path_words("'/tmp/my picture.png'"), ElementsAre("/tmp/my picture.png"));
  EXPECT_THAT(path_words("see \"my picture.png\", then"),
              ElementsAre("see", "my picture.png", "then"));
}

TEST(PathWords, KeepEscapedBlanks) {
  EXPECT_THAT(path_words("/tmp/my\\ picture\\ \\(1\\).png "),
              ElementsAre("/tmp/my picture (1).png"));
  EXPECT_THAT(path_words("a\\"), ElementsAre("a\\"));
}

TEST(PathWords, MayBeUrlsAndMentions) {
  EXPECT_THAT(path_words("file:///tmp/my%20picture.png"), ElementsAre("/tmp/my picture.png"));
  EXPECT_THAT(path_words("file://localhost/a.png (@b.png)"), ElementsAre("/a.png", "b.png"));
  EXPECT_THAT(path_words("@'my picture.png'"), ElementsAre("my picture.png"));
  EXPECT_THAT(path_words("file:///50%"), ElementsAre("/50%"));
}

TEST(PathWords, AreNotConfusedByApostrophes) {
  EXPECT_THAT(path_words("don't use Ada's a.png."), ElementsAre("don't", "use", "Ada's", "a.png"));
  EXPECT_THAT(path_words("'twas a.png"), ElementsAre("twas", "a.png"));
  EXPECT_THAT(path_words(" \n\t"), IsEmpty());
  EXPECT_THAT(path_words("a.png\nb.png"), ElementsAre("a.png", "b.png"));
}

}  // namespace
}  // namespace clever::service

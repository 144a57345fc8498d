#include "git/path_patterns.h"

#include <gtest/gtest.h>

namespace clever::git {
namespace {

void check(const std::vector<std::string>& patterns, std::string_view file, bool expected) {
  EXPECT_EQ(PathPatterns(patterns).match(file), expected) << file;
}

TEST(PathPatterns, MeanFilesByName) {
  check({"*.md"}, "a.md", true);
  check({"*.md"}, "deep/down/a.md", true);
  check({"*.md"}, "a.mdx", false);
}

TEST(PathPatterns, MeanWhateverLiesInAFolder) {
  check({"src/"}, "src/a/b.cc", true);
  check({"src/"}, "lib/src/b.cc", true);
  check({"/src/"}, "lib/src/b.cc", false);
  check({"src/"}, "src", false);
}

TEST(PathPatterns, TheLaterOneWins) {
  check({"*.md", "!keep.md"}, "keep.md", false);
  check({"!keep.md", "*.md"}, "keep.md", true);
}

TEST(PathPatterns, NoneMeanNothing) {
  check({}, "a", false);
  EXPECT_TRUE(PathPatterns().empty());
  EXPECT_FALSE(PathPatterns({"a"}).empty());
}

}  // namespace
}  // namespace clever::git

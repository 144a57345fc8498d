#include "git/path_patterns.h"

#include <gtest/gtest.h>

namespace clever::git {
namespace {

void check_match(const std::vector<std::string>& patterns, std::string_view file, bool expected) {
  EXPECT_EQ(PathPatterns(patterns).match(file), expected) << file;
}

TEST(PathPatterns, MeanFilesByName) {
  check_match({"*.md"}, "a.md", true);
  check_match({"*.md"}, "deep/down/a.md", true);
  check_match({"*.md"}, "a.mdx", false);
}

TEST(PathPatterns, MeanWhateverLiesInAFolder) {
  check_match({"src/"}, "src/a/b.cc", true);
  check_match({"src/"}, "lib/src/b.cc", true);
  check_match({"/src/"}, "lib/src/b.cc", false);
  check_match({"src/"}, "src", false);
}

TEST(PathPatterns, TheLaterOneWins) {
  check_match({"*.md", "!keep.md"}, "keep.md", false);
  check_match({"!keep.md", "*.md"}, "keep.md", true);
}

TEST(PathPatterns, NoneMeanNothing) {
  check_match({}, "a", false);
  EXPECT_TRUE(PathPatterns().empty());
  EXPECT_FALSE(PathPatterns({"a"}).empty());
}

}  // namespace
}  // namespace clever::git

#include "confine/internal/patterns.h"

#include <gtest/gtest.h>

namespace clever::confine::internal {
namespace {

TEST(Glob, Matches) {
  const std::vector<std::pair<const char*, const char*>> cases = {{"a", "a"},
                                                                  {"*", "a"},
                                                                  {"*", ""},
                                                                  {"a*", "abc"},
                                                                  {"*c", "abc"},
                                                                  {"a*c", "abbc"},
                                                                  {"a*b*c", "axbxbc"},
                                                                  {"?b", "ab"},
                                                                  {"[a-c]x", "bx"},
                                                                  {"[!a]x", "bx"},
                                                                  {"[^a]x", "bx"},
                                                                  {"[]]", "]"},
                                                                  {"[", "["},
                                                                  {"[a", "[a"},
                                                                  {"\\*", "*"},
                                                                  {"a/b", "a/b"},
                                                                  {"a/*", "a/b"},
                                                                  {"**/x", "x"},
                                                                  {"**/x", "a/b/x"},
                                                                  {"a/**", "a/b/c"},
                                                                  {"a/**/b", "a/b"},
                                                                  {"a/**/b", "a/x/y/b"},
                                                                  {"**/a/**/b", "x/a/y/b"},
                                                                  {"\\a", "a"},
                                                                  {"[a-]", "-"},
                                                                  {"***", "a"}};
  for (const auto& [glob, text] : cases)
    EXPECT_TRUE(glob_matches(glob, text)) << glob << " " << text;
}

TEST(Glob, DoesNotMatch) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"a", "b"},      {"a", ""},      {"", "a"},          {"*", "a/b"},  {"a*c", "ab"},
      {"?", "ab"},     {"?", ""},      {"[a-c]", "d"},     {"[!a]", "a"}, {"\\*", "a"},
      {"a/**", "b/c"}, {"**/x", "xy"}, {"a/**/b", "a/bx"}, {"a/b", "a"},  {"a", "a/b"}};
  for (const auto& [glob, text] : cases) {
    EXPECT_FALSE(glob_matches(glob, text)) << glob << " " << text;
  }
}

TEST(Glob, TakesNoTimeForManyStars) {
  std::string glob;
  for (int i = 0; i < 200; ++i) glob += "*a";
  EXPECT_FALSE(glob_matches(glob + "b", std::string(2000, 'a')));
}

bool matches(std::string_view patterns, std::string_view path, bool is_folder = false) {
  return Patterns::parse(patterns).match(path, is_folder).matches;
}

TEST(Patterns, ANameMatchesAnywhere) {
  EXPECT_TRUE(matches("build", "build", true));
  EXPECT_TRUE(matches("build", "a/b/build", true));
  EXPECT_FALSE(matches("build", "a/build/b"));
}

TEST(Patterns, ASlashAnchors) {
  EXPECT_TRUE(matches("/build", "build"));
  EXPECT_FALSE(matches("/build", "a/build"));
  EXPECT_TRUE(matches("a/build", "a/build"));
  EXPECT_FALSE(matches("a/build", "x/a/build"));
}

TEST(Patterns, ASlashAtTheEndMeansFolders) {
  EXPECT_TRUE(matches("build/", "build", true));
  EXPECT_FALSE(matches("build/", "build", false));
}

TEST(Patterns, TheLastOneDecides) {
  EXPECT_FALSE(matches("*.log\n!keep.log\n", "keep.log"));
  EXPECT_TRUE(matches("*.log\n!keep.log\nkeep.log", "keep.log"));
}

TEST(Patterns, CommentsAndBlanksAreLeftOut) {
  EXPECT_FALSE(matches("# a\n\n  \r\n/\n", "a"));
  EXPECT_TRUE(matches("a  \r\n", "a"));
}

TEST(Patterns, KnowsWhetherTheNameItselfStandsThere) {
  EXPECT_TRUE(Patterns::parse("x/.env").match("x/.env", false).by_name);
  EXPECT_FALSE(Patterns::parse("*").match(".env", false).by_name);
  EXPECT_FALSE(Patterns::parse(".e*").match(".env", false).by_name);
}

}  // namespace
}  // namespace clever::confine::internal

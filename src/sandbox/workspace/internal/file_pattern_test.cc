#include "sandbox/workspace/internal/file_pattern.h"

#include <gtest/gtest.h>

#include <string>

namespace clever::sandbox::internal {
namespace {

bool match(std::string_view pattern, std::string_view path) {
  return FilePattern::parse(pattern).value().matches(path);
}

TEST(FilePattern, EmptyMeansEverything) {
  EXPECT_TRUE(match("", "a"));
  EXPECT_TRUE(match("", "a/b/c"));
  EXPECT_TRUE(match("/", "a/b/c"));
  EXPECT_TRUE(match("//", "a"));
}

TEST(FilePattern, WithoutASlashItMeansTheNameAnywhere) {
  EXPECT_TRUE(match("*.cc", "a.cc"));
  EXPECT_TRUE(match("*.cc", "src/deep/a.cc"));
  EXPECT_FALSE(match("*.cc", "a.h"));
  EXPECT_FALSE(match("*.cc", "a.cc/b"));
}

TEST(FilePattern, WithASlashItIsSeenFromTheRoot) {
  EXPECT_TRUE(match("src/*.cc", "src/a.cc"));
  EXPECT_FALSE(match("src/*.cc", "src/deep/a.cc"));
  EXPECT_FALSE(match("src/*.cc", "other/src/a.cc"));
  EXPECT_TRUE(match("/a", "a"));
  EXPECT_FALSE(match("/a", "b/a"));
  EXPECT_TRUE(match("./src/a", "src/a"));
}

TEST(FilePattern, TwoStarsGoOverFolders) {
  EXPECT_TRUE(match("src/**/a.cc", "src/a.cc"));
  EXPECT_TRUE(match("src/**/a.cc", "src/x/y/a.cc"));
  EXPECT_FALSE(match("src/**/a.cc", "lib/a.cc"));
  EXPECT_TRUE(match("src/**", "src/x"));
  EXPECT_TRUE(match("src/**", "src/x/y"));
  EXPECT_FALSE(match("src/**", "srcs/x"));
  EXPECT_TRUE(match("**", "a/b"));
  EXPECT_TRUE(match("**/b/**/d", "a/b/c/c/d"));
  EXPECT_FALSE(match("**/b/**/d", "a/c/d"));
}

TEST(FilePattern, ASlashAtTheEndMeansEverythingBelow) {
  EXPECT_TRUE(match("src/", "src/a/b"));
  EXPECT_TRUE(match("src/", "lib/src/a"));
  EXPECT_TRUE(match("a/src/", "a/src/b"));
  EXPECT_FALSE(match("a/src/", "b/a/src/b"));
}

TEST(FilePattern, AStarStaysInItsName) {
  EXPECT_TRUE(match("a*c/d", "abbc/d"));
  EXPECT_FALSE(match("a*d", "ab/cd"));
  EXPECT_TRUE(match("*a*b*", "xaybz"));
  EXPECT_FALSE(match("*a*b*", "xbya"));
}

TEST(FilePattern, AQuestionMarkIsOneCharacter) {
  EXPECT_TRUE(match("a?c", "abc"));
  EXPECT_TRUE(match("a?c",
                    "a\xC3\xA4"
                    "c"));
  EXPECT_FALSE(match("a?c", "ac"));
  EXPECT_TRUE(match("a?c",
                    "a\xFF"
                    "c"));
}

TEST(FilePattern, BracketsAreOneOfThese) {
  EXPECT_TRUE(match("[a-c]x", "bx"));
  EXPECT_FALSE(match("[a-c]x", "dx"));
  EXPECT_TRUE(match("[!a-c]x", "dx"));
  EXPECT_TRUE(match("[^a-c]x", "dx"));
  EXPECT_FALSE(match("[!a-c]x", "ax"));
  EXPECT_TRUE(match("[]]", "]"));
  EXPECT_TRUE(match("[a-]", "-"));
  EXPECT_TRUE(match("[\\a]", "a"));
  EXPECT_TRUE(match("[\xC3\xA4]", "\xC3\xA4"));
  EXPECT_TRUE(match("[\xFF]", "\xFF"));
}

TEST(FilePattern, BracesAreAlternatives) {
  EXPECT_TRUE(match("*.{cc,h}", "a.h"));
  EXPECT_FALSE(match("*.{cc,h}", "a.c"));
  EXPECT_TRUE(match("{src,test}/{a,{b,c}}", "test/c"));
  EXPECT_TRUE(match("a{,.bak}", "a"));
  EXPECT_TRUE(match("{src/*,x}", "src/y"));
}

TEST(FilePattern, ABackslashTakesTheMeaningAway) {
  EXPECT_TRUE(match("a\\*", "a*"));
  EXPECT_FALSE(match("a\\*", "ab"));
  EXPECT_TRUE(match("\\{a\\}", "{a}"));
  EXPECT_TRUE(match("a\\[", "a["));
  EXPECT_TRUE(match("a\\", "a\\"));
}

TEST(FilePattern, WhatIsNotClosedIsRefused) {
  EXPECT_EQ(FilePattern::parse("{a,b").error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(FilePattern::parse("[ab").error().code(), base::ErrorCode::kInvalidArgument);
}

TEST(FilePattern, TooManyAlternativesAreRefused) {
  EXPECT_FALSE(FilePattern::parse("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}").ok());
}

TEST(FilePattern, ManyStarsTakeNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(match(pattern + "b", std::string(250, 'a')));
}

TEST(FilePattern, FoldersThatCannotHoldAMatchAreKnown) {
  const FilePattern glob = FilePattern::parse("src/*/x").value();
  EXPECT_TRUE(glob.may_match_below("src"));
  EXPECT_TRUE(glob.may_match_below("src/a"));
  EXPECT_FALSE(glob.may_match_below("src/a/x"));
  EXPECT_FALSE(glob.may_match_below("lib"));
  EXPECT_TRUE(FilePattern::parse("*.cc").value().may_match_below("any/thing"));
  EXPECT_TRUE(FilePattern::parse("").value().may_match_below("any"));
}

}  // namespace
}  // namespace clever::sandbox::internal

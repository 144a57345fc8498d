#include "base/glob.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace clever::base {
namespace {

constexpr Glob::Syntax kPaths{};
constexpr Glob::Syntax kNames{.names = false};
constexpr Glob::Syntax kCharacters{.characters = true};
constexpr Glob::Syntax kRules{.sets = false, .loose = true};
constexpr Glob::Syntax kTexts{.names = false, .sets = false};

struct Row {
  Glob::Syntax syntax;
  std::string_view pattern;
  std::vector<std::string_view> matching;
  std::vector<std::string_view> others;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = {
      {kPaths, "", {""}, {"a"}},
      {kPaths, "a/b", {"a/b"}, {"a", "a/bc", "xa/b"}},
      {kPaths, "*", {"", "a"}, {"a/b"}},
      {kPaths, "***", {"a", "a/b"}, {}},
      {kPaths, "a*b*c", {"abc", "axbxbc"}, {"ab", "axb/c"}},
      {kPaths, "a?b", {"axb"}, {"a/b", "ab", "axxb"}},
      {kPaths, "a**b", {"axb"}, {"a/b"}},
      {kPaths, "**/b", {"b", "x/b", "x/y/b"}, {"xb", "b/x"}},
      {kPaths, "**/*.h", {"a.h", "x/y/a.h"}, {"a.h/x"}},
      {kPaths, "a/**", {"a/x", "a/x/y"}, {"a", "b/c", "ab/c"}},
      {kPaths, "a/**/b", {"a/b", "a/x/y/b"}, {"a/bx", "ab"}},
      {kPaths, "**/a/**/b", {"a/b", "x/a/y/b"}, {"x/b"}},
      {kPaths, "a[!x-z]?", {"abc"}, {"axc", "a/c"}},
      {kPaths, "a[^x-z]c", {"abc"}, {"ayc"}},
      {kPaths, "a[/]b", {}, {"a/b"}},
      {kPaths, "[]a]", {"]", "a"}, {"b"}},
      {kPaths, "[a-]", {"a", "-"}, {"b"}},
      {kPaths, "[\\]]x", {"]x"}, {"\\]x"}},
      {kPaths, "[[:digit:][:upper:]]*", {"7", "Q."}, {"7/", "q"}},
      {kPaths, "[[:x]", {":", "[", "x"}, {"y"}},
      {kPaths, "\\*a", {"*a"}, {"ba"}},
      {kNames, "a*b", {"a/b", "ab"}, {"a/c"}},
      {kNames, "*.o", {".o", "x/a.o"}, {"a.oo"}},
      {kNames, "[!a]", {"/", "b"}, {"a"}},
      {kCharacters,
       "a?c",
       {"abc", "a\u00e4c",
        "a\xff"
        "c"},
       {"ac", "a/c"}},
      {kCharacters, "[\u00e0-\u00ef]", {"\u00e4"}, {"e", "\xc3"}},
      {kCharacters, "[!a]", {"\u00e4", "\xff"}, {"a", "\u00e4\u00e4"}},
      {kCharacters, "[\xff]", {"\xff"}, {"\xfe", "\u00ff"}},
      {kCharacters, "\u00e4*\u00e4", {"\u00e4\u00e4", "\u00e4x\u00e4"}, {"\u00e4"}},
      {kRules, "docs/**", {"docs/a", "docs/a/b"}, {"docs", "doc/a"}},
      {kRules, "**/*secret*", {"secret", "a/b/my_secrets"}, {"secret/x"}},
      {kRules, "a**b", {"ab", "a/b"}, {"a/c"}},
      {kRules, "***/x", {"a/x", "/x"}, {"x"}},
      {kRules, "[a]\\", {"[a]\\"}, {"a"}},
      {kTexts, "git * --f?rce", {"git push --force", "git a/b --farce"}, {"git --force"}},
      {kTexts, "**a", {"a", "x/a"}, {"ab"}},
  };
  return kRows;
}

TEST(Glob, MatchesWhatTheTableSays) {
  for (const Row& row : rows()) {
    const Glob glob(row.pattern, row.syntax);
    EXPECT_TRUE(glob.is_valid()) << row.pattern;
    for (const std::string_view text : row.matching) {
      EXPECT_TRUE(glob.matches(text)) << row.pattern << " " << text;
    }
    for (const std::string_view text : row.others) {
      EXPECT_FALSE(glob.matches(text)) << row.pattern << " " << text;
    }
  }
}

TEST(Glob, APrefixOfAMatchMayContinue) {
  for (const Row& row : rows()) {
    const Glob glob(row.pattern, row.syntax);
    for (const std::string_view text : row.matching) {
      for (std::size_t size = 0; size < text.size(); ++size) {
        const bool cut = row.syntax.characters && (text[size] & 0xC0) == 0x80;
        EXPECT_TRUE(cut || glob.may_continue(text.substr(0, size))) << row.pattern << " " << text;
      }
    }
  }
}

TEST(Glob, WhatCannotContinueIsKnown) {
  const Glob glob("src/*/x", {});
  EXPECT_TRUE(glob.may_continue("sr"));
  EXPECT_TRUE(glob.may_continue("src/a/"));
  EXPECT_FALSE(glob.may_continue("src/a/x"));
  EXPECT_FALSE(glob.may_continue("src/a/y"));
  EXPECT_FALSE(glob.may_continue("lib"));
  EXPECT_FALSE(Glob("a", {}).may_continue("a"));
  EXPECT_FALSE(Glob("[a", {}).may_continue(""));
}

TEST(Glob, AnUnfinishedPatternMatchesNothing) {
  for (const std::string_view pattern :
       {"[abc", "[[:alpha", "[a-\\", "a\\", "[", "[[:nonsense:]]"}) {
    const Glob glob(pattern, {});
    EXPECT_FALSE(glob.is_valid()) << pattern;
    EXPECT_FALSE(glob.matches("a")) << pattern;
    EXPECT_FALSE(glob.matches(pattern)) << pattern;
  }
}

TEST(Glob, EndsSoonWhateverThePattern) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(Glob(pattern + "b", kPaths).matches(std::string(2000, 'a')));
  EXPECT_FALSE(matches_wildcards(pattern + "b", std::string(2000, 'a')));
}

TEST(Glob, AgreesWithWildcards) {
  SeededRandom random(3);
  const auto text = [&](std::string_view letters) {
    std::string made;
    for (std::uint64_t size = random.below(8); size > 0; --size) {
      made += letters[random.below(letters.size())];
    }
    return made;
  };
  std::size_t matching = 0;
  for (int i = 0; i < 5'000; ++i) {
    const std::string pattern = text("ab/**?");
    const std::string subject = text("ab/");
    const bool matches = matches_wildcards(pattern, subject);
    matching += matches ? 1 : 0;
    ASSERT_EQ(Glob(pattern, kTexts).matches(subject), matches) << pattern << " " << subject;
  }
  EXPECT_GT(matching, 200U);
}

TEST(Wildcards, StopWhenTheirStepsAreUsedUp) {
  std::size_t steps = 3;
  EXPECT_EQ(matches_wildcards("a*", "aaaa", steps), std::nullopt);
  EXPECT_EQ(steps, 0U);
  steps = 10;
  EXPECT_EQ(matches_wildcards("aaaa", "aaaa", steps), true);
  EXPECT_EQ(steps, 6U);
}

}  // namespace
}  // namespace clever::base

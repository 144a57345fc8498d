#include "provider/scripted/pattern.h"

#include <gtest/gtest.h>

namespace clever::provider {
namespace {

using Groups = std::optional<std::vector<std::string>>;

void check_groups(std::string_view pattern, std::string_view text, const Groups& expected) {
  const auto compiled = Pattern::compile(pattern);
  ASSERT_TRUE(compiled.ok()) << compiled.error().to_string();
  EXPECT_EQ(compiled->search(text), expected) << pattern << " in " << text;
}
constexpr auto kNoMatch = std::nullopt;
Groups groups_of(std::vector<std::string> found = {}) { return found; }

void check_pattern_refused(std::string_view pattern, std::string_view expected) {
  const auto compiled = Pattern::compile(pattern);
  ASSERT_FALSE(compiled.ok()) << pattern;
  EXPECT_NE(compiled.error().message().find(expected), std::string::npos)
      << compiled.error().message();
}

TEST(Pattern, LiteralsAreFoundAnywhere) {
  check_groups("ell", "hello", groups_of());
  check_groups("elk", "hello", kNoMatch);
  check_groups("", "", groups_of());
  check_groups("a\\.b", "a.b", groups_of());
  check_groups("a\\.b", "axb", kNoMatch);
}

TEST(Pattern, GroupsAreCaptured) {
  check_groups("name is (\\w+)", "my name is Ada Lovelace", groups_of({"Ada"}));
  check_groups("(a)|(b)", "b", groups_of({"", "b"}));
  check_groups("(?:x(y))+", "xyxy", groups_of({"y"}));
}

TEST(Pattern, GreedyAndLazy) {
  check_groups("<(.*)>", "<a><b>", groups_of({"a><b"}));
  check_groups("<(.*?)>", "<a><b>", groups_of({"a"}));
  check_groups("(a+?)(a*)", "aaa", groups_of({"a", "aa"}));
  check_groups(
      "(a?"
      "?)(a?)",
      "a", groups_of({"", "a"}));
}

TEST(Pattern, FirstAlternativeWins) {
  check_groups("(a|ab)(c|bcd)?", "abcd", groups_of({"a", "bcd"}));
  check_groups("(|a)", "a", groups_of({""}));
}

TEST(Pattern, Counts) {
  check_groups("^(a{2,3})$", "aaa", groups_of({"aaa"}));
  check_groups("^a{2}$", "a", kNoMatch);
  check_groups("^a{2,}$", "aaaa", groups_of());
  check_groups("^a{0}$", "", groups_of());
  check_groups("^(\\d{3}-){2}$", "123-456-", groups_of({"456-"}));
}

TEST(Pattern, Sets) {
  check_groups("^[a-c_]+$", "abc_", groups_of());
  check_groups("^[^a-c]$", "d", groups_of());
  check_groups("^[^a-c]$", "b", kNoMatch);
  check_groups("^[]a]$", "]", groups_of());
  check_groups("^[a-]+$", "a-", groups_of());
  check_groups("^[\\d\\n]+$", "1\n2", groups_of());
  check_groups("(\\D+)(\\S)(\\W)", "ab!c ", groups_of({"ab!", "c", " "}));
}

TEST(Pattern, EdgesOfLinesAndWords) {
  check_groups("^b$", "a\nb\nc", groups_of());
  check_groups("\\bcat\\b", "a cat.", groups_of());
  check_groups("\\bcat\\b", "concat", kNoMatch);
  check_groups("a.b", "a\nb", kNoMatch);
  check_groups("\\s\\t\\r", " \t\r", groups_of());
}

TEST(Pattern, CaseIsIgnoredIfAsked) {
  check_groups("(?i)hello [X-Z]", "HeLLo y", groups_of());
  check_groups("hello", "HELLO", kNoMatch);
}

TEST(Pattern, CharactersOfUtf8StayWhole) {
  check_groups("^(.)(.)$", "äß", groups_of({"ä", "ß"}));
  check_groups("^ä+$", "äää", groups_of());
  check_groups("^([^x])", "€", groups_of({"€"}));
  check_groups("^(\\W)", "日", groups_of({"日"}));
}

TEST(Pattern, EmptyLoopsEnd) {
  check_groups("(a*)*b", "b", groups_of({""}));
  check_groups("(?:|a)+$", "aaa", groups_of());
}

TEST(Pattern, HardCasesTakeLinearTime) {
  check_groups("^(a+)+$", std::string(100'000, 'a') + "b", kNoMatch);
  check_groups("(x+x+)+y", std::string(100'000, 'x'), kNoMatch);
}

TEST(Pattern, MistakesAreNamed) {
  check_pattern_refused("(a", "missing ): ");
  check_pattern_refused("[a", "missing ]");
  check_pattern_refused("[b-a]", "b-a");
  check_pattern_refused("*a", "no argument for repetition operator: *");
  check_pattern_refused("a{1001}", "invalid repetition size: {1001}");
  check_pattern_refused("\\q", "\\q");
  check_pattern_refused("(?=a)", "(?=");
  check_pattern_refused("(?:(?:a{1000}){1000}){1000}", "repetition");
  check_pattern_refused(std::string(1001, 'a'), "longer than");
  std::string many;
  for (int i = 0; i < 21; ++i) many += "()";
  check_pattern_refused(many, "more than 20 groups");
}

TEST(Pattern, IsComparedByItsText) {
  EXPECT_EQ(Pattern::compile("a(b)").value(), Pattern::compile("a(b)").value());
  EXPECT_EQ(Pattern::compile("a(b)")->groups(), 1U);
  EXPECT_EQ(Pattern::compile("a(b)")->text(), "a(b)");
}

}  // namespace
}  // namespace clever::provider

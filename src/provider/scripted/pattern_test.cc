#include "provider/scripted/pattern.h"

#include <gtest/gtest.h>

namespace clever::provider {
namespace {

using Groups = std::optional<std::vector<std::string>>;

void check(std::string_view pattern, std::string_view text, const Groups& expected) {
  const auto compiled = Pattern::compile(pattern);
  ASSERT_TRUE(compiled.ok()) << compiled.error().to_string();
  EXPECT_EQ(compiled->search(text), expected) << pattern << " in " << text;
}
constexpr auto kNone = std::nullopt;
Groups groups(std::vector<std::string> found = {}) { return found; }

void check_refused(std::string_view pattern, std::string_view expected) {
  const auto compiled = Pattern::compile(pattern);
  ASSERT_FALSE(compiled.ok()) << pattern;
  EXPECT_NE(compiled.error().message().find(expected), std::string::npos)
      << compiled.error().message();
}

TEST(Pattern, LiteralsAreFoundAnywhere) {
  check("ell", "hello", groups());
  check("elk", "hello", kNone);
  check("", "", groups());
  check("a\\.b", "a.b", groups());
  check("a\\.b", "axb", kNone);
}

TEST(Pattern, GroupsAreCaptured) {
  check("name is (\\w+)", "my name is Ada Lovelace", groups({"Ada"}));
  check("(a)|(b)", "b", groups({"", "b"}));
  check("(?:x(y))+", "xyxy", groups({"y"}));
}

TEST(Pattern, GreedyAndLazy) {
  check("<(.*)>", "<a><b>", groups({"a><b"}));
  check("<(.*?)>", "<a><b>", groups({"a"}));
  check("(a+?)(a*)", "aaa", groups({"a", "aa"}));
  check(
      "(a?"
      "?)(a?)",
      "a", groups({"", "a"}));
}

TEST(Pattern, FirstAlternativeWins) {
  check("(a|ab)(c|bcd)?", "abcd", groups({"a", "bcd"}));
  check("(|a)", "a", groups({""}));
}

TEST(Pattern, Counts) {
  check("^(a{2,3})$", "aaa", groups({"aaa"}));
  check("^a{2}$", "a", kNone);
  check("^a{2,}$", "aaaa", groups());
  check("^a{0}$", "", groups());
  check("^(\\d{3}-){2}$", "123-456-", groups({"456-"}));
}

TEST(Pattern, Sets) {
  check("^[a-c_]+$", "abc_", groups());
  check("^[^a-c]$", "d", groups());
  check("^[^a-c]$", "b", kNone);
  check("^[]a]$", "]", groups());
  check("^[a-]+$", "a-", groups());
  check("^[\\d\\n]+$", "1\n2", groups());
  check("(\\D+)(\\S)(\\W)", "ab!c ", groups({"ab!", "c", " "}));
}

TEST(Pattern, EdgesOfLinesAndWords) {
  check("^b$", "a\nb\nc", groups());
  check("\\bcat\\b", "a cat.", groups());
  check("\\bcat\\b", "concat", kNone);
  check("a.b", "a\nb", kNone);
  check("\\s\\t\\r", " \t\r", groups());
}

TEST(Pattern, CaseIsIgnoredIfAsked) {
  check("(?i)hello [X-Z]", "HeLLo y", groups());
  check("hello", "HELLO", kNone);
}

TEST(Pattern, CharactersOfUtf8StayWhole) {
  check("^(.)(.)$", "äß", groups({"ä", "ß"}));
  check("^ä+$", "äää", groups());
  check("^([^x])", "€", groups({"€"}));
  check("^(\\W)", "日", groups({"日"}));
}

TEST(Pattern, EmptyLoopsEnd) {
  check("(a*)*b", "b", groups({""}));
  check("(?:|a)+$", "aaa", groups());
}

TEST(Pattern, HardCasesTakeLinearTime) {
  check("^(a+)+$", std::string(100'000, 'a') + "b", kNone);
  check("(x+x+)+y", std::string(100'000, 'x'), kNone);
}

TEST(Pattern, MistakesAreNamed) {
  check_refused("(a", "missing ): ");
  check_refused("[a", "missing ]");
  check_refused("[b-a]", "b-a");
  check_refused("*a", "no argument for repetition operator: *");
  check_refused("a{1001}", "invalid repetition size: {1001}");
  check_refused("\\q", "\\q");
  check_refused("(?=a)", "(?=");
  check_refused("(?:(?:a{1000}){1000}){1000}", "repetition");
  check_refused(std::string(1001, 'a'), "longer than");
  std::string many;
  for (int i = 0; i < 21; ++i) many += "()";
  check_refused(many, "more than 20 groups");
}

TEST(Pattern, IsComparedByItsText) {
  EXPECT_EQ(Pattern::compile("a(b)").value(), Pattern::compile("a(b)").value());
  EXPECT_EQ(Pattern::compile("a(b)")->groups(), 1U);
  EXPECT_EQ(Pattern::compile("a(b)")->text(), "a(b)");
}

}  // namespace
}  // namespace clever::provider

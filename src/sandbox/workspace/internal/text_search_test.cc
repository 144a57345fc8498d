#include "sandbox/workspace/internal/text_search.h"

#include <gtest/gtest.h>

#include <string>

namespace clever::sandbox::internal {
namespace {

std::string show(const std::vector<FoundLine>& lines) {
  std::string text;
  for (const FoundLine& line : lines) text += std::to_string(line.number) + ":" + line.text + "|";
  return text;
}

std::string plain(std::string_view pattern, std::string_view text, std::size_t most = 100) {
  return show(TextSearch::of(pattern, false, true).value()->lines(text, most));
}
std::string regex(std::string_view pattern, std::string_view text, std::size_t most = 100) {
  return show(TextSearch::of(pattern, true, true).value()->lines(text, most));
}

TEST(TextSearch, FindsLinesWithTheirNumbers) {
  EXPECT_EQ(plain("b", "abc\nx\nb"), "1:abc|3:b|");
  EXPECT_EQ(plain("q", "abc\nx\nb"), "");
  EXPECT_EQ(plain("a", ""), "");
}

TEST(TextSearch, ALineIsFoundOnce) { EXPECT_EQ(plain("a", "aaa\naa\n"), "1:aaa|2:aa|"); }

TEST(TextSearch, StopsAtTheMost) { EXPECT_EQ(plain("a", "a\na\na\n", 2), "1:a|2:a|"); }

TEST(TextSearch, LineEndsAreNotPartOfTheLine) { EXPECT_EQ(plain("b", "a\r\nb\r\n"), "2:b|"); }

TEST(TextSearch, PlainTextHasNoSpecialCharacters) {
  EXPECT_EQ(plain("a.b*", "axb\na.b*\n"), "2:a.b*|");
}

TEST(TextSearch, BinaryTextIsSkipped) {
  EXPECT_EQ(plain("a", std::string_view("a\0", 2)), "");
  EXPECT_EQ(regex("a", std::string_view("a\0", 2)), "");
}

TEST(TextSearch, WithoutCase) {
  const auto search = TextSearch::of("Ab.", false, false).value();
  EXPECT_EQ(show(search->lines("xab.\nabc\nAB.\n", 9)), "1:xab.|3:AB.|");
}

TEST(TextSearch, RegularExpressionsMatchWithinLines) {
  EXPECT_EQ(regex("a.*c", "abc\na\nc\n"), "1:abc|");
  EXPECT_EQ(regex("[ab]+", "xx\nab\n"), "2:ab|");
  EXPECT_EQ(regex("a[^x]c", "a\nc"), "");
}

TEST(TextSearch, AnchorsAreThoseOfTheLine) {
  EXPECT_EQ(regex("^b", "ab\nb1\n"), "2:b1|");
  EXPECT_EQ(regex("b$", "ba\nab\n"), "2:ab|");
  EXPECT_EQ(regex("[b]$", "ba\r\nab\r\n"), "2:ab|");
  EXPECT_EQ(regex("^$", "a\n\nb\n"), "2:|");
  EXPECT_EQ(regex("^$", "a\r\n\r\nb\r\n"), "2:|");
}

TEST(TextSearch, ALiteralThatIsNearIsNotEnough) {
  EXPECT_EQ(regex("foo\\d", "foo\nfoo1\nxfoo2"), "2:foo1|3:xfoo2|");
}

TEST(TextSearch, BytesThatAreNotUtf8) {
  EXPECT_EQ(regex("\xFF[a]",
                  "\xFF"
                  "a\nb"),
            "1:\xEF\xBF\xBD"
            "a|");
}

TEST(TextSearch, LongLinesAreCutAroundThePlace) {
  const std::string line = std::string(5000, 'x') + "needle" + std::string(5000, 'y');
  const std::string found = plain("needle", line);
  EXPECT_NE(found.find("xneedley"), std::string::npos);
  EXPECT_LT(found.size(), 500U);
}

TEST(TextSearch, BadPatternsAreRefused) {
  EXPECT_FALSE(TextSearch::of("", false, true).ok());
  EXPECT_FALSE(TextSearch::of("a\nb", false, true).ok());
  const auto bad = TextSearch::of("a(", true, true);
  EXPECT_EQ(bad.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_NE(bad.error().message().find("missing )"), std::string::npos);
}

TEST(RequiredLiteral, IsWhatEveryMatchContains) {
  EXPECT_EQ(required_literal("abc"), "abc");
  EXPECT_EQ(required_literal("ab*cde"), "cde");
  EXPECT_EQ(required_literal("abc?"), "ab");
  EXPECT_EQ(required_literal("ab+c"), "ab");
  EXPECT_EQ(required_literal("x{0,2}yz"), "yz");
  EXPECT_EQ(required_literal("a\\.bc"), "a.bc");
  EXPECT_EQ(required_literal("\\w+foo\\("), "foo(");
  EXPECT_EQ(required_literal("^foo$"), "foo");
  EXPECT_EQ(required_literal("(abc)?de"), "de");
  EXPECT_EQ(required_literal("ab[cdefg]hijk"), "ab");
}

TEST(RequiredLiteral, IsNothingWhereItIsNotObvious) {
  EXPECT_EQ(required_literal("a|b"), "");
  EXPECT_EQ(required_literal("(?i)abc"), "");
  EXPECT_EQ(required_literal("\\Qa\\E"), "");
  EXPECT_EQ(required_literal("a{"), "");
  EXPECT_EQ(required_literal("\\x41bc"), "");
  EXPECT_EQ(required_literal("\\pLbc"), "");
  EXPECT_EQ(required_literal("ca\xC3\xA9?"), "ca");
}

TEST(LiteralFinder, FindsAtTheEdges) {
  const LiteralFinder finder("xay");
  EXPECT_EQ(finder.find("xay", 0), 0U);
  EXPECT_EQ(finder.find("xxay", 1), 1U);
  EXPECT_EQ(finder.find("xaxa", 0), std::string_view::npos);
  EXPECT_EQ(finder.find("xayxay", 1), 3U);
  EXPECT_EQ(finder.find("ay", 0), std::string_view::npos);
}

}  // namespace
}  // namespace clever::sandbox::internal

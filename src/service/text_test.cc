#include "service/text.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace clever::service {
namespace {

TEST(TextTest, ReadsCodePointsOfEveryLength) {
  const std::string text = "aé€😀";
  std::size_t at = 0;
  EXPECT_EQ(next_code_point(text, at), U'a');
  EXPECT_EQ(next_code_point(text, at), U'é');
  EXPECT_EQ(next_code_point(text, at), U'€');
  EXPECT_EQ(next_code_point(text, at), U'😀');
  EXPECT_EQ(at, text.size());
}

TEST(TextTest, WritesCodePointsOfEveryLength) {
  std::string text;
  for (const char32_t c : U"aé€😀") {
    if (c != 0) base::append_utf8(text, c);
  }
  EXPECT_EQ(text, "aé€😀");
}

void expect_replaced(std::string_view bytes, std::size_t size = 1) {
  std::size_t at = 0;
  EXPECT_EQ(next_code_point(bytes, at), char32_t{0xFFFD}) << bytes;
  EXPECT_EQ(at, size);
}

TEST(TextTest, EachStretchThatIsNotUtf8IsReplacedOnce) {
  expect_replaced("\xFF");
  expect_replaced("\x80");              // a continuation without a lead
  expect_replaced("\xC0\x80");          // overlong
  expect_replaced("\xE0\x80\x80");      // overlong
  expect_replaced("\xED\xA0\x80");      // a surrogate
  expect_replaced("\xF4\x90\x80\x80");  // beyond Unicode
  expect_replaced("\xE2\x82", 2);       // cut off
  expect_replaced("\xE2\x41\x41");      // no continuation
}

TEST(TextTest, PrintableTextCannotSteerTheTerminal) {
  EXPECT_EQ(printable("\x1b[31mred"), "\uFFFD[31mred");
  EXPECT_EQ(printable("a\nb\tc"), "a b c");
  EXPECT_EQ(printable("\u202Eevil"), "\uFFFDevil");
  EXPECT_EQ(printable("plain – text"), "plain – text");
}

TEST(TextTest, CountsColumnsAsTerminalsDo) {
  EXPECT_EQ(columns("abc"), 3U);
  EXPECT_EQ(columns("é"), 1U);
  EXPECT_EQ(columns("e\u0301"), 1U);
  EXPECT_EQ(columns("日本"), 4U);
  EXPECT_EQ(columns("😀"), 2U);
}

TEST(TextTest, PadsToAWidthAndNeverCuts) {
  EXPECT_EQ(padded("é", 3), "é  ");
  EXPECT_EQ(padded("long", 2), "long");
}

TEST(TextTest, WrapsAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("one two three", 0), (std::vector<std::string>{"one two three"}));
  EXPECT_EQ(wrapped("unbreakable x", 4), (std::vector<std::string>{"unbreakable", "x"}));
  EXPECT_EQ(wrapped("", 4), (std::vector<std::string>{""}));
}

TEST(TextTest, QuotesAWordAndShortensALongOne) {
  EXPECT_EQ(in_quotes("word"), "'word'");
  const std::string shown = in_quotes(std::string(100'000, 'x') + "end");
  EXPECT_LT(shown.size(), 80U);
  EXPECT_NE(shown.find("…"), std::string::npos);
  EXPECT_TRUE(shown.ends_with("end'"));
}

TEST(TextTest, ListsAlternatives) {
  EXPECT_EQ(alternatives({}), "");
  EXPECT_EQ(alternatives({"a"}), "a");
  EXPECT_EQ(alternatives({"a", "b", "c"}), "a, b or c");
}

}  // namespace
}  // namespace clever::service

#include "engine/actor/internal/replacer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::engine::internal {
namespace {

using testing::HasSubstr;
using Values = std::map<std::string, std::string>;

base::Result<std::shared_ptr<const Replacer>> make(Values values, const Values& variables = {}) {
  return Replacer::of({.kind = "replace", .values = std::move(values)}, variables);
}
// The text after the replacement, with the count before it.
std::string replaced(Values values, std::string_view text, const Values& variables = {}) {
  const auto replacer = make(std::move(values), variables);
  if (!replacer.ok()) return replacer.error().message();
  const Replacer::Replaced result = (*replacer)->replace(text);
  EXPECT_EQ((*replacer)->is_in(text), result.count > 0);
  return std::to_string(result.count) + " " + result.text;
}
std::string regex(std::string find, std::string replace, std::string_view text) {
  return replaced({{"find", find}, {"replace", replace}, {"regex", "true"}}, text);
}

TEST(Replacer, PlainText) {
  EXPECT_EQ(replaced({{"find", "ab"}, {"replace", "x"}}, "ab cab ababa"), "4 x cx xxa");
  EXPECT_EQ(replaced({{"find", "ab"}}, "ab c"), "1  c");
  EXPECT_EQ(replaced({{"find", "a"}, {"replace", "aa"}}, "aa"), "2 aaaa");
  EXPECT_EQ(replaced({{"find", "$1.*"}, {"replace", "\\1$1"}}, "x$1.*y"), "1 x\\1$1y");
  EXPECT_EQ(replaced({{"find", "z"}}, "abc"), "0 abc");
}

TEST(Replacer, WholeWords) {
  const Values values = {{"find", "foo"}, {"replace", "x"}, {"word", "true"}};
  EXPECT_EQ(replaced(values, "foo foobar barfoo foo_ (foo) foo"), "3 x foobar barfoo foo_ (x) x");
  EXPECT_EQ(replaced({{"find", "+="}, {"replace", "-="}, {"word", "true"}}, "a+=b"), "1 a-=b");
  EXPECT_EQ(replaced({{"find", "fo+"}, {"replace", "x"}, {"word", "true"}, {"regex", "true"}},
                     "foo food fo"),
            "2 x food x");
}

TEST(Replacer, LineEndsAreThoseOfTheFile) {
  const Values values = {{"find", "a\nb"}, {"replace", "c\nd"}};
  EXPECT_EQ(replaced(values, "a\nb\n"), "1 c\nd\n");
  EXPECT_EQ(replaced(values, "a\r\nb\r\n"), "1 c\r\nd\r\n");
  EXPECT_EQ(replaced({{"find", "a"}, {"replace", "b\nc"}}, "a\r\n"), "1 b\r\nc\r\n");
}

TEST(Replacer, GroupsOfAnExpression) {
  EXPECT_EQ(regex("(\\w+)\\((\\w+)\\)", "$2.$1()", "len(a) max(b)"), "2 a.len() b.max()");
  EXPECT_EQ(regex("(a)(b)?", "[\\1|\\2|$0]", "ab a"), "2 [a|b|ab] [a||a]");
  EXPECT_EQ(regex("a", "$$1 \\\\ \\n\\t $x \\q $", "a"), "1 $1 \\ \n\t $x \\q $");
}

TEST(Replacer, LinesInAnExpression) {
  EXPECT_EQ(regex("^a", "x", "a\nb\na a"), "2 x\nb\nx a");
  EXPECT_EQ(regex("a$", "x", "a\nba\n"), "2 x\nbx\n");
  EXPECT_EQ(regex("a\\nb", "x", "a\nb"), "1 x");
}

TEST(Replacer, WhatIsEmptyIsFoundOnce) {
  EXPECT_EQ(regex("x*", "-", "abc"), "4 -a-b-c-");
  EXPECT_EQ(regex("x*", "-", "axb"), "3 -a-b-");
  EXPECT_EQ(regex("^", "> ", "a\nb"), "2 > a\n> b");
  EXPECT_EQ(regex("$", ";", "a\nb"), "2 a;\nb;");
}

TEST(Replacer, VariablesAreDataWithinALongerText) {
  const Values variables = {
      {"v", "a.b"}, {"w", "$1\\"}, {"r", "(a)"}, {"t", "<$1>"}, {"yes", "true"}};
  EXPECT_EQ(replaced({{"find", "x${v}"}, {"replace", "${w}!"}, {"regex", "true"}}, "xa.b xaxb",
                     variables),
            "1 $1\\! xaxb");
  EXPECT_EQ(replaced({{"find", "${r}"}, {"replace", "${t}"}, {"regex", "${yes}"}}, "a", variables),
            "1 <a>");
  EXPECT_EQ(replaced({{"find", "${v}"}, {"replace", "${w}"}}, "a.b", variables), "1 $1\\");
}

TEST(Replacer, Mistakes) {
  EXPECT_THAT(replaced({{"find", "${v}"}}, "", {{"v", ""}}), HasSubstr("find is empty"));
  EXPECT_THAT(replaced({{"find", "${v}"}, {"regex", "true"}}, "", {{"v", ""}}),
              HasSubstr("find is empty"));
  EXPECT_THAT(regex("(", "", ""), HasSubstr("find is not a regular expression of RE2"));
  EXPECT_THAT(regex("a", "$1", ""), HasSubstr("replace names the group 1, but find has 0"));
  EXPECT_THAT(replaced({{"find", "a"}, {"word", "${v}"}}, "", {{"v", "si"}}),
              HasSubstr("word is \"si\", but must be true or false"));
}

TEST(Replacer, TextThatIsNotUtf8) {
  EXPECT_EQ(replaced({{"find", "\xFF"}, {"replace", "x"}}, "a\xFF"), "1 ax");
  EXPECT_EQ(regex("b", "x",
                  "a\xFF"
                  "b"),
            "1 a\xFFx");
}

}  // namespace
}  // namespace clever::engine::internal

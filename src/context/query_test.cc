#include "context/query.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace clever::context {
namespace {

using Names = std::vector<std::string>;

void expect_identifiers(std::string_view text, const Names& names) {
  EXPECT_EQ(parse_query(text).identifiers, names) << text;
}
void expect_paths(std::string_view text, const std::vector<NamedPath>& paths) {
  EXPECT_EQ(parse_query(text).paths, paths) << text;
}

TEST(Query, FindsNamesOfCode) {
  expect_identifiers("parse_line loses HttpServer and kMax", {"parse_line", "HttpServer", "kMax"});
  expect_identifiers("call run() of Plan::start", {"run", "Plan", "start"});
  expect_identifiers("the `bind` function", {"bind"});
  expect_identifiers("plain words only", {});
}

TEST(Query, NamesEachOnce) { expect_identifiers("a_b a_b A_B", {"a_b", "A_B"}); }

TEST(Query, FindsPathsAndTheirLines) {
  expect_paths("see src/plan.cc:120.", {{"src/plan.cc", 120}});
  expect_paths("in ./a/b and c.py", {{"./a/b", 0}, {"c.py", 0}});
  expect_paths("at main.go(17)", {{"main.go", 17}});
  expect_paths("and/or", {{"and/or", 0}});
}

TEST(Query, ReadsStackTraces) {
  expect_paths("  File \"app/views.py\", line 42, in show\n", {{"app/views.py", 42}});
}

TEST(Query, DoesNotTakeSentencesForPaths) { expect_paths("It ends. Then more...", {}); }

TEST(Query, KeepsWhatIsQuoted) {
  EXPECT_EQ(parse_query(R"(says "no such file" and 'x')").quoted, Names{"no such file"});
  EXPECT_EQ(parse_query("it doesn't and won't work").quoted, Names{});
  EXPECT_EQ(parse_query("an \"open quote\nends").quoted, Names{});
}

TEST(Query, LeavesOutWordsThatSayNothing) {
  EXPECT_EQ(parse_query("the fix for the parser").words, (Names{"fix", "parser"}));
  EXPECT_TRUE(says_nothing("the"));
  EXPECT_FALSE(says_nothing("parser"));
}

TEST(Query, LeavesOutLinesForMachines) {
  const Query query =
      parse_query("\nFix the parser\n\nIt fails.\nSigned-off-by: Ada <a@b.org>\nChange-Id: I1\n");
  EXPECT_EQ(query.text, "Fix the parser\n\nIt fails.\n");
  EXPECT_EQ(query.title, "Fix the parser");
  EXPECT_EQ(search_text(query), "fix parser fails");
  EXPECT_EQ(search_title(query), "fix parser");
}

TEST(Query, CutsWhatIsTooLong) {
  const std::string text(std::size_t{1} << 20U, 'x');
  EXPECT_EQ(parse_query(text).text.size(), kLongestQuery);
}

TEST(Query, BoundsHowManyNamesItKeeps) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += "name_" + std::to_string(i) + " dir/file" + std::to_string(i) + ".c ";
  }
  const Query query = parse_query(text);
  EXPECT_EQ(query.identifiers.size(), kMostNames);
  EXPECT_EQ(query.paths.size(), kMostNames);
}

TEST(Query, IsUtf8WhateverCameIn) {
  const Query query = parse_query("caf\xc3\xa9 \xff\xfe parse_line");
  EXPECT_TRUE(base::is_utf8(query.text));
  EXPECT_EQ(query.identifiers, Names{"parse_line"});
}

TEST(Query, OfNothingIsEmpty) { EXPECT_EQ(parse_query(""), Query{}); }

}  // namespace
}  // namespace clever::context

#include "cases/case_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::cases {
namespace {

using testing::HasSubstr;

constexpr std::string_view kCase =
    "# What it is about.\n"
    "\n"
    "file a/b.txt\n"
    "  one\n"
    "  {}\n"
    "repository\n"
    "$ agents plan list\n"
    "  some\n"
    "  {}\n"
    "! error: none\n"
    "? 3\n";

TEST(CaseFileTest, IsReadItemByItem) {
  const auto items = parse_case("x.case", kCase).value();
  ASSERT_EQ(items.size(), 5U);
  EXPECT_EQ(items[2].text, "a/b.txt");
  EXPECT_EQ(items[2].content, (std::vector<std::string>{"one", ""}));
  EXPECT_EQ(items[3].kind, Item::Kind::kRepository);
  EXPECT_EQ(items[4].text, "agents plan list");
  EXPECT_EQ(items[4].line, 7);
  EXPECT_EQ(items[4].output, (std::vector<std::string>{"some", ""}));
  EXPECT_EQ(items[4].errors, (std::vector<std::string>{"error: none"}));
  EXPECT_EQ(items[4].exit_code, 3);
}

TEST(CaseFileTest, IsPrintedAsItWas) {
  EXPECT_EQ(print_case(parse_case("x.case", kCase).value()), kCase);
}

TEST(CaseFileTest, MistakesNameTheirLine) {
  const auto wrong = [](std::string_view text) {
    return parse_case("x.case", text).error().message();
  };
  EXPECT_THAT(wrong("# a\nagents\n"), HasSubstr("x.case:2: expected a comment"));
  EXPECT_THAT(wrong("  text\n"), HasSubstr("x.case:1: nothing stands above"));
  EXPECT_THAT(wrong("repository\n! text\n"), HasSubstr("x.case:2:"));
  EXPECT_THAT(wrong("? 1\n"), HasSubstr("x.case:1:"));
  EXPECT_THAT(wrong("$ true\n? one\n"), HasSubstr("x.case:2: expected a number"));
}

}  // namespace
}  // namespace clever::cases

#include "config/typed_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::config {
namespace {

using ::testing::HasSubstr;

const KeyInfo kWords{.name = "a.words", .type = Type::kList};

void check_taken(std::string_view text, std::string_view value, const KeyInfo& info = kWords) {
  const auto taken = typed_value(info, info.name, text);
  ASSERT_TRUE(taken.ok()) << text << ": " << taken.error().message();
  EXPECT_EQ(*taken, value) << text;
}

void check_refused(std::string_view text, std::string_view reason, const KeyInfo& info = kWords) {
  const auto taken = typed_value(info, info.name, text);
  ASSERT_FALSE(taken.ok()) << text << " became " << *taken;
  EXPECT_THAT(taken.error().message(), HasSubstr(info.name));
  EXPECT_THAT(taken.error().message(), HasSubstr(reason));
}

TEST(TypedValue, AListMayBeAnArray) {
  check_taken(R"(["sh","-c","exit 3"])", "sh, -c, exit 3");
  check_taken(R"( [ 'a' , "b\u0021", ] )", "a, b!");
  check_taken("[]", "");
}

TEST(TypedValue, AListMayBeWords) { check_taken("sh, -c, exit 3", "sh, -c, exit 3"); }

TEST(TypedValue, BracketsMayBelongToAnItem) {
  check_taken("[::1]:80", "[::1]:80");
  check_taken("[::1], example.org", "[::1], example.org");
  check_taken("[::1]", "[::1]");
  check_taken("[::1], [::2]", "[::1], [::2]");
  check_taken("[ab]*", "[ab]*");
}

TEST(TypedValue, ABrokenArrayIsRefused) {
  check_refused(R"(["sh", "-c)", "begins like a list");
  check_refused(R"(["sh" "-c"])", "begins like a list");
  check_refused("[sh, -c]", "begins like a list");
  check_refused("['a']\nb = 1", "begins like a list");
}

TEST(TypedValue, AnItemMustBeATextWithoutCommas) {
  check_refused("[\"a\", 3]", "items that are not texts");
  check_refused(R"x(["print(1, 2)"])x", "without commas");
  check_refused(R"([""])", "without commas");
}

TEST(TypedValue, ACommandThatIsATextIsNotAList) {
  const KeyInfo command{.name = "mcp.x.command"};
  check_refused(R"(["python3", "x.py"])", "is a list", command);
  check_taken("python3 x.py", "python3 x.py", command);
  check_taken("[ -f x ] && make", "[ -f x ] && make", command);
}

TEST(TypedValue, OtherTypesAreStillChecked) {
  check_refused("soon", "a duration", {.name = "a.wait", .type = Type::kDuration});
  check_taken("[\"text\"]", "[\"text\"]", {.name = "a.text"});
}

}  // namespace
}  // namespace clever::config

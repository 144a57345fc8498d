#include "service/plan/approval_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace clever::service {
namespace {

using ::testing::HasSubstr;

/// A person who types these lines.
class Person {
 public:
  explicit Person(std::deque<std::string> lines) : lines_(std::move(lines)) {
    plan.title = "tidy up";
    plan.approval = model::ApprovalRequested{
        .number = 1,
        .subject = "tools",
        .items = {{.id = "x", .what = "run_command git push", .why = "your settings ask"},
                  {.id = "y", .what = "write_file b.txt"}}};
  }
  std::vector<plan::Command> asked() {
    Screen screen;
    screen.error_output = [this](std::string_view text) {
      shown += text;
      return base::Result<void>();
    };
    screen.read_line = [this](const base::StopToken&) -> base::Result<std::optional<std::string>> {
      if (lines_.empty()) return std::optional<std::string>();
      std::string line = lines_.front();
      lines_.pop_front();
      return std::optional(line);
    };
    const auto details = [](const model::ApprovalItem& item) {
      return item.id == "x" ? std::string("     branch: main\n") : std::string();
    };
    return ask_for_approval(screen, plan, details, {}).value();
  }

  plan::State plan;
  std::string shown;

 private:
  std::deque<std::string> lines_;
};

TEST(ApprovalWords, EachThingIsAskedAbout) {
  Person person({"y", "N", "not this"});
  const auto commands = person.asked();
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(std::get<plan::Approve>(commands[0]).items, std::vector<std::string>{"x"});
  EXPECT_EQ(std::get<plan::Reject>(commands[1]).items, std::vector<std::string>{"y"});
  EXPECT_EQ(std::get<plan::Reject>(commands[1]).reason, "not this");
  EXPECT_EQ(std::get<plan::Reject>(commands[1]).number, 2);
  EXPECT_THAT(person.shown, HasSubstr("tidy up asks about 2 things"));
  EXPECT_THAT(person.shown, HasSubstr("1. run_command git push\n   your settings ask"));
}

TEST(ApprovalWords, AllOfThemAtOnce) {
  Person person({"what?", "all"});
  const auto commands = person.asked();
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_TRUE(std::get<plan::Approve>(commands[0]).items.empty());
  EXPECT_TRUE(answers_all(commands, *person.plan.approval));
}

TEST(ApprovalWords, DetailsAreShownAndItIsAskedAgain) {
  Person person({"d", "y", "details", ""});
  const auto commands = person.asked();
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_THAT(person.shown, HasSubstr("later:      branch: main\n1. run_command git push"));
  EXPECT_THAT(person.shown, HasSubstr("no further details\n2. write_file b.txt"));
  EXPECT_FALSE(answers_all(commands, *person.plan.approval));
}

TEST(ApprovalWords, NothingSaidLeavesItOpen) {
  EXPECT_TRUE(Person({"", ""}).asked().empty());
  EXPECT_TRUE(Person({}).asked().empty());
  Person person({"", "y"});
  const auto commands = person.asked();
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(std::get<plan::Approve>(commands[0]).number, 1);
}

TEST(ApprovalWords, ItemsByNumberOrId) {
  const Person person({});
  const auto& asked = *person.plan.approval;
  EXPECT_EQ(meant_items(asked, {"2", "x"}).value(), (std::vector<std::string>{"y", "x"}));
  for (const char* word : {"0", "3", "z", "", "1x"}) {
    const auto items = meant_items(asked, {word});
    ASSERT_FALSE(items.ok()) << word;
    EXPECT_EQ(items.error().code(), base::ErrorCode::kNotFound);
  }
}

TEST(ApprovalWords, ForPeopleAndPrograms) {
  const Person person({});
  EXPECT_EQ(approval_table(*person.plan.approval).rows.size(), 2U);
}

}  // namespace
}  // namespace clever::service

#include "cli/tui/tui_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/cli_run.h"
#include "support/fake_terminal.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kTuiScript = R"(
rules:
- match: {tool: submit_strategy, user: rejected}
  tool_calls:
    name: submit_strategy
    arguments: {summary: Write otherwise, steps: [{id: write, title: Write the file, mode: inline}]}
- match: {tool: submit_strategy, user: subplan}
  tool_calls:
    name: submit_strategy
    arguments: {summary: Have it done, steps: [{id: write, title: write one, mode: subplan}]}
- match: {tool: submit_strategy}
  tool_calls:
    name: submit_strategy
    arguments: {summary: Write it, steps: [{id: write, title: Write the file, mode: inline}]}
- match: {user: slowly}
  delay: 2h
  reply: At last.
- match: {result: write_file}
  reply: It is written.
- match: {user_regex: 'write (\w+)'}
  tool_calls: {name: write_file, arguments: {path: '{1}.txt', content: "{1}\n"}}
- reply: Hello to you.
)";

/// A person who looks at the plans of a repository.
class TuiRunTest : public testing::Test {
 protected:
  TuiRunTest() {
    cli_.models().plays_scripts = true;
    repository_.write("a.txt", "a\n");
    repository_.commit();
    script_ = repository_.beside("script.yaml");
    std::ofstream(script_) << kTuiScript;
  }

  int agents(std::vector<std::string> words) {
    words.insert(words.begin(), {"-C", repository_.path().string()});
    words.insert(words.end(), {"--script", script_.string()});
    return cli_.run(words);
  }
  test::Person& person() { return *person_; }
  int look(const std::vector<std::string>& more = {}) {
    cli_.console.open_terminal = [this](io::OwnedTerminal::Mode) {
      return base::Result<std::unique_ptr<io::OwnedTerminal>>(
          std::make_unique<test::FakeTerminal>(person_));
    };
    std::vector<std::string> words{"tui"};
    words.insert(words.end(), more.begin(), more.end());
    const int code = agents(words);
    EXPECT_EQ(person_->missed, "") << person_->picture.text() << cli_.error_output;
    return code;
  }

  test::Repository repository_;
  test::CliRun cli_;
  std::filesystem::path script_;
  std::shared_ptr<test::Person> person_ = std::make_shared<test::Person>();
};

TEST_F(TuiRunTest, ShowsTreeStreamAndDiff) {
  ASSERT_EQ(agents({"run", "write one"}), 0) << cli_.error_output;
  person().sees("Write the file").sees("decisions").types("2").sees("It is written.");
  person().types("3").sees("+one").types("q");
  EXPECT_EQ(look(), 0);
  EXPECT_THAT(person().picture.text(), HasSubstr("execute/complete"));
}

TEST_F(TuiRunTest, AppliesAndTakesBack) {
  ASSERT_EQ(agents({"run", "--direct", "write one"}), 0) << cli_.error_output;
  person().sees("execute/complete").types("a").sees("digest").types("y").sees("apply/applied");
  person().types("u").sees("Undo what").types("y").sees("it is being undone").types("q");
  // Who leaves before it is done leaves the rest to another process.
  cli_.background = [](const auto&, const auto&, const auto&) -> base::Result<std::int64_t> {
    return std::int64_t{1};
  };
  EXPECT_EQ(look(), 0);
}

TEST_F(TuiRunTest, SomethingCanBeSaid) {
  ASSERT_EQ(agents({"run", "--direct", "write one"}), 0) << cli_.error_output;
  person().sees("execute/complete").types("pwrite two\r").types("3").sees("+two").types("q");
  // The file is seen before the plan is complete: who leaves then leaves it to the background.
  cli_.background = [](const auto&, const auto&, const auto&) -> base::Result<std::int64_t> {
    return std::int64_t{1};
  };
  EXPECT_EQ(look(), 0);
}

TEST_F(TuiRunTest, AStartedPlanIsSelected) {
  ASSERT_EQ(agents({"run", "--direct", "write one"}), 0) << cli_.error_output;
  // Only the new plan asks, and questions are about the plan that is selected.
  person().sees("execute/complete").types("+write two\r").sees("strategy: y approves").types("y");
  person().sees("execute/complete").types("q");
  EXPECT_EQ(look(), 0);
}

TEST_F(TuiRunTest, AnswersWhatIsAsked) {
  ASSERT_EQ(agents({"run", "--profile", "manual", "write one"}), 5) << cli_.error_output;
  person().sees("strategy: y approves").types("n").sees("strategy: Write otherwise").types("y");
  person().sees("tools: y approves").types("y").sees("execute/complete").types("3").sees("+one");
  person().types("q");
  EXPECT_EQ(look(), 0);
}

TEST_F(TuiRunTest, AnswersWhatASubplanAsks) {
  ASSERT_EQ(agents({"run", "--profile", "manual", "with a subplan"}), 5) << cli_.error_output;
  person().sees("strategy: y approves").types("y").sees("tools: y approves").types("y");
  person().sees("execute/complete").types("3").sees("+one").types("q");
  EXPECT_EQ(look(), 0);
}

TEST_F(TuiRunTest, CancelsAndTellsWhatIsRefused) {
  ASSERT_EQ(agents({"run", "--direct", "write one"}), 0) << cli_.error_output;
  person().sees("execute/complete").types("uy").sees("it was not applied").types("cy");
  person().sees("execute/cancelled").types("q");
  EXPECT_EQ(look(), 0);
}

TEST_F(TuiRunTest, WhatIsStillAtWorkIsLeftToTheBackground) {
  ASSERT_EQ(agents({"run", "--direct", "write one"}), 0) << cli_.error_output;
  std::vector<std::string> started;
  cli_.background = [&](const std::vector<std::string>& arguments, const std::filesystem::path&,
                        const std::filesystem::path&) -> base::Result<std::int64_t> {
    started = arguments;
    return std::int64_t{1};
  };
  person().sees("execute/complete").types("pslowly\r").sees("the plan got the prompt").types("q");
  EXPECT_EQ(look(), 0);
  ASSERT_EQ(started.size(), 3U);
  EXPECT_EQ(started[0] + " " + started[1], "plan drive");
}

TEST_F(TuiRunTest, IsResizedAndEndsWithTheTerminal) {
  person().sees("No plan yet");
  person().steps.push_back({.input = {.resized = true}});
  person().types("\x1b").goes_away();
  EXPECT_EQ(look({"--all-projects"}), 0);
  EXPECT_THAT(person().picture.text(), HasSubstr("all folders"));
}

TEST_F(TuiRunTest, EndsOnRequest) {
  cli_.stop.request_stop();
  EXPECT_EQ(look(), 1);
}

TEST_F(TuiRunTest, NeedsATerminal) {
  EXPECT_EQ(agents({"tui"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("`agents plan list` and `agents plan watch`"));
}

}  // namespace
}  // namespace clever::cli

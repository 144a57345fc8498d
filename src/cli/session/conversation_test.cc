#include "cli/session/conversation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/cli_run.h"
#include "support/fake_terminal.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kTalkScript = R"(
rules:
- match: {tool: submit_strategy, user: rejected}
  tool_calls:
    name: submit_strategy
    arguments: {summary: Write it otherwise, steps: [{id: write, title: Write it, mode: inline}]}
- match: {tool: submit_strategy, user: subplan}
  tool_calls:
    name: submit_strategy
    arguments: {summary: Have it written, steps: [{id: write, title: write one, mode: subplan}]}
- match: {tool: submit_strategy}
  tool_calls:
    name: submit_strategy
    arguments: {summary: Write it, steps: [{id: write, title: Write it, mode: inline}]}
- match: {user: hello}
  reply: Hello to you.
- match: {result: write_file}
  reply: It is written.
- match: {user_regex: 'write (\w+)'}
  tool_calls: {name: write_file, arguments: {path: '{1}.txt', content: "{1}\n"}}
- match: {user: slowly}
  delay: 2h
  reply: At last.
)";

/// A person in a conversation, in a repository of their own.
class ConversationTest : public testing::Test {
 protected:
  ConversationTest() {
    cli_.models().plays_scripts = true;
    repository_.write("a.txt", "a\n");
    repository_.commit();
    script_ = repository_.beside("script.yaml");
    std::ofstream(script_) << kTalkScript;
  }

  test::Person& person() { return *person_; }
  void new_person() { person_ = std::make_shared<test::Person>(); }

  int talk(std::vector<std::string> more = {}) {
    cli_.console.open_terminal = [this](io::OwnedTerminal::Mode) {
      return base::Result<std::unique_ptr<io::OwnedTerminal>>(
          std::make_unique<test::FakeTerminal>(person_));
    };
    std::vector<std::string> words{"-C", repository_.path().string(), "session", "--script",
                                   script_.string()};
    words.insert(words.end(), more.begin(), more.end());
    const int code = cli_.run(words);
    EXPECT_EQ(person_->missed, "") << person_->picture.text() << cli_.error_output;
    return code;
  }
  [[nodiscard]] std::string shown() const { return person_->picture.text(); }

  test::Repository repository_;
  test::CliRun cli_;
  std::filesystem::path script_;
  std::shared_ptr<test::Person> person_ = std::make_shared<test::Person>();
};

TEST_F(ConversationTest, WordsMakeAPlanAndMoreWordsGoToIt) {
  person().types("write one\r").sees("added one.txt").types("write two\r").sees("added two.txt");
  person().types("/plans\r").sees("* 0").types("/status\r").sees("execute/complete").types("\x04");
  EXPECT_EQ(talk(), 0);
  EXPECT_THAT(shown(), HasSubstr("ready: /diff shows it, /apply applies it"));
  EXPECT_THAT(cli_.error_output, HasSubstr("It is written."));
}

TEST_F(ConversationTest, NewWordsAfterNewMakeANewPlan) {
  person().types("write one\r").sees("ready:").types("/new\r/resume\r").sees("1 plan ").types("q");
  person().types("hello\r/plans\r").sees("execute/complete").types("/quit\r");
  EXPECT_EQ(talk(), 0);
  EXPECT_THAT(cli_.error_output, HasSubstr("Hello to you."));
}

TEST_F(ConversationTest, IsContinued) {
  person().types("write one\r").sees("ready:").types("\x03").sees("Ctrl-C again").types("\x03");
  EXPECT_EQ(talk(), 0);
  new_person();
  person().sees("write one").types("write two\r").sees("added two.txt").types("\x04");
  EXPECT_EQ(talk({"--continue"}), 0);
  EXPECT_THAT(shown(), HasSubstr("added one.txt"));
}

TEST_F(ConversationTest, WithoutOneThereIsNothingToContinue) {
  EXPECT_EQ(talk({"--continue"}), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("no conversation exists"));
}

TEST_F(ConversationTest, ANewPlanLearnsOfTheEarlierOnes) {
  cli_.console.read_line = [](const base::StopToken&) {
    return base::Result<std::optional<std::string>>(std::optional<std::string>("y"));
  };
  person().types("write one\r").sees("added one.txt").types("/apply\r").sees("applied plan");
  person().types("write two\r").sees("added two.txt").types("\x04");
  EXPECT_EQ(talk(), 0);
  EXPECT_EQ(cli_.run({"-C", repository_.path().string(), "plan", "explain", "4"}), 0)
      << cli_.error_output;
  EXPECT_THAT(cli_.output, HasSubstr("write two"));
  EXPECT_THAT(cli_.output, HasSubstr("Earlier in this conversation"));
  EXPECT_THAT(cli_.output, HasSubstr("- The person: write one"));
  EXPECT_THAT(cli_.output, HasSubstr("Answered: It is written."));
  EXPECT_THAT(cli_.output, HasSubstr("Came to: applied: one.txt"));
}

TEST_F(ConversationTest, WordsAfterAnInterruptionGoFirst) {
  person().types("slowly\r").types("\x03").sees("interrupted:");
  person().types("write one\r").sees("added one.txt").types("\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, CtrlCInterruptsTheAnswer) {
  person().types("slowly\r").types("\x03").sees("interrupted:");
  person().types("/new\r").types("write one\r").sees("added one.txt").types("\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, AnInterruptedPlanCanContinueAsItIs) {
  person().types("slowly\r").types("\x03").sees("interrupted:");
  person().types("\x0c").types("/resume\r").types("\x03").sees("interrupted:").types("\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, APlanWithAStrategy) {
  person().types("/plan\r").sees("say what to do");
  person().types("/plan write one\r").sees("strategy: Write it").types("y");
  person().sees("added one.txt").types("/tree\r").sees("Write it").types("\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, OfWhoIsNotAskedAStrategyIsCarriedOut) {
  cli_.set("CLEVERAGENTS_PLAN_PROFILE", "auto");
  person().types("/plan write one\r").sees("added one.txt").types("\x04");
  EXPECT_EQ(talk(), 0);
  EXPECT_THAT(shown(), Not(HasSubstr("Approve?")));
}

TEST_F(ConversationTest, AsksInLineAndTakesNoForAnAnswer) {
  cli_.set("CLEVERAGENTS_PLAN_PROFILE", "manual");
  person().types("/plan write one\r").sees("Approve?").types("xn");
  person().sees("strategy: Write it otherwise").types("y").sees("write_file one.txt").types("n");
  person().types("/status\r").sees("execute/complete").types("\x04");
  EXPECT_EQ(talk(), 0);
  EXPECT_THAT(shown(), HasSubstr("Approve? [y/n/d] no\n"));
  EXPECT_THAT(shown(), Not(HasSubstr("added one.txt")));
}

TEST_F(ConversationTest, DetailsAreShownBeforeTheAnswer) {
  cli_.set("CLEVERAGENTS_PLAN_PROFILE", "manual");
  person().types("/plan write one\r").sees("strategy: Write it").types("d").sees("write: Write it");
  person().types("y").sees("write_file one.txt").types("d").sees("path: one.txt");
  person().types("y").sees("added one.txt").types("\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, AYesContinues) {
  cli_.set("CLEVERAGENTS_PLAN_PROFILE", "manual");
  person().types("/plan write one\r").sees("strategy: Write it").types("y");
  person().sees("write_file one.txt").types("Y").sees("added one.txt").types("\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, WhatIsLeftOpenIsAskedAgain) {
  cli_.set("CLEVERAGENTS_PLAN_PROFILE", "manual");
  person().types("/plan write one\r").sees("strategy: Write it").types("\x03").sees("left open:");
  person().types("\x0c").types("/resume\r").sees("strategy: Write it").types("y");
  person().sees("write_file one.txt").types("y").sees("added one.txt").types("\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, WhoGoesAwayHasSaidNeitherYesNorNo) {
  cli_.set("CLEVERAGENTS_PLAN_PROFILE", "manual");
  person().types("/plan write one\r").sees("Approve?").goes_away();
  EXPECT_EQ(talk(), 0);
  new_person();
  person().sees("strategize/waiting").types("/resume\r").sees("strategy: Write it\n");
  person().types("\x1b").sees("left open:").types("\x04");
  EXPECT_EQ(talk({"--continue"}), 0);
}

TEST_F(ConversationTest, ASubplanAsksAsWell) {
  cli_.set("CLEVERAGENTS_PLAN_PROFILE", "manual");
  person().types("/plan with a subplan\r").sees("strategy: Have it written").types("y");
  person().sees("write one asks").sees("write_file one.txt").types("y").sees("added one.txt");
  person().types("\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, CommandsThatNeedAPlanSaySo) {
  person().types("/diff\r").sees("no plan yet").types("/plans\r").sees("no plan yet");
  person().types("/nonsense\r").sees("unknown command").types("\r \r").types("/help\r");
  person().sees("/apply").types("\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, TheModelCanBeChosen) {
  person()
      .types("/model\r")
      .sees("the usual model")
      .types("q")
      .types("/model nobody/nothing\r")
      .sees("nobody");
  person().types("/model scripted/other\r").sees("from here on").types("/model\r");
  person()
      .sees("now: scripted/other")
      .types("q")
      .types("hello\r")
      .types("/plans\r")
      .sees("complete")
      .types("\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, AShellIsThePersonsOwn) {
  person().types("!make test\r").types("\x04");
  person().exit_code = 2;
  EXPECT_EQ(talk(), 0);
  ASSERT_EQ(person().programs.size(), 1U);
  EXPECT_EQ(person().programs[0].back(), "make test");
  EXPECT_THAT(shown(), HasSubstr("exit code 2"));
}

TEST_F(ConversationTest, TabCompletesFiles) {
  repository_.write("about.txt", "b\n");
  person().types("see @a\t").sees("  a.txt").types(".t\t").sees("> see @a.txt").types("\x03\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, KeysAreEdited) {
  person()
      .types("\x0c\x1b[200~two\nlines\x1b[201~")
      .sees("  lines")
      .types("\x1b")
      .types("\x03\x04");
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, EndsWithTheTerminal) {
  person().types("write one\r").goes_away();
  EXPECT_EQ(talk(), 0);
}

TEST_F(ConversationTest, NeedsATerminal) {
  EXPECT_EQ(cli_.run({"session"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("agents run \"TASK\""));
  EXPECT_EQ(cli_.run({"--continue"}), 2);
  EXPECT_EQ(cli_.run({}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("Talk with an agent"));
}

TEST_F(ConversationTest, ForProgramsThereIsHelp) {
  cli_.console.open_terminal = [](io::OwnedTerminal::Mode) {
    return base::Result<std::unique_ptr<io::OwnedTerminal>>(
        base::unavailable("nobody asked for it"));
  };
  EXPECT_EQ(cli_.run({"--format", "json"}), 0);
  EXPECT_EQ(cli_.run({"-C", repository_.path().string()}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("nobody asked for it"));
}

}  // namespace
}  // namespace clever::cli

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "e2e/agents.h"
#include "support/pseudo_terminal.h"

namespace clever::e2e {
namespace {

using test::PseudoTerminal;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kSessionScript = R"(
rules:
- match: {result: write_file}
  reply: It is written.
- match: {user_regex: 'write (\w+)'}
  reply: I write it.
  tool_calls: {name: write_file, arguments: {path: '{1}.txt', content: "{1}\n"}}
- match: {user: slowly}
  reply: This takes its time.
  repeat: 200
  chunk_delay: 50ms
- match: {user: a.txt}
  reply: You named a file.
- reply: Hello to you.
)";

/// A person who talks in a repository.
class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    std::ofstream(user_.folder() / "script.yaml") << kSessionScript;
    shell(
        "git init --quiet --initial-branch=main && git config user.name Ada && "
        "git config user.email ada@example.org && echo a > a.txt && git add . && "
        "git commit --quiet -m first");
    shell("\"$AGENTS\" config set provider.script " + (user_.folder() / "script.yaml").string());
    shell("\"$AGENTS\" config set model.default scripted/model");
  }

  void shell(const std::string& script) const {
    const auto result = user_.bash(script);
    ASSERT_EQ(result.exit_code, 0) << result.error_output;
  }
  void start(PseudoTerminal& terminal, std::vector<std::string> words = {}) const {
    words.insert(words.begin(), agents_program());
    terminal.start(words, user_.environment(), user_.work());
    ASSERT_TRUE(terminal.until_shows("\n>")) << terminal.picture().text();
  }
  static void leave(PseudoTerminal& terminal) {
    terminal.type("\x04");
    EXPECT_EQ(terminal.wait(), 0);
    EXPECT_TRUE(terminal.is_cooked());
    EXPECT_FALSE(terminal.picture().brackets_pastes());
  }

  User user_;
};

void expect_shows(PseudoTerminal& terminal, std::string_view text) {
  EXPECT_TRUE(terminal.until_shows(text)) << text << " in\n" << terminal.picture().text();
}

TEST_F(SessionTest, FromWordsToAnAppliedChange) {
  PseudoTerminal terminal(80, 30);
  start(terminal);
  terminal.type("write one\r");
  expect_shows(terminal, "I write it.");
  expect_shows(terminal, "It is written.");
  expect_shows(terminal, "ready: /diff shows it");
  EXPECT_FALSE(std::filesystem::exists(user_.work() / "one.txt"));
  terminal.type("/diff\r");
  expect_shows(terminal, "+one");
  terminal.type("now write two\r");
  expect_shows(terminal, "added two.txt");
  terminal.type("/apply\r");
  expect_shows(terminal, "[y/N]");
  terminal.type("y\r");
  expect_shows(terminal, "applied plan");
  EXPECT_TRUE(std::filesystem::exists(user_.work() / "one.txt"));
  EXPECT_TRUE(std::filesystem::exists(user_.work() / "two.txt")) << "both words made one plan";
  leave(terminal);
}

TEST_F(SessionTest, IsContinued) {
  {
    PseudoTerminal terminal(80, 24);
    start(terminal);
    terminal.type("write one\r");
    expect_shows(terminal, "ready: /diff");
    terminal.kill(SIGKILL);
    EXPECT_EQ(terminal.wait(), -SIGKILL);
    EXPECT_TRUE(terminal.until([&](const auto&) { return terminal.is_cooked(); }));
  }
  PseudoTerminal terminal(80, 24);
  start(terminal, {"--continue"});
  expect_shows(terminal, "execute/complete");
  expect_shows(terminal, "write one");
  terminal.type("/plans\r");
  expect_shows(terminal, "* 0");
  // What was typed before is within reach.
  terminal.type("\x1b[A\x1b[A");
  expect_shows(terminal, "> write one");
  terminal.type("\x15/apply\r");
  expect_shows(terminal, "[y/N]");
  terminal.type("y\r");
  expect_shows(terminal, "applied plan");
  leave(terminal);
  struct stat facts{};
  ASSERT_EQ(::stat((user_.folder() / "home/history").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST_F(SessionTest, CtrlCInterruptsTheAnswerAndTwiceLeaves) {
  PseudoTerminal terminal(80, 24);
  start(terminal);
  terminal.type("slowly\r");
  expect_shows(terminal, "This takes its time.");
  terminal.type("\x03");
  expect_shows(terminal, "interrupted:");
  terminal.type("/new\r");
  terminal.type("write one\r");
  expect_shows(terminal, "ready: /diff");
  terminal.type("/plans\r");
  expect_shows(terminal, "* 0");
  terminal.type("\x03");
  expect_shows(terminal, "Ctrl-C again leaves");
  terminal.type("\x03");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(terminal.is_cooked());
}

TEST_F(SessionTest, WordsAfterAnInterruptionGoBeforeWhatWasInterrupted) {
  PseudoTerminal terminal(80, 24);
  start(terminal);
  terminal.type("slowly\r");
  expect_shows(terminal, "This takes its time.");
  terminal.type("\x03");
  expect_shows(terminal, "interrupted:");
  terminal.type("\x0cwrite one instead\r");
  expect_shows(terminal, "added one.txt");
  EXPECT_THAT(terminal.picture().text(), Not(HasSubstr("This takes its time.")))
      << "the interrupted answer was asked for again";
  terminal.type("/plans\r");
  expect_shows(terminal, "* 0");
  EXPECT_THAT(terminal.picture().text(), Not(HasSubstr("\n  0"))) << "it is the same plan";
  leave(terminal);
}

TEST_F(SessionTest, FilesAreCompletedAndNamed) {
  PseudoTerminal terminal(80, 24);
  start(terminal);
  terminal.type("see @a\t");
  expect_shows(terminal, "> see @a.txt");
  terminal.type("\r");
  expect_shows(terminal, "You named a file.");
  leave(terminal);
}

TEST_F(SessionTest, CommandsOfThePersonsOwn) {
  PseudoTerminal terminal(80, 40);
  start(terminal);
  terminal.type("!test -t 0 && echo at-a-$((1 + 1))-terminal\r");
  expect_shows(terminal, "at-a-2-terminal");
  terminal.type("!exit 3\r");
  expect_shows(terminal, "exit code 3");
  terminal.type("/nonsense\r");
  expect_shows(terminal, "unknown command '/nonsense'");
  terminal.type("/help\r");
  expect_shows(terminal, "/model NAME");
  terminal.type("/model nobody/nothing\r");
  expect_shows(terminal, "nobody");
  terminal.type("/diff\r");
  expect_shows(terminal, "no plan yet");
  terminal.type("/quit\r");
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(SessionTest, InAPipeThereIsHelp) {
  const auto help = user_.agents({});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.output, AllOf(HasSubstr("session"), HasSubstr("tui")));
  const auto refused = user_.agents({"--continue"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error_output, HasSubstr("agents run \"TASK\""));
  EXPECT_EQ(user_.agents({"session"}).exit_code, 2);
}

TEST_F(SessionTest, WithoutOneThereIsNothingToContinue) {
  PseudoTerminal terminal(80, 24);
  terminal.start({agents_program(), "--continue"}, user_.environment(), user_.work());
  expect_shows(terminal, "no conversation exists");
  EXPECT_EQ(terminal.wait(), 3);
  EXPECT_TRUE(terminal.is_cooked());
}

}  // namespace
}  // namespace clever::e2e

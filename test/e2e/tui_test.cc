#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "e2e/agents.h"
#include "support/pseudo_terminal.h"

namespace clever::e2e {
namespace {

using test::PseudoTerminal;
using test::TerminalPicture;
using testing::HasSubstr;

constexpr std::string_view kWriter = R"(
rules:
- match: {result: write_file}
  reply: It is written.
- match: {user_regex: 'write (\w+)'}
  reply: I write it.
  tool_calls: {name: write_file, arguments: {path: '{1}.txt', content: "{1}\n"}}
- reply: I have nothing to do.
)";

/// A person in a repository who looks at a terminal.
class TuiTest : public testing::Test {
 protected:
  TuiTest() {
    std::ofstream(user_.folder() / "script.yaml") << kWriter;
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
  void make_plan(const std::string& task) const {
    shell("\"$AGENTS\" run --direct -q " + task + " > /dev/null");
  }
  void start(PseudoTerminal& terminal, std::vector<std::string> words) const {
    words.insert(words.begin(), agents_program());
    terminal.start(words, user_.environment(), user_.work());
  }

  User user_;
};

TEST_F(TuiTest, ShowsPlansAndIsLeftAsItWas) {
  make_plan("'write one'");
  PseudoTerminal terminal(80, 24);
  start(terminal, {"tui"});
  ASSERT_TRUE(terminal.until_shows("execute/complete")) << terminal.picture().text();
  EXPECT_TRUE(terminal.picture().is_alternate());
  EXPECT_FALSE(terminal.is_cooked());
  EXPECT_THAT(terminal.picture().text(), HasSubstr("agents  1 plan"));
  EXPECT_THAT(terminal.picture().text(), HasSubstr("q quit"));
  terminal.type("3");
  EXPECT_TRUE(terminal.until_shows("+one")) << terminal.picture().text();
  terminal.type("2");
  EXPECT_TRUE(terminal.until_shows("It is written.")) << terminal.picture().text();
  terminal.type("q");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_FALSE(terminal.picture().is_alternate());
  EXPECT_TRUE(terminal.picture().shows_cursor());
  EXPECT_TRUE(terminal.is_cooked());
}

TEST_F(TuiTest, SeesWhatOthersDo) {
  PseudoTerminal terminal(80, 24);
  start(terminal, {"tui"});
  ASSERT_TRUE(terminal.until_shows("No plan yet")) << terminal.picture().text();
  make_plan("'write two'");
  EXPECT_TRUE(terminal.until_shows("execute/complete")) << terminal.picture().text();
  terminal.type("q");
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(TuiTest, IsResized) {
  make_plan("'write one'");
  PseudoTerminal terminal(80, 24);
  start(terminal, {"tui"});
  ASSERT_TRUE(terminal.until_shows("1 tree"));
  terminal.resize(28, 5);
  EXPECT_TRUE(terminal.until_shows("too small: 28x5")) << terminal.picture().text();
  terminal.resize(120, 40);
  EXPECT_TRUE(terminal.until_shows("1 tree")) << terminal.picture().text();
  terminal.type("q");
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(TuiTest, AppliesWhatWasMade) {
  make_plan("'write one'");
  PseudoTerminal terminal(80, 24);
  start(terminal, {"tui"});
  ASSERT_TRUE(terminal.until_shows("execute/complete"));
  terminal.type("a");
  ASSERT_TRUE(terminal.until_shows("y/n")) << terminal.picture().text();
  terminal.type("y");
  EXPECT_TRUE(terminal.until_shows("apply/applied")) << terminal.picture().text();
  terminal.type("q");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(std::filesystem::exists(user_.work() / "one.txt"));
}

TEST_F(TuiTest, TheTerminalIsGivenBackWhenItIsKilled) {
  for (const int signal : {SIGKILL, SIGTERM, SIGHUP, SIGINT}) {
    PseudoTerminal terminal(80, 24);
    start(terminal, {"tui"});
    ASSERT_TRUE(terminal.until_shows("q quit")) << terminal.picture().text();
    terminal.kill(signal);
    static_cast<void>(terminal.wait());
    EXPECT_TRUE(terminal.until([&](const TerminalPicture& now) {
      return !now.is_alternate() && now.shows_cursor() && terminal.is_cooked();
    })) << signal;
  }
}

TEST_F(TuiTest, WithoutATerminalItSaysWhatToType) {
  const auto result = user_.agents({"tui"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error_output, HasSubstr("agents plan watch"));
}

}  // namespace
}  // namespace clever::e2e

// Reviewing at a terminal, as a person does it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "e2e/agents.h"
#include "support/pseudo_terminal.h"

namespace clever::e2e {
namespace {

using test::PseudoTerminal;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kThreePlacesScript =
    "rules:\n"
    "- match: {turn: 1}\n"
    "  tool_calls:\n"
    "  - {name: write_file, arguments: {path: a.txt, content: "
    "\"one\\n2\\n3\\n4\\n5\\n6\\nseven\\n\"}}\n"
    "  - {name: write_file, arguments: {path: b.txt, content: \"B\\n\"}}\n"
    "- reply: It is done.\n";

// A person with a plan that changed three places in two files.
class ReviewTest : public ::testing::Test {
 protected:
  ReviewTest() {
    std::ofstream(user_.folder() / "script.yaml") << kThreePlacesScript;
    const auto result = user_.bash(
        "git init --quiet --initial-branch=main . && git config user.name Ada && "
        "git config user.email ada@example.org && "
        "printf '1\\n2\\n3\\n4\\n5\\n6\\n7\\n' > a.txt && printf 'b\\n' > b.txt && "
        "git add --all && git commit --quiet --message=base && "
        "\"$AGENTS\" run --direct --script ../script.yaml 'Change three places'");
    EXPECT_EQ(result.exit_code, 0) << result.output << result.error_output;
  }

  void start(PseudoTerminal& terminal, const std::vector<std::string>& arguments,
             const std::vector<std::string>& more = {}) {
    std::vector<std::string> argv{agents_program()};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    std::vector<std::string> environment = user_.environment();
    environment.insert(environment.end(), more.begin(), more.end());
    terminal.start(argv, environment, user_.work());
  }
  [[nodiscard]] std::string shell(const std::string& script) const {
    return user_.bash(script).output;
  }

  User user_;
};

TEST_F(ReviewTest, WhatIsAcceptedLandsAndNothingElse) {
  PseudoTerminal terminal(80, 40);
  start(terminal, {"plan", "review"});
  ASSERT_TRUE(terminal.until_shows("(1/3) Accept this hunk")) << terminal.picture().text();
  EXPECT_THAT(terminal.written(), HasSubstr("\x1b[32m+one"));
  terminal.type("n\n");
  ASSERT_TRUE(terminal.until_shows("(2/3) Accept this hunk")) << terminal.picture().text();
  terminal.type("y\n");
  ASSERT_TRUE(terminal.until_shows("(3/3) Accept this hunk")) << terminal.picture().text();
  terminal.type("n\n");
  ASSERT_TRUE(terminal.until_shows("Apply exactly this?")) << terminal.picture().text();
  terminal.type("y\n");
  EXPECT_TRUE(terminal.until_shows("applied plan")) << terminal.picture().text();
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(terminal.is_cooked());
  EXPECT_EQ(shell("cat a.txt b.txt"), "1\n2\n3\n4\n5\n6\nseven\nb\n");
  EXPECT_EQ(shell("git log --format=%s"), "Change three places\nbase\n");
  EXPECT_EQ(shell("git status --short"), "");
}

TEST_F(ReviewTest, TheEditorHasTheTerminalAndGivesItBack) {
  PseudoTerminal terminal(80, 40);
  start(terminal, {"plan", "review"},
        {"EDITOR=sh -c 'stty raw -echo; printf \"editing \"; printf \"mine\\n\" > \"$0\"'"});
  ASSERT_TRUE(terminal.until_shows("(1/3) Accept this hunk")) << terminal.picture().text();
  terminal.type("e\n");
  ASSERT_TRUE(terminal.until_shows("(3/3) Accept this hunk")) << terminal.picture().text();
  EXPECT_THAT(terminal.written(), HasSubstr("editing"));
  terminal.type("n\n");
  ASSERT_TRUE(terminal.until_shows("1 file edited")) << terminal.picture().text();
  terminal.type("y\n");
  EXPECT_TRUE(terminal.until_shows("applied plan")) << terminal.picture().text();
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(terminal.is_cooked());
  EXPECT_EQ(shell("cat a.txt b.txt"), "mine\nb\n");
}

TEST_F(ReviewTest, InterruptedNothingChanges) {
  PseudoTerminal terminal(80, 40);
  start(terminal, {"plan", "review"});
  ASSERT_TRUE(terminal.until_shows("(1/3) Accept this hunk")) << terminal.picture().text();
  terminal.type("y\n");
  ASSERT_TRUE(terminal.until_shows("(2/3) Accept this hunk")) << terminal.picture().text();
  terminal.type("\x03");
  EXPECT_NE(terminal.wait(), 0);
  EXPECT_TRUE(terminal.is_cooked());
  EXPECT_EQ(shell("git log --format=%s"), "base\n");
  EXPECT_EQ(shell("git status --short"), "");
  EXPECT_THAT(shell("\"$AGENTS\" plan hunks"), Not(HasSubstr("dropped")));
}

TEST_F(ReviewTest, ALongDifferenceOpensInThePager) {
  PseudoTerminal terminal(80, 10);
  start(terminal, {"plan", "diff"}, {"PAGER=sh -c 'echo in the pager; cat > /dev/null'"});
  EXPECT_TRUE(terminal.until_shows("in the pager")) << terminal.picture().text();
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_THAT(terminal.written(), Not(HasSubstr("seven")));
}

TEST_F(ReviewTest, WithoutAPagerItIsPrinted) {
  for (const char* pager : {"PAGER=", "PAGER=cat", "PAGER=no-such-pager-anywhere"}) {
    PseudoTerminal terminal(80, 10);
    start(terminal, {"plan", "diff"}, {pager});
    EXPECT_EQ(terminal.wait(), 0);
    EXPECT_THAT(terminal.written(), HasSubstr("seven")) << pager;
  }
}

TEST_F(ReviewTest, WhatFitsIsPrinted) {
  PseudoTerminal terminal(80, 60);
  start(terminal, {"plan", "diff"}, {"PAGER=sh -c 'echo in the pager'"});
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_THAT(terminal.written(), Not(HasSubstr("in the pager")));
  EXPECT_THAT(terminal.written(), HasSubstr("\x1b[32m+seven"));
}

TEST_F(ReviewTest, SideBySideIfTheSettingAsksForIt) {
  ASSERT_EQ(user_.agents({"config", "set", "diff.layout", "auto"}).exit_code, 0);
  PseudoTerminal wide(150, 60);
  start(wide, {"plan", "diff", "--color", "never"}, {"PAGER=cat"});
  EXPECT_EQ(wide.wait(), 0);
  EXPECT_THAT(wide.written(), HasSubstr(" │ "));
  PseudoTerminal narrow(100, 60);
  start(narrow, {"plan", "diff", "--color", "never"}, {"PAGER=cat"});
  EXPECT_EQ(narrow.wait(), 0);
  EXPECT_THAT(narrow.written(), Not(HasSubstr(" │ ")));
}

}  // namespace
}  // namespace clever::e2e

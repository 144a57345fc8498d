#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/agents.h"

namespace clever::e2e {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// What the bash function answers when the cursor stands behind the last of the words, which are
// given as readline splits them.
std::string bash_replies(const std::string& words) {
  const User user;
  const auto result = user.bash(
      "agents() { \"$AGENTS\" \"$@\"; }; source <(\"$AGENTS\" completion bash);"
      "COMP_WORDS=(agents " +
      words +
      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
      "_agents_completion; printf '%s\\n' \"${COMPREPLY[@]}\"");
  EXPECT_THAT(result.error_output, IsEmpty());
  return result.output;
}

TEST(CompletionTest, BashCompletesCommands) {
  EXPECT_EQ(bash_replies("co"), "context\nconfig\ncompletion\n");
  EXPECT_EQ(bash_replies("config ''"), "get\nset\nunset\nedit\nlist\npath\n");
}

TEST(CompletionTest, BashCompletesOptionsAndTheirValues) {
  EXPECT_EQ(bash_replies("config set --pro"), "--project\n");
  EXPECT_EQ(bash_replies("--format j"), "json\njsonl\n");
}

TEST(CompletionTest, BashCompletesBehindAnEqualsSign) {
  EXPECT_EQ(bash_replies("--format = js"), "json\njsonl\n");
  EXPECT_EQ(bash_replies("--format ="), "rich\nplain\njson\nyaml\ntable\njsonl\n");
}

TEST(CompletionTest, BashCompletesSettings) {
  EXPECT_EQ(bash_replies("config get model.d"), "model.default\n");
  EXPECT_EQ(bash_replies("config set output.format y"), "yaml\n");
}

TEST(CompletionTest, BashCompletesFolders) {
  const User user;
  user.folder().write("work/with space/x", "");
  user.folder().write("work/file", "");
  const auto result = user.bash(
      "agents() { \"$AGENTS\" \"$@\"; }; source <(\"$AGENTS\" completion bash);"
      "COMP_WORDS=(agents -C ''); COMP_CWORD=2; _agents_completion;"
      "printf '%s\\n' \"${COMPREPLY[@]}\"");
  EXPECT_EQ(result.output, "with space\n");
}

void expect_valid(const std::string& shell, const std::string& check) {
  const User user;
  const auto result =
      user.bash("\"$AGENTS\" completion " + shell + " > script && " + check + " script");
  EXPECT_EQ(result.exit_code, 0) << result.error_output;
  EXPECT_THAT(result.error_output, IsEmpty());
}

TEST(CompletionTest, ScriptsAreValid) {
  expect_valid("bash", "bash -n");
  expect_valid("zsh", "zsh -n");
  expect_valid("fish", "fish --no-execute");
}

TEST(CompletionTest, ZshIsGivenCandidatesWithTheirSummaries) {
  const User user;
  const auto result = user.run(
      {"zsh", "-fc",
       "agents() { \"$AGENTS\" \"$@\"; }; compdef() { }; _describe() { print -rl -- ${(P)2}; };"
       "source <(\"$AGENTS\" completion zsh); words=(agents config l); CURRENT=3; _agents;"
       "words=(agents --format=y); CURRENT=2; _agents"});
  EXPECT_EQ(result.output,
            "list:List every setting, its value and where that comes from\n--format=yaml\n")
      << result.error_output;
}

TEST(CompletionTest, FishCompletesInItsOwnWay) {
  const User user;
  const auto result = user.bash(R"(mkdir bin && ln -s "$AGENTS" bin/agents &&
    PATH=$PWD/bin:$PATH fish --no-config -c 'agents completion fish | source
      complete --do-complete "agents config un"
      complete --do-complete "agents --format js"')");
  EXPECT_THAT(result.output, HasSubstr("unset\tRemove a setting from a file\n"))
      << result.error_output;
  EXPECT_THAT(result.output, HasSubstr("json"));
  EXPECT_THAT(result.output, Not(HasSubstr("list\t")));
}

}  // namespace
}  // namespace clever::e2e

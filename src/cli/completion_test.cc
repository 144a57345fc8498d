#include "cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands.h"

namespace clever::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> texts(const std::vector<std::string>& words) {
  static const Command kRoot = command_tree();
  std::vector<std::string> result;
  for (const Candidate& candidate : complete(kRoot, words).list) result.push_back(candidate.text);
  return result;
}

TEST(CompletionTest, OffersCommandsThatAreShown) {
  EXPECT_THAT(texts({"co"}), ElementsAre("context", "config", "completion"));
  EXPECT_THAT(texts({""}), Not(Contains("manual")));
  EXPECT_THAT(texts({}), Contains("demo"));
}

TEST(CompletionTest, OffersSubcommands) {
  EXPECT_THAT(texts({"config", ""}), ElementsAre("get", "set", "unset", "edit", "list", "path"));
}

TEST(CompletionTest, OffersOptionsOfTheCommandAndOfTheRoot) {
  EXPECT_THAT(texts({"config", "set", "--p"}), ElementsAre("--project"));
  EXPECT_THAT(texts({"config", "set", "--"}), Contains("--format"));
  EXPECT_THAT(texts({"config", "get", "--"}), Not(Contains("--detach")));
}

TEST(CompletionTest, OffersChoicesOfOptionsAndArguments) {
  EXPECT_THAT(texts({"--format", "j"}), ElementsAre("json", "jsonl"));
  EXPECT_THAT(texts({"--format=y"}), ElementsAre("--format=yaml"));
  EXPECT_THAT(texts({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
}

TEST(CompletionTest, OffersSettingsAndTheirValues) {
  EXPECT_THAT(texts({"config", "get", "model.d"}), ElementsAre("model.default"));
  EXPECT_THAT(texts({"config", "set", "model.al"}), ElementsAre("model.alias."));
  EXPECT_THAT(texts({"config", "set", "output.format", "p"}), ElementsAre("plain"));
  EXPECT_THAT(texts({"config", "set", "no.such", ""}), IsEmpty());
}

TEST(CompletionTest, OptionsInBetweenDoNotCountAsArguments) {
  EXPECT_THAT(texts({"config", "set", "--project", "-C", "/", "output.color", "a"}),
              ElementsAre("auto", "always"));
}

TEST(CompletionTest, NothingIsOfferedBehindTheLastArgument) {
  EXPECT_THAT(texts({"completion", "bash", ""}), IsEmpty());
  EXPECT_THAT(texts({"--nonsense=x"}), IsEmpty());
}

TEST(CompletionTest, WordsAfterTwoDashesAreNoOptions) {
  EXPECT_THAT(texts({"config", "get", "--", "output.f"}), ElementsAre("output.format"));
  EXPECT_THAT(texts({"help", "--", "config", "se"}), ElementsAre("set"));
}

TEST(CompletionTest, HelpOffersCommands) {
  EXPECT_THAT(texts({"help", "conf"}), ElementsAre("config"));
  EXPECT_THAT(texts({"help", "config", "l"}), ElementsAre("list"));
  EXPECT_THAT(texts({"help", "bogus", ""}), IsEmpty());
}

TEST(CompletionTest, AgentsAreLookedUpAlsoInAList) {
  const Command root = command_tree();
  const Candidates one = complete(root, {"run", "--agent", "cl"});
  EXPECT_EQ(one.looked_up, Completes::kAgent);
  EXPECT_EQ(one.prefix, "");
  EXPECT_EQ(complete(root, {"agent", "test", ""}).looked_up, Completes::kAgent);
  EXPECT_EQ(complete(root, {"run", "--race", "claude,co"}).prefix, "claude,");
  EXPECT_EQ(complete(root, {"run", "--race=claude,codex,"}).prefix, "--race=claude,codex,");
}

TEST(CompletionTest, FoldersAreLeftToTheShell) {
  const Command root = command_tree();
  EXPECT_TRUE(complete(root, {"-C", ""}).directories);
  EXPECT_EQ(to_lines(complete(root, {"--directory", "x"})), ":directories\n");
  EXPECT_FALSE(complete(root, {"-q", ""}).directories);
}

TEST(CompletionTest, LinesHoldTextAndSummary) {
  EXPECT_EQ(to_lines({{{"a", "first\tone"}, {"b", ""}}, false}), "a\tfirst one\nb\n");
}

TEST(CompletionScriptTest, ScriptsNameTheProgramOnly) {
  for (const std::string& script : {completion_script_bash("tool"), completion_script_zsh("tool"),
                                    completion_script_fish("tool")}) {
    EXPECT_THAT(script, HasSubstr("tool"));
    EXPECT_THAT(script, Not(HasSubstr("PROGRAM")));
    EXPECT_THAT(script, HasSubstr(" complete -- "));
  }
}

}  // namespace
}  // namespace clever::cli

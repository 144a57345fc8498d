#include "cli/commands/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/child_process.h"
#include "support/cli_run.h"

namespace clever::cli {
namespace {

using test::CliRun;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(ConfigCommandTest, SetThenGet) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "set", "model.default", "openai/gpt-4o"}), 0);
  EXPECT_EQ(cli.output, "model.default = openai/gpt-4o in ~/home/config.toml\n");
  EXPECT_EQ(cli.run({"config", "get", "model.default"}), 0);
  EXPECT_EQ(cli.output, "openai/gpt-4o\n");
}

TEST(ConfigCommandTest, GetOfAnUnsetKeyIsNotFound) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "get", "model.default"}), 3);
  EXPECT_EQ(cli.error_output,
            "error: model.default is not set\n"
            "hint: `agents config set model.default VALUE` sets it\n");
  EXPECT_EQ(cli.run({"config", "get", "model.alias.fast"}), 3);
}

TEST(ConfigCommandTest, GetShowsDefaults) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "get", "output.color", "--format", "json"}), 0);
  EXPECT_THAT(cli.output,
              HasSubstr(R"("data":{"key":"output.color","value":"auto","layer":"default",)"));
}

TEST(ConfigCommandTest, AnUnknownKeyIsAUsageErrorWithASuggestion) {
  CliRun cli;
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"config", "get", "model.defualt"},
                                             {"config", "set", "model.defualt", "a/b"},
                                             {"config", "unset", "model.defualt"}}) {
    EXPECT_EQ(cli.run(words), 2);
    EXPECT_THAT(cli.error_output, HasSubstr("did you mean model.default?"));
    EXPECT_THAT(cli.error_output, HasSubstr("usage: agents config "));
  }
  EXPECT_FALSE(std::filesystem::exists(cli.home()));
}

TEST(ConfigCommandTest, AWrongValueIsAUsageErrorAndChangesNothing) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "set", "output.format", "jsno"}), 2);
  EXPECT_THAT(cli.error_output, HasSubstr("did you mean json?"));
  EXPECT_FALSE(std::filesystem::exists(cli.home()));
}

TEST(ConfigCommandTest, UnsetRemovesAndThenFindsNothing) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "set", "log.level", "debug"}), 0);
  EXPECT_EQ(cli.run({"config", "unset", "log.level"}), 0);
  EXPECT_EQ(cli.output, "log.level removed from ~/home/config.toml\n");
  EXPECT_EQ(cli.run({"config", "unset", "log.level"}), 3);
}

TEST(ConfigCommandTest, ABrokenFileIsNeverOverwritten) {
  CliRun cli;
  cli.folder().write("home/config.toml", "[model\ndefault = \"a/b\"\n");
  EXPECT_EQ(cli.run({"config", "set", "log.level", "debug"}), 1);
  EXPECT_THAT(cli.error_output, HasSubstr("config.toml:1"));
  EXPECT_EQ(cli.run({"config", "unset", "log.level"}), 1);
  EXPECT_EQ(cli.run({"config", "get", "log.level"}), 1);
  EXPECT_EQ(cli.folder().read("home/config.toml"), "[model\ndefault = \"a/b\"\n");
}

TEST(ConfigCommandTest, ProjectSettingsGoToTheProjectsFile) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "set", "--project", "output.format", "plain"}), 0);
  EXPECT_THAT(cli.folder().read("work/.cleveragents/config.toml"), HasSubstr("plain"));
  EXPECT_EQ(cli.run({"config", "list", "--format=json"}), 0);
  EXPECT_EQ(cli.run({"config", "get", "output.format"}), 0);
  EXPECT_EQ(cli.output, "plain\n");
  EXPECT_EQ(cli.run({"config", "unset", "--project", "output.format"}), 0);
}

TEST(ConfigCommandTest, TheProjectsFileIsFoundFromBelow) {
  CliRun cli;
  const auto file = cli.folder().write("work/.cleveragents/config.toml", "");
  cli.folder().write("work/deep/below/x", "");
  EXPECT_EQ(cli.run({"-C", "deep/below", "config", "path", "--project"}), 0);
  EXPECT_EQ(cli.output, file.string() + "\n");
}

TEST(ConfigCommandTest, AProjectCannotSetWhatIsTheUsersToDecide) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "set", "--project", "database.url", "sqlite:x"}), 2);
  EXPECT_THAT(cli.error_output, HasSubstr("cannot be set by a project"));
}

TEST(ConfigCommandTest, TheHomeIsNotAProject) {
  CliRun cli;
  cli.set("CLEVERAGENTS_HOME", (cli.work() / ".cleveragents").string());
  EXPECT_EQ(cli.run({"config", "set", "--project", "output.format", "plain"}), 2);
  EXPECT_THAT(cli.error_output, HasSubstr("cannot be a project"));
}

TEST(ConfigCommandTest, SetSaysWhenAnotherLayerWins) {
  CliRun cli;
  cli.set("CLEVERAGENTS_LOG_LEVEL", "error");
  EXPECT_EQ(cli.run({"config", "set", "log.level", "debug"}), 0);
  EXPECT_THAT(cli.error_output,
              HasSubstr("note: the value in force comes from CLEVERAGENTS_LOG_LEVEL"));
}

TEST(ConfigCommandTest, ListShowsValuesAndLayersWithoutSecrets) {
  CliRun cli;
  cli.set("CLEVERAGENTS_LOG_LEVEL", "error");
  cli.folder().write("home/config.toml",
                     "[database]\nurl = \"postgresql://me:hunter2@db/agents\"\n");
  EXPECT_EQ(cli.run({"config", "list"}), 0);
  EXPECT_THAT(cli.output, testing::ContainsRegex("log.level +error +environment\n"));
  EXPECT_THAT(cli.output, testing::ContainsRegex("model.default +- +default\n"));
  EXPECT_THAT(cli.output, Not(HasSubstr("hunter2")));
  EXPECT_EQ(cli.run({"config", "list", "--format", "json"}), 0);
  EXPECT_THAT(cli.output, Not(HasSubstr("hunter2")));
}

TEST(ConfigCommandTest, PathNeedsNoFile) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "path", "--format", "json"}), 0);
  EXPECT_THAT(cli.output, HasSubstr("home/config.toml\",\"exists\":false}"));
}

TEST(ConfigCommandTest, AHomeThatCannotBeMadeIsAnError) {
  CliRun cli;
  cli.folder().write("home", "a file in the way");
  EXPECT_EQ(cli.run({"config", "set", "log.level", "debug"}), 1);
  EXPECT_THAT(cli.error_output, HasSubstr((cli.home()).string()));
}

TEST(DemoCommandTest, WithoutATemporaryFolderSaysSo) {
  CliRun cli;
  cli.set("TMPDIR", "/proc/nowhere");
  EXPECT_NE(cli.run({"demo"}), 0);
  EXPECT_THAT(cli.error_output, HasSubstr("/proc/nowhere"));
}

TEST(DemoCommandTest, AnInterruptedOneLeavesNothingBehind) {
  CliRun cli;
  cli.set("TMPDIR", cli.folder().path().string());
  cli.stop.request_stop();
  EXPECT_NE(cli.run({"demo"}), 0);
  for (const auto& entry : std::filesystem::directory_iterator(cli.folder().path())) {
    EXPECT_THAT(entry.path().filename().string(), Not(StartsWith("agents-demo-")));
  }
}

TEST(ManualCommandTest, WritesPagesIntoAFolder) {
  CliRun cli;
  EXPECT_EQ(cli.run({"manual", "--output", "man/man1"}), 0);
  EXPECT_THAT(cli.folder().read("work/man/man1/agents.1"), StartsWith(".TH \"AGENTS\" 1"));
  EXPECT_THAT(cli.output, HasSubstr("man/man1/agents-config-set.1\n"));
  EXPECT_EQ(cli.run({"manual", "--output", "/proc/nowhere"}), 3);
}

TEST(CompletionCommandTest, PrintsTheScriptOfEachShell) {
  CliRun cli;
  EXPECT_EQ(cli.run({"completion", "bash"}), 0);
  EXPECT_THAT(cli.output, HasSubstr("complete -F _agents_completion agents"));
  EXPECT_EQ(cli.run({"completion", "zsh"}), 0);
  EXPECT_THAT(cli.output, StartsWith("#compdef agents"));
  EXPECT_EQ(cli.run({"completion", "fish"}), 0);
  EXPECT_THAT(cli.output, HasSubstr("complete --command agents"));
  EXPECT_EQ(cli.run({"completion", "bsh"}), 2);
  EXPECT_THAT(cli.error_output, HasSubstr("did you mean `bash`?"));
}

TEST(CompleteCommandTest, PrintsCandidates) {
  CliRun cli;
  EXPECT_EQ(cli.run({"complete", "--", "--format", "js"}), 0);
  EXPECT_EQ(cli.output, "json\njsonl\n");
  EXPECT_EQ(cli.run({"complete", "--format", "json", "--", "config", "l"}), 0);
  EXPECT_THAT(cli.output, HasSubstr(R"({"text":"list","summary":)"));
}

}  // namespace
}  // namespace clever::cli

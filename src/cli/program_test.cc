#include "cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cli_run.h"

namespace clever::cli {
namespace {

using test::CliRun;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(ProgramTest, AnswersOnStandardOutput) {
  CliRun cli;
  EXPECT_EQ(cli.run({"version"}), 0);
  EXPECT_THAT(cli.output, StartsWith("agents "));
  EXPECT_THAT(cli.error_output, IsEmpty());
}

TEST(ProgramTest, VersionIsAlsoAnOption) {
  CliRun cli;
  cli.run({"version"});
  const std::string expected = cli.output;
  EXPECT_EQ(cli.run({"--version"}), 0);
  EXPECT_EQ(cli.output, expected);
  EXPECT_EQ(cli.run({"--version", "--format", "json"}), 0);
  EXPECT_THAT(cli.output, StartsWith(R"({"command":"version","status":"ok","exit_code":0,)"));
}

TEST(ProgramTest, WithoutWordsItShowsHelp) {
  CliRun cli;
  EXPECT_EQ(cli.run({}), 0);
  EXPECT_THAT(cli.output, HasSubstr("Usage: agents COMMAND"));
}

TEST(ProgramTest, HelpIsTheSameByOptionAndByCommand) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "set", "--help"}), 0);
  const std::string by_option = cli.output;
  EXPECT_EQ(cli.run({"help", "config", "set"}), 0);
  EXPECT_EQ(cli.output, by_option);
  EXPECT_THAT(by_option, HasSubstr("Usage: agents config set KEY VALUE"));
}

TEST(ProgramTest, HelpOfAnUnknownCommandSuggestsTheNearest) {
  CliRun cli;
  EXPECT_EQ(cli.run({"help", "config", "ste"}), 2);
  EXPECT_EQ(cli.error_output,
            "error: unknown command 'ste'\nhint: did you mean `set`?\n"
            "usage: agents help [COMMAND…]\n");
}

TEST(ProgramTest, AUsageErrorHasHintAndUsageAndExitsWith2) {
  CliRun cli;
  EXPECT_EQ(cli.run({"confg"}), 2);
  EXPECT_THAT(cli.output, IsEmpty());
  EXPECT_EQ(cli.error_output,
            "error: unknown command 'confg'\nhint: did you mean `config`?\n"
            "usage: agents COMMAND [OPTIONS]\n");
}

TEST(ProgramTest, WordsWithoutQuotesAreNoPaidPrompt) {
  CliRun cli;
  EXPECT_EQ(cli.run({"please", "fix", "it"}), 2);
  EXPECT_EQ(cli.error_output,
            "error: unknown command 'please'\n"
            "hint: a task goes in quotes: `agents \"TASK\"`; `agents --help` lists the commands\n"
            "usage: agents COMMAND [OPTIONS]\n");
}

TEST(ProgramTest, QuietKeepsOnlyTheError) {
  CliRun cli;
  EXPECT_EQ(cli.run({"-q", "confg"}), 2);
  EXPECT_EQ(cli.error_output, "error: unknown command 'confg'\n");
}

TEST(ProgramTest, ErrorsForProgramsAreEnvelopesOnStandardOutput) {
  CliRun cli;
  EXPECT_EQ(cli.run({"confg", "--format", "json"}), 2);
  EXPECT_THAT(cli.error_output, IsEmpty());
  EXPECT_THAT(cli.output,
              StartsWith(R"({"command":"agents","status":"error","exit_code":2,"data":null,)"));
  EXPECT_THAT(cli.output, HasSubstr(R"({"level":"error","text":"unknown command 'confg'"})"));
  EXPECT_THAT(cli.output, HasSubstr(R"({"level":"usage",)"));
  EXPECT_EQ(cli.run({"config", "get", "model.default", "--format=yaml"}), 3);
  EXPECT_THAT(cli.output, StartsWith("command: config get\nstatus: error\nexit_code: 3\n"));
}

TEST(ProgramTest, ATerminalGetsRichOutput) {
  CliRun cli;
  cli.console.output_is_terminal = true;
  cli.set("LANG", "C.UTF-8");
  EXPECT_EQ(cli.run({"config", "list"}), 0);
  EXPECT_THAT(cli.output, HasSubstr("╭"));
  EXPECT_THAT(cli.output, HasSubstr("\x1b["));
  EXPECT_EQ(cli.run({"config", "list", "--color=never"}), 0);
  EXPECT_THAT(cli.output, Not(HasSubstr("\x1b[")));
}

TEST(ProgramTest, APipeGetsPlainOutputUnlessRichIsInsistedOn) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "list"}), 0);
  EXPECT_THAT(cli.output, StartsWith("key "));
  EXPECT_EQ(cli.run({"config", "list", "--format", "rich", "--color", "always"}), 0);
  EXPECT_THAT(cli.output, HasSubstr("\x1b["));
}

TEST(ProgramTest, FormatPrecedenceIsFlagEnvironmentFileDefault) {
  CliRun cli;
  cli.folder().write("home/config.toml", "[output]\nformat = \"yaml\"\n");
  EXPECT_EQ(cli.run({"version"}), 0);
  EXPECT_THAT(cli.output, StartsWith("command: version\n"));
  cli.set("CLEVERAGENTS_OUTPUT_FORMAT", "json");
  EXPECT_EQ(cli.run({"version"}), 0);
  EXPECT_THAT(cli.output, StartsWith("{"));
  EXPECT_EQ(cli.run({"version", "--format", "plain"}), 0);
  EXPECT_THAT(cli.output, StartsWith("agents "));
}

TEST(ProgramTest, SettingsNeverChangeTextForOtherPrograms) {
  CliRun cli;
  cli.set("CLEVERAGENTS_OUTPUT_FORMAT", "json");
  EXPECT_EQ(cli.run({"completion", "bash"}), 0);
  EXPECT_THAT(cli.output, StartsWith("# bash completion"));
  EXPECT_EQ(cli.run({"--help"}), 0);
  EXPECT_THAT(cli.output, StartsWith("CleverAgents plans"));
  EXPECT_EQ(cli.run({"completion", "bash", "--format", "json"}), 0);
  EXPECT_THAT(cli.output, StartsWith(R"({"command":"completion",)"));
}

TEST(ProgramTest, BrokenSettingsStopOnlyWhatNeedsThem) {
  CliRun cli;
  cli.folder().write("home/config.toml", "[output\n");
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"--help"}, {"completion", "zsh"}, {"complete", "--", ""}, {"help", "config"}}) {
    EXPECT_EQ(cli.run(words), 0);
    EXPECT_THAT(cli.error_output, IsEmpty());
  }
  EXPECT_EQ(cli.run({"version"}), 0);
  EXPECT_THAT(cli.error_output, HasSubstr("warning: settings are ignored: "));
  EXPECT_THAT(cli.error_output, HasSubstr("config.toml:1"));
  EXPECT_EQ(cli.run({"config", "list"}), 1);
  EXPECT_THAT(cli.error_output, HasSubstr("config.toml:1"));
}

TEST(ProgramTest, BrokenSettingsLeaveTheEnvironmentsFormat) {
  CliRun cli;
  cli.folder().write("home/config.toml", "[output\n");
  cli.set("CLEVERAGENTS_OUTPUT_FORMAT", "json");
  EXPECT_EQ(cli.run({"version"}), 0);
  EXPECT_THAT(cli.output, HasSubstr(R"("status":"warn")"));
}

TEST(ProgramTest, WarningsOfTheSettingsAreShown) {
  CliRun cli;
  cli.set("CLEVERAGENTS_OUTPUT_FORMTA", "json");
  EXPECT_EQ(cli.run({"version"}), 0);
  EXPECT_THAT(cli.error_output, HasSubstr("CLEVERAGENTS_OUTPUT_FORMTA"));
}

TEST(ProgramTest, AMissingDirectoryIsNotFound) {
  CliRun cli;
  EXPECT_EQ(cli.run({"-C", "nowhere", "config", "list"}), 3);
  EXPECT_THAT(cli.error_output, HasSubstr("no such directory: "));
}

TEST(ProgramTest, AFullDiskIsAnErrorWithAMessage) {
  CliRun cli;
  cli.write_outcome = base::resource_exhausted("cannot write output: No space left on device");
  EXPECT_EQ(cli.run({"version"}), 1);
  EXPECT_EQ(cli.error_output, "error: cannot write output: No space left on device\n");
}

TEST(ProgramTest, AReaderThatWentAwayNeedsNoMessage) {
  CliRun cli;
  cli.write_outcome = base::unavailable("cannot write output: Broken pipe");
  EXPECT_EQ(cli.run({"version"}), 0);
  EXPECT_THAT(cli.error_output, IsEmpty());
}

TEST(ProgramTest, SecretsInMessagesAreRedacted) {
  CliRun cli;
  EXPECT_EQ(cli.run({"config", "get", "sk-ant-REDACTED"}), 2);
  EXPECT_THAT(cli.error_output, Not(HasSubstr("abcdefghijklmnopqrstuvwxyz")));
}

TEST(ProgramTest, ErrorsAreColouredOnATerminal) {
  CliRun cli;
  cli.console.error_is_terminal = true;
  EXPECT_EQ(cli.run({"confg"}), 2);
  EXPECT_THAT(cli.error_output, StartsWith("\x1b[31merror:\x1b[0m unknown command"));
}

}  // namespace
}  // namespace clever::cli

#include "e2e/agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::e2e {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

TEST(AgentsTest, VersionIsOneLineAndHowItWasBuilt) {
  const User user;
  const auto result = user.agents({"version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, MatchesRegex("agents [0-9]+\\.[0-9]+\\.[0-9]+\nbuilt as .*\n"));
  EXPECT_THAT(result.error_output, IsEmpty());
}

TEST(AgentsTest, JsonIsOneEnvelopeOnOneLine) {
  const User user;
  const auto result = user.agents({"--format", "json", "version"});
  EXPECT_THAT(result.output,
              MatchesRegex("\\{\"command\":\"version\",\"status\":\"ok\",\"exit_code\":0,"
                           "\"data\":\\{\"version\":\"[^\"]+\",\"build\":\"[^\"]+\","
                           "\"compiler\":\"[^\"]+\"\\},\"timing\":\\{\"started\":\"[^\"]+Z\","
                           "\"duration_ms\":[0-9.e-]+\\},\"messages\":\\[\\]\\}\n"));
}

TEST(AgentsTest, EveryLevelHasHelpWithExamples) {
  const User user;
  for (const char* words :
       {"", "demo", "config", "config get", "config set", "config unset", "config list",
        "config path", "diagnostics", "doctor", "completion", "help", "version"}) {
    const auto result = user.bash("\"$AGENTS\" " + std::string(words) + " --help");
    EXPECT_EQ(result.exit_code, 0) << words;
    EXPECT_THAT(result.output, HasSubstr("Usage: agents ")) << words;
    EXPECT_THAT(result.output, HasSubstr("\nExamples:\n")) << words;
  }
}

TEST(AgentsTest, DiagnosticsShowNoKey) {
  User user;
  user.set("ANTHROPIC_API_KEY", "sk-ant-api03-SECRETSECRETSECRET");
  user.set("CLEVERAGENTS_DATABASE_URL", "sqlite::memory:");
  for (const char* format : {"plain", "rich", "table", "json", "yaml"}) {
    const auto result = user.agents({"diagnostics", "--format", format});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("ANTHROPIC_API_KEY"));
    EXPECT_THAT(result.output + result.error_output, Not(HasSubstr("SECRET")));
  }
}

TEST(AgentsTest, DiagnosticsWorkInsideARepository) {
  const User user;
  const auto result = user.bash("git init -q . && \"$AGENTS\" diagnostics | grep git/repository");
  EXPECT_EQ(result.output, "ok   git/repository: " + user.work().string() + "\n");
}

TEST(AgentsTest, DirectoryOptionMovesTheWork) {
  const User user;
  user.folder().write("work/project/.cleveragents/config.toml", "log.level = \"error\"\n");
  EXPECT_EQ(user.agents({"config", "get", "log.level"}).output, "warn\n");
  EXPECT_EQ(user.agents({"-C", "project", "config", "get", "log.level"}).output, "error\n");
}

TEST(AgentsTest, ManualPagesAreWritten) {
  const User user;
  EXPECT_EQ(user.agents({"manual", "--output", "man"}).exit_code, 0);
  EXPECT_THAT(user.folder().read("work/man/agents.1"), StartsWith(".TH "));
  EXPECT_THAT(user.folder().read("work/man/agents-config-set.1"), HasSubstr(".SH EXAMPLES"));
}

TEST(AgentsTest, WorksInADirectoryThatIsGone) {
  const User user;
  const auto result = user.bash("mkdir gone && cd gone && rmdir ../gone && \"$AGENTS\" version");
  EXPECT_EQ(result.exit_code, 0) << result.error_output;
}

}  // namespace
}  // namespace clever::e2e

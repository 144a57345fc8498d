#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/agents.h"

namespace clever::e2e {
namespace {

using testing::HasSubstr;

TEST(ConfigTest, FiftyProcessesAtOnceLoseNothing) {
  const User user;
  const auto result = user.bash(R"(
    pids=()
    for i in $(seq 50); do
      "$AGENTS" -q config set model.alias.name$i openai/gpt-4o > /dev/null & pids+=($!)
    done
    for pid in "${pids[@]}"; do wait $pid || exit 1; done
    for i in $(seq 50); do
      [[ $("$AGENTS" config get model.alias.name$i) == openai/gpt-4o ]] || { echo lost $i; exit 1; }
    done)");
  EXPECT_EQ(result.exit_code, 0) << result.output << result.error_output;
}

TEST(ConfigTest, CommentsOfAHandWrittenFileStay) {
  const User user;
  user.folder().write("home/config.toml", "# mine\n[log]\nlevel = \"warn\" # quiet\n");
  EXPECT_EQ(user.agents({"config", "set", "log.level", "debug"}).exit_code, 0);
  const std::string content = user.folder().read("home/config.toml");
  EXPECT_THAT(content, HasSubstr("# mine\n"));
  EXPECT_THAT(content, HasSubstr("# quiet"));
  EXPECT_THAT(content, HasSubstr("\"debug\""));
}

TEST(ConfigTest, TheFileIsPrivate) {
  const User user;
  EXPECT_EQ(user.agents({"config", "set", "log.level", "debug"}).exit_code, 0);
  const auto result =
      user.bash("stat -c %a \"$CLEVERAGENTS_HOME\" \"$CLEVERAGENTS_HOME/config.toml\"");
  EXPECT_EQ(result.output, "700\n600\n");
}

TEST(ConfigTest, EnvironmentWinsOverProjectWinsOverUser) {
  const User user;
  EXPECT_EQ(user.agents({"config", "set", "log.level", "debug"}).exit_code, 0);
  EXPECT_EQ(user.agents({"config", "get", "log.level"}).output, "debug\n");
  EXPECT_EQ(user.agents({"config", "set", "--project", "log.level", "info"}).exit_code, 0);
  EXPECT_EQ(user.agents({"config", "get", "log.level"}).output, "info\n");
  EXPECT_EQ(user.bash("CLEVERAGENTS_LOG_LEVEL=error \"$AGENTS\" config get log.level").output,
            "error\n");
}

TEST(ConfigTest, ExitCodesTellWhatHappened) {
  const User user;
  EXPECT_EQ(user.agents({"config", "get", "model.default"}).exit_code, 3);
  EXPECT_EQ(user.agents({"config", "unset", "model.default"}).exit_code, 3);
  EXPECT_EQ(user.agents({"config", "get", "no.such.key"}).exit_code, 2);
  EXPECT_EQ(user.agents({"config", "set", "model.default", "nonsense"}).exit_code, 2);
}

}  // namespace
}  // namespace clever::e2e

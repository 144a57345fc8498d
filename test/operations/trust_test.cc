#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/cli_run.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class TrustCommandTest : public testing::Test {
 protected:
  TrustCommandTest() {
    repository_.write(".cleveragents/config.toml",
                      "[[validation]]\nname = 'tests'\ncommand = ['sh', 'run.sh']\n");
    repository_.write("run.sh", "true\n");
  }
  int run(std::vector<std::string> words) {
    words.insert(words.begin(), {"-C", repository_.path().string()});
    return cli_.run(words);
  }
  bool trusted() {
    EXPECT_EQ(run({"trust", "--show", "--format", "json"}), 0);
    return json::parse(cli_.output)["data"]["trusted"].get<bool>();
  }
  void at_a_terminal(std::string answer) {
    cli_.console.error_is_terminal = true;
    cli_.console.read_line = [answer](const base::StopToken&) {
      return base::Result<std::optional<std::string>>(answer);
    };
  }

  test::Repository repository_;
  test::CliRun cli_;
};

TEST_F(TrustCommandTest, WithoutATerminalItNeedsYes) {
  EXPECT_EQ(run({"trust"}), 5);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("sh run.sh"), HasSubstr("validation")));
  EXPECT_THAT(cli_.error_output, HasSubstr("agents trust --yes"));
  EXPECT_FALSE(trusted());
}

TEST_F(TrustCommandTest, YesIsEnough) {
  EXPECT_EQ(run({"trust", "--yes"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("trusted: 1 command until one of them changes"));
  EXPECT_TRUE(trusted());
  EXPECT_EQ(run({"trust"}), 0);
}

TEST_F(TrustCommandTest, AtATerminalItAsks) {
  at_a_terminal("yes");
  EXPECT_EQ(run({"trust"}), 0);
  EXPECT_THAT(cli_.error_output,
              AllOf(HasSubstr("validation tests: sh run.sh"), HasSubstr("Trust the untrusted")));
  EXPECT_TRUE(trusted());
}

TEST_F(TrustCommandTest, NoChangesNothing) {
  at_a_terminal("no");
  EXPECT_EQ(run({"trust"}), 5);
  EXPECT_THAT(cli_.error_output, HasSubstr("nothing was changed"));
  EXPECT_FALSE(trusted());
}

TEST_F(TrustCommandTest, ACommandCannotSteerTheTerminal) {
  repository_.write(".cleveragents/config.toml",
                    "[[validation]]\nname = 'tests'\ncommand = \"true \\u001b[2J\"\n");
  at_a_terminal("no");
  EXPECT_EQ(run({"trust"}), 5);
  EXPECT_THAT(cli_.error_output + cli_.output, Not(HasSubstr("\x1b[2J")));
}

TEST_F(TrustCommandTest, AChangedScriptIsAskedAboutAgain) {
  EXPECT_EQ(run({"trust", "--yes"}), 0);
  repository_.write("run.sh", "evil\n");
  EXPECT_FALSE(trusted());
  EXPECT_EQ(run({"trust"}), 5);
}

TEST_F(TrustCommandTest, RevokeTakesItBack) {
  EXPECT_EQ(run({"trust", "--yes"}), 0);
  EXPECT_EQ(run({"trust", "--revoke"}), 0);
  EXPECT_FALSE(trusted());
  EXPECT_EQ(run({"trust", "--revoke"}), 3);
}

TEST_F(TrustCommandTest, TwoFlagsExcludeEachOther) {
  EXPECT_EQ(run({"trust", "--yes", "--show"}), 2);
  EXPECT_EQ(run({"trust", "--revoke", "--show"}), 2);
}

TEST_F(TrustCommandTest, AProblemIsAWarning) {
  repository_.write(".mcp.json", "{");
  EXPECT_EQ(run({"trust", "--show"}), 0);
  EXPECT_THAT(cli_.error_output, HasSubstr(".mcp.json:1: not valid JSON"));
}

TEST_F(TrustCommandTest, ASetupOfTheProjectRunsOnlyIfItIsTrusted) {
  repository_.write(".cleveragents/config.toml", "[sandbox]\nsetup = 'echo set-up > made.txt'\n");
  const std::vector<std::string> look = {"sandbox", "run", "--", "ls"};
  EXPECT_EQ(run(look), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, Not(HasSubstr("made.txt")));
  EXPECT_EQ(run({"trust", "--yes"}), 0);
  EXPECT_EQ(run(look), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, HasSubstr("made.txt"));
}

}  // namespace
}  // namespace clever::cli

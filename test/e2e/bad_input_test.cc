#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/agents.h"

namespace clever::e2e {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

void expect_usage_error(const std::vector<std::string>& words, std::string_view message) {
  const User user;
  const auto result = user.agents(words);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, IsEmpty());
  EXPECT_THAT(result.error_output, HasSubstr(std::string(message)));
  EXPECT_THAT(result.error_output, HasSubstr("usage: agents "));
}

TEST(BadInputTest, WrongCommandLinesAreExplained) {
  expect_usage_error({"confg"}, "did you mean `config`?");
  expect_usage_error({"doctr"}, "did you mean `doctor`?");
  expect_usage_error({"config", "sett"}, "did you mean `set`?");
  expect_usage_error({"version", "--fromat", "json"}, "did you mean `--format`?");
  expect_usage_error({"version", "--format", "jason"}, "did you mean `json`?");
  expect_usage_error({"completion", "fishh"}, "did you mean `fish`?");
  expect_usage_error({"config", "set", "model.default"}, "missing argument VALUE");
  expect_usage_error({"config", "get"}, "missing argument KEY");
  expect_usage_error({"version", "extra"}, "unexpected argument 'extra'");
  expect_usage_error({"config"}, "needs a command");
  expect_usage_error({"config", "set", "output.format", "jsn"}, "did you mean json?");
  expect_usage_error({"config", "get", "modle.default"}, "did you mean model.default?");
}

TEST(BadInputTest, UsageErrorsForProgramsAreEnvelopes) {
  const User user;
  const auto result = user.agents({"confg", "--format=json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr(R"("status":"error","exit_code":2)"));
  EXPECT_THAT(result.error_output, IsEmpty());
}

TEST(BadInputTest, BytesThatAreNoTextAreSurvived) {
  const User user;
  for (const std::string word :
       {"\xff\xfe", "\x1b[2J", "a\xc3", "--\xff", "-\xff", "--format=\xff"}) {
    const auto result = user.agents({word});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.error_output, Not(HasSubstr("\x1b")));
    EXPECT_THAT(result.error_output, Not(HasSubstr("\xff")));
  }
  EXPECT_EQ(user.agents({"config", "set", "log.file", "\xff"}).exit_code, 2);
}

TEST(BadInputTest, AMegabyteOfArgumentsIsSurvived) {
  const User user;
  const std::string huge(120'000, 'x');
  const auto result = user.agents({huge, huge, huge, huge, huge, huge, huge, huge, huge});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_LT(result.error_output.size(), 1000U);
  EXPECT_EQ(user.agents({"config", "set", huge, huge}).exit_code, 2);
  EXPECT_EQ(user.agents({"--" + huge}).exit_code, 2);
  EXPECT_EQ(user.agents({"-C", huge, "version"}).exit_code, 3);
}

TEST(BadInputTest, AFullDiskIsNoticed) {
  const User user;
  const auto result = user.bash("\"$AGENTS\" version > /dev/full");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.error_output,
              HasSubstr("error: cannot write output: No space left on device"));
}

TEST(BadInputTest, AClosedOutputIsNoticed) {
  const User user;
  const auto result = user.bash("\"$AGENTS\" version >&-");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.error_output, HasSubstr("error: cannot write output"));
}

TEST(BadInputTest, AFileNeverTakesThePlaceOfAClosedOutput) {
  const User user;
  const auto result = user.bash("\"$AGENTS\" config set log.level debug >&- 2>&-");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(user.agents({"config", "get", "log.level"}).output, "debug\n");
  for (const auto& entry : std::filesystem::directory_iterator(user.folder() / "home")) {
    EXPECT_THAT(user.folder().read("home/" + entry.path().filename().string()),
                Not(HasSubstr(" in ~")))
        << entry.path();
  }
}

TEST(BadInputTest, AReaderThatWentAwayIsNotAnError) {
  const User user;
  const auto result = user.bash("exec 3> >(exec true); wait $!; \"$AGENTS\" --help >&3");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error_output, IsEmpty());
}

TEST(BadInputTest, WithoutInputNothingWaits) {
  const User user;
  EXPECT_EQ(user.bash("\"$AGENTS\" diagnostics <&-").exit_code, 0);
}

TEST(BadInputTest, BrokenSettingsAreNamedByFileAndLine) {
  const User user;
  const auto file = user.folder().write("home/config.toml", "[model]\ndefault = \n");
  const auto result = user.agents({"config", "list"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.error_output, HasSubstr(file.string() + ":2"));
  EXPECT_EQ(user.agents({"config", "set", "log.level", "debug"}).exit_code, 1);
  EXPECT_EQ(user.folder().read("home/config.toml"), "[model]\ndefault = \n");
  EXPECT_EQ(user.agents({"version"}).exit_code, 0);
  EXPECT_EQ(user.agents({"--help"}).exit_code, 0);
  EXPECT_EQ(user.agents({"completion", "bash"}).exit_code, 0);
}

TEST(BadInputTest, AHomeThatCannotBeUsedIsNamed) {
  const User user;
  user.folder().write("blocked", "");
  const std::string home = (user.folder() / "blocked/home").string();
  const auto result =
      user.bash("CLEVERAGENTS_HOME=" + home + " \"$AGENTS\" config set log.level debug");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.error_output, HasSubstr((user.folder() / "blocked").string()));
  EXPECT_EQ(user.bash("CLEVERAGENTS_HOME=" + home + " \"$AGENTS\" diagnostics").exit_code, 1);
}

}  // namespace
}  // namespace clever::e2e

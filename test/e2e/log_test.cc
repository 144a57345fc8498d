#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/agents.h"

namespace clever::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class LogTest : public testing::Test {
 protected:
  LogTest() { user_.set("CLEVERAGENTS_LOG_FILE", (user_.folder() / "agents.log").string()); }
  [[nodiscard]] std::string log() const { return user_.folder().read("agents.log"); }

  User user_;
};

TEST_F(LogTest, RecordsWhatACommandCameTo) {
  user_.set("CLEVERAGENTS_LOG_LEVEL", "info");
  EXPECT_EQ(user_.agents({"config", "list"}).exit_code, 0);
  EXPECT_THAT(log(), AllOf(HasSubstr("\"command ended\""), HasSubstr("\"command\":\"config list\""),
                           HasSubstr("\"exit_code\":0")));
}

TEST_F(LogTest, RecordsErrorsAlsoOfLinesItDidNotUnderstand) {
  EXPECT_EQ(user_.agents({"confg"}).exit_code, 2);
  EXPECT_EQ(user_.agents({"config", "get", "model.default"}).exit_code, 3);
  EXPECT_THAT(log(), AllOf(HasSubstr("unknown command 'confg'"), HasSubstr("model.default")));
  EXPECT_THAT(log(), Not(HasSubstr("command ended"))) << "the level is warn";
}

TEST_F(LogTest, KeepsSilentWhenOff) {
  user_.set("CLEVERAGENTS_LOG_LEVEL", "off");
  EXPECT_EQ(user_.agents({"confg"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(user_.folder() / "agents.log"));
}

TEST_F(LogTest, NoKeyOfTheEnvironmentReachesLogOrScreen) {
  user_.set("ACME_API_KEY", "correct-horse-battery");
  const auto result = user_.agents({"config", "get", "correct-horse-battery"});
  EXPECT_EQ(result.exit_code, 2);
  for (const std::string& text : {log(), result.output, result.error_output}) {
    EXPECT_THAT(text, Not(HasSubstr("correct-horse")));
  }
}

TEST(LogFileTest, AnUnusableFileIsAWarning) {
  User user;
  user.set("CLEVERAGENTS_LOG_FILE", "/dev/full");
  user.set("CLEVERAGENTS_LOG_LEVEL", "info");
  const auto result = user.agents({"config", "list"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error_output, HasSubstr("warning: cannot write the log file /dev/full"));
  EXPECT_THAT(result.output, Not(IsEmpty()));
}

}  // namespace
}  // namespace clever::e2e

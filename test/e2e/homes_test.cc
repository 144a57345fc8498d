// Two homes on one PostgreSQL server: the files of a plan are in the home that it began in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "e2e/agents.h"
#include "support/postgres_server.h"

namespace clever::e2e {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class HomesTest : public testing::Test {
 protected:
  HomesTest() {
    user_.set("CLEVERAGENTS_DATABASE_URL", database_.url());
    EXPECT_EQ(user_
                  .bash("git init -q -b main && git config user.name A && git config user.email a@b"
                        " && echo Foo > a.txt && git add . && git commit -qm first")
                  .exit_code,
              0);
  }

  // In the other home.
  [[nodiscard]] io::ProcessResult there(const std::string& words) const {
    return user_.bash("CLEVERAGENTS_HOME=$HOME/other exec \"$AGENTS\" " + words);
  }

  User user_;
  const test::PostgresDatabase database_{test::shared_postgres()};
};

TEST_F(HomesTest, AnotherHomeSaysWhereThePlansFilesAre) {
  const auto run = user_.bash(
      "\"$AGENTS\" run --actor local/codemod --arg find=Foo --arg replace=Bar --format json");
  ASSERT_EQ(run.exit_code, 0) << run.error_output;
  const std::string plan = json::parse(run.output)["data"]["plan_id"];
  const std::string place = "are in the home " + (user_.folder() / "home").string() + " on ";
  for (const char* words :
       {"resume", "apply --yes", "diff", "watch", "undo", "plan cancel", "plan prompt"}) {
    const std::string command =
        std::string(words) + " " + plan + (std::string(words) == "plan prompt" ? " go" : "");
    const auto refused = there(command);
    EXPECT_NE(refused.exit_code, 0) << command;
    EXPECT_THAT(refused.error_output,
                AllOf(HasSubstr(place), Not(HasSubstr("neither in the store")),
                      Not(HasSubstr("no process drives")), Not(HasSubstr("is held by"))))
        << command << "\n"
        << refused.output;
  }
  const auto status = there("status " + plan);
  EXPECT_EQ(status.exit_code, 0) << status.error_output;
  EXPECT_THAT(status.error_output, HasSubstr(place));
  // Nothing of that reached the plan: it lands where its files are.
  EXPECT_EQ(user_.bash("\"$AGENTS\" apply --yes " + plan).exit_code, 0);
  EXPECT_EQ(user_.bash("cat a.txt").output, "Bar\n");
  EXPECT_EQ(user_.bash("\"$AGENTS\" db verify").exit_code, 0);
}

TEST_F(HomesTest, AnotherHomeHasPlansOfItsOwn) {
  const auto run = there("run --actor local/codemod --arg find=Foo --arg replace=Bar");
  ASSERT_EQ(run.exit_code, 0) << run.error_output;
  EXPECT_EQ(there("apply --yes").exit_code, 0);
  EXPECT_EQ(user_.bash("cat a.txt").output, "Bar\n");
}

}  // namespace
}  // namespace clever::e2e

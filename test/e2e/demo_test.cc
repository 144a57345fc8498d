#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "e2e/agents.h"

namespace clever::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Somebody whose temporary folder holds nothing but what the demo leaves.
class DemoTest : public testing::Test {
 protected:
  DemoTest() {
    std::filesystem::create_directories(temporary());
    user_.set("TMPDIR", temporary().string());
  }
  [[nodiscard]] std::filesystem::path temporary() const { return user_.folder() / "temporary"; }
  [[nodiscard]] std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(temporary())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  // Nothing of the demo is at work any more.
  [[nodiscard]] std::string still_running() const {
    // The brackets keep it from finding itself.
    return user_
        .bash("grep -lsa '" + user_.folder().path().string() +
              "/temporar[y]/agents-demo-' /proc/[0-9]*/cmdline || true")
        .output;
  }

  User user_;
};

TEST_F(DemoTest, SurvivesItsKill) {
  const auto seen = user_.agents({"demo", "--format", "json"});
  ASSERT_EQ(seen.exit_code, 0) << seen.output << seen.error_output;
  const json data = json::parse(seen.output)["data"];
  EXPECT_EQ(data["scripted"], true);
  EXPECT_EQ(data["subplans"], 8);
  EXPECT_GE(data["killed"]["subplans_done"], 4);
  EXPECT_EQ(data["undisturbed"]["same"], true);
  EXPECT_EQ(data["undisturbed"]["tree"], data["tree"]);
  EXPECT_EQ(data["undisturbed"]["answers"], data["answers"]);
  EXPECT_EQ(data["tests"]["before"]["passed"], 0);
  EXPECT_EQ(data["tests"]["after"]["passed"], 8);
  EXPECT_EQ(seen.error_output, "");
  EXPECT_THAT(left(), IsEmpty());
  EXPECT_EQ(still_running(), "");
}

TEST_F(DemoTest, IsPlainInAPipeAndTouchesNothingOfTheUser) {
  const auto seen = user_.agents({"demo"});
  ASSERT_EQ(seen.exit_code, 0) << seen.output << seen.error_output;
  EXPECT_THAT(seen.output, HasSubstr("No model was called"));
  EXPECT_THAT(seen.output, HasSubstr("+  echo $(($1 + $2))"));
  EXPECT_THAT(seen.output, HasSubstr("agents run"));
  EXPECT_THAT(seen.output + seen.error_output, Not(HasSubstr("\x1b")));
  EXPECT_FALSE(std::filesystem::exists(user_.folder() / "home/cleveragents.db"));
}

TEST_F(DemoTest, CanBeKeptAndLookedAt) {
  const auto seen = user_.agents({"demo", "--keep", "--format", "json"});
  ASSERT_EQ(seen.exit_code, 0) << seen.output << seen.error_output;
  const std::string project = json::parse(seen.output)["data"]["project"];
  EXPECT_EQ(left().size(), 1U);
  EXPECT_EQ(user_.run({"sh", project + "/test.sh"}).exit_code, 0);
  const auto list = user_.bash("CLEVERAGENTS_HOME=" + project + "/../home \"$AGENTS\" -C " +
                               project + " plan list --format json");
  EXPECT_EQ(list.exit_code, 0) << list.error_output;
  EXPECT_EQ(json::parse(list.output)["data"]["plans"].size(), 1U) << list.output;
}

TEST_F(DemoTest, LiveNeedsAProvider) {
  const auto seen = user_.agents({"demo", "--live"});
  EXPECT_NE(seen.exit_code, 0);
  EXPECT_THAT(seen.error_output, HasSubstr("provider"));
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(DemoTest, ATerminalSeesProgress) {
  const std::string seen = user_
                               .run({"script", "--quiet", "--return", "--command",
                                     "stty cols 100 rows 40; \"$AGENTS\" demo", "/dev/null"})
                               .output;
  EXPECT_THAT(seen, HasSubstr("kill -9"));
  EXPECT_THAT(seen, HasSubstr("Repair upper"));
  EXPECT_THAT(seen, HasSubstr("\x1b["));
  EXPECT_THAT(left(), IsEmpty());
}

}  // namespace
}  // namespace clever::e2e

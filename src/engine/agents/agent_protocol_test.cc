#include "engine/agents/agent_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/automation.h"

namespace clever::engine {
namespace {

using model::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

AgentProgram program() {
  return {.command = {"agent", "${task}"},
          .acp_command = {"sh", "acp"},
          .acp_set = {{"MODE", "approve"}},
          .set = {{"MODE", "auto"}, {"OTHER", "1"}}};
}

model::PlanSettings with_rule(Verdict verdict) {
  model::PlanSettings settings;
  settings.control.permissions = {{.verdict = verdict, .pattern = "run_command(git push *)"}};
  return settings;
}

const std::vector<std::string> kEnvironment{"X=1", "PATH=/nowhere:/bin:/usr/bin"};

TEST(AgentProtocol, RulesThatNeedAnAgentToAsk) {
  model::PlanSettings settings = with_rule(Verdict::kAllow);
  settings.control.automation = model::automation_of_profile("supervised", true).value();
  EXPECT_THAT(rules_on_calls(settings), IsEmpty());
  settings = with_rule(Verdict::kDeny);
  settings.control.guards.denied_tools = {"search", "move_file"};
  settings.control.guards.allowed_tools = {"read_file"};
  settings.profile = "manual";
  settings.control.automation = model::automation_of_profile("manual", true).value();
  EXPECT_THAT(rules_on_calls(settings),
              ElementsAre("deny run_command(git push *)", "guards.denied_tools search, move_file",
                          "guards.allowed_tools read_file", "the profile manual"));
}

TEST(AgentProtocol, WithRulesAnAgentIsAskedOverTheProtocolIfItsServerIsThere) {
  EXPECT_FALSE(program_for(program(), {}, kEnvironment).speaks_acp);
  const AgentProgram server = program_for(program(), with_rule(Verdict::kAsk), kEnvironment);
  EXPECT_TRUE(server.speaks_acp);
  EXPECT_THAT(server.command, ElementsAre("sh", "acp"));
  EXPECT_EQ(server.set.at("MODE"), "approve");
  EXPECT_EQ(server.set.at("OTHER"), "1");
  EXPECT_FALSE(program_for(program(), with_rule(Verdict::kAsk), {"PATH=/nowhere"}).speaks_acp);
  AgentProgram plain = program();
  plain.acp_command.clear();
  EXPECT_FALSE(program_for(plain, with_rule(Verdict::kAsk), kEnvironment).speaks_acp);
}

TEST(AgentProtocol, UnenforcedRulesAreNamed) {
  EXPECT_EQ(unbound_words("claude", program(), {}), "");
  EXPECT_EQ(unbound_words("claude", over_acp(program()), with_rule(Verdict::kDeny)), "");
  EXPECT_EQ(unbound_words("claude", program(), with_rule(Verdict::kDeny)),
            "claude does not ask before it acts, so only the sandbox binds it, not: deny "
            "run_command(git push *); it asks once its server of the Agent Client Protocol is "
            "installed (sh)");
}

}  // namespace
}  // namespace clever::engine

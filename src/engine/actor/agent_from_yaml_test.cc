#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/actor/tool_actor.h"

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

base::Result<Actor> agent(std::string_view rest) {
  return actor_from_yaml("name: a\ntype: agent\narguments: [{name: level}]\n" + std::string(rest),
                         "a.yaml");
}
std::string agent_error(std::string_view rest) {
  const auto actor = agent(rest);
  return actor.ok() ? "no error" : actor.error().message();
}

TEST(AgentFromYaml, ByCommand) {
  const Actor actor = agent(
                          "command: [claude, -p, \"${task}\", --effort, \"${level}\"]\n"
                          "network: true\nfolders: [~/.claude, /opt/agent]\n"
                          "environment: [ANTHROPIC_API_KEY]\ntimeout_s: 60\n")
                          .value();
  EXPECT_EQ(actor.type, ActorType::kAgent);
  EXPECT_THAT(actor.program.command,
              ElementsAre("claude", "-p", "${task}", "--effort", "${level}"));
  EXPECT_FALSE(actor.program.speaks_acp);
  EXPECT_FALSE(actor.program.reads_task);
  EXPECT_TRUE(actor.program.network);
  EXPECT_THAT(actor.program.folders, ElementsAre("~/.claude", "/opt/agent"));
  EXPECT_THAT(actor.program.environment, ElementsAre("ANTHROPIC_API_KEY"));
  EXPECT_EQ(actor.program.timeout_s, 60);
}

TEST(AgentFromYaml, ThatReadsItsTask) {
  EXPECT_TRUE(agent("command: [codex, exec]\nprompt: stdin\n")->program.reads_task);
}

TEST(AgentFromYaml, OverTheProtocolNeedsNoTaskInItsCommand) {
  const Actor actor = agent("command: [claude-code-acp]\nprotocol: acp\n").value();
  EXPECT_TRUE(actor.program.speaks_acp);
  EXPECT_FALSE(actor.program.network);
}

TEST(AgentFromYaml, MistakesNameTheCure) {
  EXPECT_THAT(agent_error(""), HasSubstr("a list of words such as [claude, -p, \"${task}\"]"));
  EXPECT_THAT(agent_error("command: claude\n"), HasSubstr("a list of words"));
  EXPECT_EQ(agent_error("command: [claude]\n"),
            "a.yaml:4: command has no ${task}: add it, or prompt: stdin if the program reads the "
            "task");
  EXPECT_THAT(agent_error("command: [claude]\nprompt: argument\n"),
              HasSubstr("has no ${task}; add it"));
  EXPECT_THAT(agent_error("command: [c, \"${task}\"]\nprompt: stdin\n"),
              HasSubstr("remove one of them"));
  EXPECT_THAT(agent_error("command: [c]\nprompt: mail\n"), HasSubstr("must be argument or stdin"));
  EXPECT_THAT(agent_error("command: [c, \"${taks}\"]\n"), HasSubstr("there is no variable"));
  EXPECT_THAT(agent_error("command: [\"${task}\"]\n"), HasSubstr("begins with a variable"));
  EXPECT_THAT(agent_error("command: [c]\nprotocol: acpp\n"),
              HasSubstr("there is no protocol \"acpp\"; did you mean \"acp\"?"));
  EXPECT_THAT(agent_error("command: [c]\nprotocol: acp\nprompt: stdin\n"),
              HasSubstr("is the protocol's to say"));
  EXPECT_THAT(agent_error("command: [c, \"${task}\"]\nprotocol: acp\n"),
              HasSubstr("there is no variable"));
  for (const std::string folder : {"~", "~/", "/", "relative", "~/../x", "/a/../.."}) {
    EXPECT_THAT(agent_error("command: [c, \"${task}\"]\nfolders: [\"" + folder + "\"]\n"),
                HasSubstr("must be a folder of its own"))
        << folder;
  }
  EXPECT_THAT(agent_error("command: [c, \"${task}\"]\nenvironment: [\"A B\"]\n"),
              HasSubstr("a name of a variable"));
  EXPECT_THAT(agent_error("command: [c, \"${task}\"]\ntimeout_s: 0\n"), HasSubstr("timeout_s"));
  EXPECT_THAT(agent_error("command: [c, \"${task}\"]\nmodel: x\n"),
              HasSubstr("model belongs to an actor of type llm"));
}

}  // namespace
}  // namespace clever::engine

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

TEST(AgentFromYaml, WithStreamSessionModelAndLogin) {
  const AgentProgram program =
      agent(
          "command: [c, \"${session}\", \"${model}\", \"${task}\"]\nstream: codex\n"
          "choose_model: [-m, \"${model}\"]\nresume_session: [resume, \"${session}\"]\n"
          "set: {A_B: \"1\"}\nenvironment: [K, \"A=B\"]\n"
          "login: [{file: ~/.c/auth.json, fields: [a, b.c], tokens: [a]}]\n"
          "settings: [{file: ~/.c/s.json, content: \"{}\", when: no login}]\n")
          ->program;
  EXPECT_EQ(program.stream, AgentStreamFormat::kCodex);
  EXPECT_THAT(program.model_words, ElementsAre("-m", "${model}"));
  EXPECT_THAT(program.resume_words, ElementsAre("resume", "${session}"));
  EXPECT_EQ(program.set.at("A_B"), "1");
  ASSERT_EQ(program.logins.size(), 1U);
  EXPECT_THAT(program.logins[0].fields, ElementsAre("a", "b.c"));
  ASSERT_EQ(program.settings.size(), 1U);
  EXPECT_EQ(program.settings[0].when, AgentSettings::When::kWithoutLogin);
}

TEST(AgentFromYaml, MistakesOfWhatPresetsHaveNameTheCure) {
  const std::string command = "command: [c, \"${task}\"]\n";
  EXPECT_THAT(agent_error("like: claud\n"), HasSubstr("did you mean \"claude\"?"));
  EXPECT_THAT(agent_error(command + "stream: codx\n"), HasSubstr("did you mean \"codex\"?"));
  EXPECT_THAT(agent_error(command + "choose_model: [\"${modl}\"]\n"),
              HasSubstr("there is no variable"));
  EXPECT_THAT(agent_error(command + "hosts: [\"a b\"]\n"), HasSubstr("must be a host"));
  EXPECT_THAT(agent_error(command + "set: [a]\n"), HasSubstr("a mapping of variables"));
  EXPECT_THAT(agent_error(command + "login: [{file: /etc/passwd, fields: [a]}]\n"),
              HasSubstr("a file of the home"));
  EXPECT_THAT(agent_error(command + "login: [{file: ~/../x, fields: [a]}]\n"),
              HasSubstr("a file of the home"));
  EXPECT_THAT(agent_error(command + "login: [{file: ~/.a}]\n"),
              HasSubstr("the key \"fields\" is missing"));
  EXPECT_THAT(agent_error(command + "settings: [{file: ~/.a, content: x, when: never}]\n"),
              HasSubstr("always, login or no login"));
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

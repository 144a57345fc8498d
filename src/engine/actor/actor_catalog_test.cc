#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/actor/action.h"
#include "engine/actor/tool_actor.h"
#include "support/temporary_directory.h"

namespace clever::engine {
namespace {

using testing::HasSubstr;

constexpr std::string_view kPresets =
    "local/claude local/codex local/gemini local/goose local/opencode local/qwen ";

template <class Catalog>
std::string catalog_names(const Catalog& catalog) {
  std::string text;
  for (const auto& thing : catalog.all()) text += thing.name + " ";
  return text;
}

TEST(ActorCatalog, BuiltInOnesAreAlwaysThere) {
  const ActorCatalog catalog = ActorCatalog::load({"/nowhere"}).value();
  EXPECT_EQ(catalog_names(catalog), "local/task local/codemod " + std::string(kPresets));
  EXPECT_EQ(catalog.find("codemod").value().name, "local/codemod");
  EXPECT_EQ(catalog.find("local/task").value().type, ActorType::kLlm);
  EXPECT_EQ(catalog.find("local/codemod").value().split_into, 16);
}

TEST(ActorCatalog, WhatIsNotThereIsNamed) {
  const ActorCatalog catalog = ActorCatalog::load({}).value();
  EXPECT_EQ(catalog.find("codemd").error().to_string(),
            "there is no actor \"codemd\"; did you mean local/codemod? (not_found)");
  EXPECT_THAT(catalog.find("nope").error().message(), HasSubstr("\"nope\"; there are local/task"))
      << "local/ in common is no likeness";
  EXPECT_EQ(catalog.find("zzzzzzz").error().message(),
            "there is no actor \"zzzzzzz\"; there are local/task, local/codemod, local/claude, "
            "local/codex, local/gemini, local/goose, local/opencode, local/qwen");
}

TEST(ActorCatalog, FilesOfTheFolders) {
  const test::TemporaryDirectory home;
  const test::TemporaryDirectory project;
  home.write("z.yaml", "{name: z, type: llm, description: home}");
  home.write("b.yml", "{name: b, type: llm}");
  home.write(".hidden.yaml", "no actor");
  home.write("notes.txt", "no actor");
  project.write("z.yaml", "{name: z, type: llm, description: project}");
  const ActorCatalog catalog = ActorCatalog::load({home.path(), project.path()}).value();
  EXPECT_EQ(catalog_names(catalog),
            "local/task local/codemod " + std::string(kPresets) + "local/b local/z ");
  EXPECT_EQ(catalog.find("z").value().description, "project");
}

TEST(ActorCatalog, AFileWithAPresetsNameCountsInItsPlace) {
  const test::TemporaryDirectory home;
  home.write("c.yaml", "{name: claude, type: agent, like: claude, timeout_s: 5, hosts: [h.org]}");
  const ActorCatalog catalog = ActorCatalog::load({home.path()}).value();
  const AgentProgram program = catalog.find("claude").value().program;
  EXPECT_EQ(program.timeout_s, 5);
  EXPECT_EQ(program.hosts, std::vector<std::string>{"h.org"});
  EXPECT_EQ(program.command.front(), "claude");
  EXPECT_EQ(program.stream, AgentStreamFormat::kClaude);
  EXPECT_EQ(catalog.all().size(), 8U);
}

TEST(ActorCatalog, EachPresetSaysHowItIsInstalledReadAndContinued) {
  for (const Actor& actor : ActorCatalog::load({}).value().all()) {
    if (actor.type != ActorType::kAgent) continue;
    const AgentProgram& program = actor.program;
    EXPECT_NE(program.stream, AgentStreamFormat::kText) << actor.name;
    EXPECT_FALSE(program.install.empty()) << actor.name;
    EXPECT_FALSE(program.log_in.empty()) << actor.name;
    EXPECT_FALSE(program.hosts.empty()) << actor.name;
    EXPECT_FALSE(program.model_words.empty()) << actor.name;
    EXPECT_FALSE(program.resume_words.empty()) << actor.name;
    // codex runs simple commands unasked over ACP, so rules could not bind it there.
    EXPECT_EQ(program.acp_command.empty(), actor.name == "local/codex") << actor.name;
    EXPECT_FALSE(program.network) << actor.name;
  }
}

TEST(ActorCatalog, MistakesNameTheFile) {
  const test::TemporaryDirectory folder;
  const auto load = [&] { return ActorCatalog::load({folder.path()}).error().message(); };
  folder.write("a.yaml", "{name: task, type: llm}");
  EXPECT_THAT(load(), HasSubstr("a.yaml: the actor local/task is built in; choose another name"));
  folder.write("a.yaml", "{name: x, type: llm}");
  folder.write("b.yaml", "{name: x, type: llm}");
  EXPECT_THAT(load(), HasSubstr("b.yaml: the actor local/x is in"));
  folder.write("b.yaml", "nonsense");
  EXPECT_THAT(load(), HasSubstr("b.yaml:1: the file holds \"nonsense\""));
}

TEST(ActionCatalog, HomeAndProject) {
  const test::TemporaryDirectory home;
  const test::TemporaryDirectory project;
  home.write("a.yaml", "{name: a, description: A.}");
  project.write("b.yaml", "{name: b, description: B.}");
  const ActionCatalog catalog = ActionCatalog::load({home.path()}, {project.path()}).value();
  EXPECT_EQ(catalog_names(catalog), "local/task local/a local/b ");
  EXPECT_FALSE(catalog.find("task").value().of_project);
  EXPECT_FALSE(catalog.find("a").value().of_project);
  EXPECT_TRUE(catalog.find("b").value().of_project);
  EXPECT_EQ(catalog.find("c").error().code(), base::ErrorCode::kNotFound);
}

TEST(ActionCatalog, ABuiltInNameIsRefused) {
  const test::TemporaryDirectory home;
  home.write("a.yaml", "{name: local/task, description: Mine.}");
  EXPECT_THAT(ActionCatalog::load({home.path()}).error().message(), HasSubstr("is built in"));
}

}  // namespace
}  // namespace clever::engine

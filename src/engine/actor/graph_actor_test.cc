#include "engine/actor/graph_actor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/model_terms.h"
#include "support/temporary_directory.h"

namespace clever::engine {
namespace {

using testing::HasSubstr;

constexpr std::string_view kReviewer =
    "name: reviewer\ntype: llm\nmodel: p/strong\narguments: [{name: depth, required: true}]\n";
constexpr std::string_view kShell = "name: shell\ntype: agent\ncommand: [sh, -c, \"${task}\"]\n";
constexpr std::string_view kTidy =
    "name: tidy\ntype: tool\nsteps: [{replace: {find: a, replace: b}}]\nsplit: {glob: '*'}\n";

class GraphActorTest : public ::testing::Test {
 protected:
  GraphActorTest() {
    add("reviewer", kReviewer);
    add("shell", kShell);
    add("tidy", kTidy);
  }
  void add(const std::string& name, std::string_view yaml) const {
    std::ofstream(folder_ / (name + ".yaml")) << yaml;
  }
  [[nodiscard]] ActorCatalog actors() const { return ActorCatalog::load({folder_.path()}).value(); }
  // The graph "g" of these nodes.
  std::string error_of(std::string_view nodes) const {
    add("g", "name: g\ntype: graph\nnodes:\n" + std::string(nodes));
    const ActorCatalog catalog = actors();
    const auto checked = check_graph(catalog.find("g").value(), catalog);
    return checked.ok() ? "no error" : checked.error().sentence();
  }
  // A child as the subplan service makes it, then given to the step's actor.
  plan::Create child(const std::string& actor, std::map<std::string, std::string> arguments = {},
                     model::PlanSettings settings = {}) const {
    settings.terms.model = "p/plan";
    plan::Create create{.settings = std::move(settings)};
    const model::StrategyStep step{.id = "s", .actor = actor, .arguments = std::move(arguments)};
    const auto taken = take_actor(create, step, actors(), test::terms_of_model);
    EXPECT_TRUE(taken.ok()) << taken.error().message();
    return create;
  }

  test::TemporaryDirectory folder_;
};

TEST_F(GraphActorTest, WhatItNamesMustExistAndFit) {
  EXPECT_EQ(error_of("  a: {agent: {actor: reviewer, task: t, arguments: {depth: '1'}}}\n"),
            "no error");
  EXPECT_THAT(error_of("  a: {agent: {actor: reviwer, task: t}}\n"),
              HasSubstr("did you mean local/reviewer?"));
  EXPECT_THAT(error_of("  a: {agent: {actor: reviwer, task: t}}\n"), HasSubstr("g.yaml: nodes.a"));
  EXPECT_THAT(error_of("  a: {agent: {actor: reviewer, task: t}}\n"), HasSubstr("depth"));
  EXPECT_THAT(error_of("  a: {agent: {actor: reviewer, arguments: {depth: '1'}}}\n"),
              HasSubstr("the key \"task\" is missing"));
  EXPECT_THAT(error_of("  a: {agent: {actor: shell}}\n"), HasSubstr("the key \"task\" is missing"));
  EXPECT_EQ(error_of("  a: {agent: {actor: tidy}}\n"), "no error");
  EXPECT_THAT(error_of("  a: {subgraph: {actor: tidy}}\n"),
              HasSubstr("write agent instead of subgraph"));
  EXPECT_THAT(error_of("  a: {agent: {actor: g, task: t}}\n"),
              HasSubstr("write subgraph instead of agent"));
}

TEST_F(GraphActorTest, AGraphWithinItselfIsRefused) {
  EXPECT_THAT(error_of("  a: {subgraph: {actor: g}}\n"),
              HasSubstr("the graph is within itself: local/g → local/g"));
  add("h", "name: h\ntype: graph\nnodes: {a: {subgraph: {actor: g}}}\n");
  EXPECT_THAT(
      error_of("  a: {subgraph: {actor: h}}\n"),
      HasSubstr("h.yaml: nodes.a: the graph is within itself: local/g → local/h → local/g"));
}

TEST_F(GraphActorTest, GraphsGoFiveDeep) {
  for (int i = 1; i <= 5; ++i) {
    const std::string inner =
        i == 5 ? "{agent: {actor: tidy}}" : "{subgraph: {actor: d" + std::to_string(i + 1) + "}}";
    add("d" + std::to_string(i),
        "name: d" + std::to_string(i) + "\ntype: graph\nnodes: {a: " + inner + "}\n");
  }
  EXPECT_EQ(error_of("  a: {subgraph: {actor: d2}}\n"), "no error");
  EXPECT_THAT(error_of("  a: {subgraph: {actor: d1}}\n"), HasSubstr("at most 5 deep"));
}

TEST_F(GraphActorTest, WhetherAModelIsNeeded) {
  const auto needs = [&](std::string_view nodes) {
    std::ignore = error_of(nodes);
    const ActorCatalog catalog = actors();
    return needs_model(catalog.find("g").value(), catalog);
  };
  EXPECT_FALSE(needs("  a: {agent: {actor: tidy}}\n  b: {agent: {actor: shell, task: t}}\n"));
  EXPECT_TRUE(needs("  a: {agent: {actor: tidy}}\n  b: {agent: {task: t}}\n"));
  add("h", "name: h\ntype: graph\nnodes: {a: {agent: {task: t}}}\n");
  EXPECT_TRUE(needs("  a: {subgraph: {actor: h}}\n"));
  EXPECT_FALSE(needs("  a: {agent: {actor: nobody, task: t}}\n"));
}

TEST_F(GraphActorTest, AToolNodeIsAToolActor) {
  std::ignore = error_of("  a: {tool: {steps: [{delete: x}]}}\n  b: {agent: {actor: tidy}}\n");
  const Actor node = actors().find("g#a").value();
  EXPECT_EQ(node.name, "local/g#a");
  EXPECT_EQ(node.type, ActorType::kTool);
  EXPECT_EQ(node.steps.size(), 1U);
  EXPECT_THAT(actors().find("local/g#b").error().message(), HasSubstr("has no tool node b"));
  EXPECT_FALSE(actors().find("local/x#b").ok());
}

TEST_F(GraphActorTest, AChildOfAModel) {
  const plan::Create create = child("local/reviewer", {{"depth", "2"}, {"project", "p"}});
  EXPECT_EQ(create.settings.actor, "local/reviewer");
  EXPECT_TRUE(create.settings.uses_model);
  EXPECT_TRUE(create.settings.direct);
  EXPECT_EQ(create.settings.terms.model, "p/strong");
  EXPECT_EQ(std::get<model::Text>(create.prompt.parts.at(0)).text, "Given:\n- depth: 2");
  EXPECT_EQ(child("local/task").settings.terms.model, "p/plan");
  EXPECT_TRUE(child("local/task").prompt.parts.empty());
  EXPECT_FALSE(child("local/task", {}, {.subplans = {.strategize = true}}).settings.direct);
}

TEST_F(GraphActorTest, AChildWithoutAModel) {
  const plan::Create tool = child("local/tidy");
  EXPECT_FALSE(tool.settings.uses_model);
  EXPECT_FALSE(tool.settings.direct);
  EXPECT_TRUE(child("local/shell").settings.direct);
  std::ignore = error_of("  a: {tool: {steps: [{delete: x}]}}\n");
  EXPECT_FALSE(child("local/g").settings.direct);
  EXPECT_TRUE(child("local/g#a").settings.direct);
}

TEST_F(GraphActorTest, AChildHasNoStrategistWhoseStrategyItIsPartOf) {
  model::PlanSettings settings;
  settings.strategy_actor = "local/tidy";
  settings.strategy_uses_model = false;
  settings.subplans.strategize = true;
  EXPECT_EQ(child("", {}, settings).settings.strategy_actor, "");
  EXPECT_TRUE(child("", {}, settings).settings.direct);
  settings.strategy_uses_model = true;
  EXPECT_EQ(child("", {}, settings).settings.strategy_actor, "local/tidy");
  EXPECT_EQ(child("local/task", {}, settings).settings.strategy_actor, "");
}

TEST_F(GraphActorTest, AnActorThatIsGoneIsAnError) {
  plan::Create create;
  EXPECT_FALSE(
      take_actor(create, {.id = "s", .actor = "local/gone"}, actors(), test::terms_of_model).ok());
}

// ---- new plans ---------------------------------------------------------------------------------

class GraphPlans : public GraphActorTest {
 protected:
  base::Result<plan::Create> create(const NewPlanOptions& options) const {
    return new_plan(action, actors(), options, test::terms_of_model);
  }
  std::string error(const NewPlanOptions& options) const {
    const auto created = create(options);
    return created.ok() ? "no error" : created.error().message();
  }
  Action action = ActionCatalog::load({}).value().find("task").value();
};

TEST_F(GraphPlans, AGraphIsNeverDirectAndHasTheTermsOfItsModels) {
  std::ignore = error_of("  a: {agent: {task: t}}\n");
  const auto created = create({.project = "/p/q", .actor = "g", .direct = true}).value();
  EXPECT_FALSE(created.settings.uses_model);
  EXPECT_FALSE(created.settings.direct);
  EXPECT_EQ(created.settings.terms.model, "p/default");
  EXPECT_EQ(created.settings.arguments.at("project"), "q");
  EXPECT_EQ(created.title, "g");
}

TEST_F(GraphPlans, AGraphThatDoesNotFitMakesNoPlan) {
  std::ignore = error_of("  a: {agent: {actor: nobody, task: t}}\n");
  EXPECT_THAT(error({.actor = "g"}), HasSubstr("nobody"));
}

TEST_F(GraphPlans, AnAgentNeedsATaskAndGetsItsArguments) {
  EXPECT_THAT(error({.actor = "shell"}), HasSubstr("the task is missing"));
  const auto created = create({.task = "Do it", .actor = "shell"}).value();
  EXPECT_TRUE(created.settings.direct);
  EXPECT_FALSE(created.settings.uses_model);
  EXPECT_EQ(created.settings.terms.model, "");
  EXPECT_THAT(error({.task = "t", .images = {{"image/png", "x"}}, .actor = "shell"}),
              HasSubstr("cannot take an image"));
}

TEST_F(GraphPlans, AStrategistOfItsOwn) {
  action.strategy_actor = "local/reviewer";
  const auto created = create({.task = "t", .arguments = {{"depth", "1"}}}).value();
  EXPECT_EQ(created.settings.strategy_actor, "local/reviewer");
  EXPECT_TRUE(created.settings.strategy_uses_model);
  EXPECT_EQ(created.settings.terms.model, "p/default");
  EXPECT_EQ(created.settings.strategy_terms.model, "p/strong");
  const auto chosen =
      create({.task = "t", .model = "p/mine", .arguments = {{"depth", "1"}}}).value();
  EXPECT_EQ(chosen.settings.terms_for(true).model, "p/mine");
}

TEST_F(GraphPlans, AStrategistWithAModelForAnActorWithout) {
  action.strategy_actor = "local/reviewer";
  action.execution_actor = "local/shell";
  const auto created = create({.task = "t", .arguments = {{"depth", "1"}}}).value();
  EXPECT_FALSE(created.settings.direct);
  EXPECT_FALSE(created.settings.uses_model);
  EXPECT_EQ(created.settings.terms_for(true).model, "p/strong");
}

TEST_F(GraphPlans, AStrategistWithoutAModel) {
  action.strategy_actor = "local/tidy";
  const auto created = create({.task = "t", .project = "/p/q"}).value();
  EXPECT_FALSE(created.settings.strategy_uses_model);
  EXPECT_TRUE(created.settings.uses_model);
  EXPECT_EQ(created.settings.arguments.at("project"), "q");
}

TEST_F(GraphPlans, AnAgentAsStrategist) {
  action.strategy_actor = "local/shell";
  const auto created = create({.task = "t"}).value();
  EXPECT_FALSE(created.settings.direct);
  EXPECT_FALSE(created.settings.strategy_uses_model);
  EXPECT_TRUE(created.settings.strategy_uses_agent);
  EXPECT_TRUE(created.settings.uses_model);
}

TEST_F(GraphPlans, StrategistsThatMakeNoSense) {
  std::ignore = error_of("  a: {agent: {task: t}}\n");
  action.strategy_actor = "local/reviewer";
  action.execution_actor = "local/g";
  EXPECT_THAT(error({.task = "t", .arguments = {{"depth", "1"}}}),
              HasSubstr("makes its own strategy: remove strategy_actor"));
  action.strategy_actor = "local/g";
  action.execution_actor = "local/task";
  std::ignore = error_of("  a: {agent: {actor: nobody, task: t}}\n");
  EXPECT_THAT(error({.task = "t"}), HasSubstr("nobody"));
}

TEST_F(GraphPlans, OneActorForAllIsChosenByAPerson) {
  action.strategy_actor = "local/tidy";
  EXPECT_EQ(create({.task = "t", .actor = "task"})->settings.strategy_actor, "");
}

}  // namespace
}  // namespace clever::engine

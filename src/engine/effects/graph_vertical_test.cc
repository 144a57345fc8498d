// Graph actors, agents and strategists as whole plans: real repository, real processes, a model
// that answers from a script.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/actor/graph_actor.h"
#include "engine/actor/new_plan.h"
#include "engine/effects/workspace_closer.h"
#include "engine/plan_engine.h"
#include "storage/changesets.h"
#include "support/effects_world.h"

namespace clever::engine {
namespace {

using model::PlanState;
using model::StepState;
using plan::State;
using test::EffectsWorld;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GraphWorld {
 public:
  explicit GraphWorld(const std::vector<std::string>& actors,
                      std::string_view script = "rules: [{reply: Done.}]")
      : world(script, EffectsWorld::Database::kFile) {
    world.repository.write("a.txt", "one\n");
    world.repository.commit();
    const std::filesystem::path folder = world.repository.beside("actors");
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      std::ofstream(folder / (std::to_string(i) + ".yaml")) << actors[i];
    }
    world.actors = ActorCatalog::load({folder}).value();
    world.command_world = {.home = world.repository.beside("user"),
                           .own_home = world.repository.beside("own"),
                           .environment = {"PATH=/usr/local/bin:/usr/bin:/bin"}};
    world.commands =
        tool::CommandWorld::make(world.clock, {.launcher = test::confine_launcher(),
                                               .world = world.command_world,
                                               .project_root = world.repository.path(),
                                               .shared_folder = world.repository.beside("setup")})
            .value();
    effects_ = make_effects(world.parts());
    closer_ = std::make_unique<WorkspaceCloser>(world.workspaces, world.scheduler, nullptr);
    engine = PlanEngine::make({.store = world.store,
                               .scheduler = world.scheduler,
                               .ids = world.ids,
                               .effects = *effects_,
                               .child = make_child_source(world.parts()),
                               .observer = closer_.get()});
  }
  ~GraphWorld() { engine.reset(); }
  GraphWorld(const GraphWorld&) = delete;
  GraphWorld& operator=(const GraphWorld&) = delete;

  std::shared_ptr<const State> run(NewPlanOptions options, const Action& action = task_action()) {
    options.project = world.repository.path().string();
    options.consent = true;
    const auto create = new_plan(action, world.actors, options, [&](const std::string& model) {
      return terms_of(world.models.registry(), model);
    });
    EXPECT_TRUE(create.ok()) << create.error().message();
    const auto plan = engine->create(*create, storage::Caps{}).value();
    return finish(plan);
  }
  std::shared_ptr<const State> finish(const model::PlanId& plan) {
    const auto deadline = base::Deadline::after(world.clock, std::chrono::minutes(2));
    return engine->wait(plan, {}, deadline).value();
  }
  [[nodiscard]] std::string file(const State& state, std::string_view path) {
    return world.file_in(state, state.tree, path);
  }
  // What a child recorded, by path.
  std::vector<std::string> changed_by(const plan::Step& step) {
    return storage::Changesets(world.database()).paths(finish(step.child)->id, 1'000).value();
  }
  static Action task_action() { return ActionCatalog::load({}).value().find("task").value(); }

  EffectsWorld world;

 private:
  std::unique_ptr<EffectRunner> effects_;
  std::unique_ptr<WorkspaceCloser> closer_;

 public:
  std::unique_ptr<PlanEngine> engine;
};

std::vector<std::string> in_state(const State& state, StepState wanted) {
  std::vector<std::string> ids;
  for (const plan::Step& step : state.steps) {
    if (step.state == wanted) ids.push_back(step.definition.id);
  }
  return ids;
}

std::string sixteen_nodes() {
  std::string yaml = "name: wide\ntype: graph\narguments: [{name: word, required: true}]\nnodes:\n";
  std::string edges = "edges:\n";
  for (int i = 0; i < 16; ++i) {
    const std::string id = "n" + std::to_string(i);
    yaml += "  " + id + ": {tool: {steps: [{template: {path: " + id + ".txt, content: \"${word} " +
            id + "\\n\"}}]}}\n";
    edges += "- {from: " + id + ", to: join}\n";
  }
  return yaml +
         "  join: {tool: {steps: [{replace: {find: '${word}', replace: both, glob: '*.txt'}}]}}\n" +
         edges;
}

TEST(GraphVertical, SixteenNodesBesideEachOtherEachWithItsOwnChanges) {
  GraphWorld world({sixteen_nodes()});
  const auto state = world.run({.actor = "wide", .arguments = {{"word", "hello"}}});
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  ASSERT_EQ(state->steps.size(), 17U);
  for (int i = 0; i < 16; ++i) {
    const plan::Step& step = state->steps[static_cast<std::size_t>(i)];
    const std::string id = "n" + std::to_string(i);
    EXPECT_EQ(step.state, StepState::kDone);
    EXPECT_EQ(step.files, 1);
    EXPECT_THAT(world.changed_by(step), ElementsAre(id + ".txt"));
    EXPECT_EQ(world.file(*state, id + ".txt"), "both " + id + "\n");
  }
  EXPECT_EQ(world.changed_by(state->steps[16]).size(), 16U);
  EXPECT_TRUE(state->is_ready_to_apply());
}

constexpr std::string_view kChoice = R"(name: choice
type: graph
arguments: [{name: mode, default: fast}]
nodes:
  look: {tool: {steps: [{command: {run: [sh, -c, 'test "$1" = fast || echo new > found.txt', sh, "${mode}"]}}]}}
  any: {conditional: {when: steps.look.files > 0, then: use, else: make}}
  use: {tool: {steps: [{command: "cp found.txt used.txt"}]}}
  make: {tool: {steps: [{template: {path: made.txt, content: made}}]}}
  after: {tool: {steps: [{template: {path: after.txt, content: x}}]}}
edges:
- {from: look, to: any}
- {from: use, to: after}
- {from: make, to: after}
)";

TEST(GraphVertical, ABranchIsTakenByWhatWasDoneBefore) {
  GraphWorld world({std::string(kChoice)});
  const auto fast = world.run({.actor = "choice"});
  ASSERT_EQ(fast->state, PlanState::kComplete) << fast->reason;
  EXPECT_THAT(in_state(*fast, StepState::kSkipped), ElementsAre("use"));
  EXPECT_EQ(world.file(*fast, "made.txt"), "made");
  EXPECT_EQ(world.file(*fast, "after.txt"), "x");

  const auto slow = world.run({.actor = "choice", .arguments = {{"mode", "slow"}}});
  ASSERT_EQ(slow->state, PlanState::kComplete) << slow->reason;
  EXPECT_THAT(in_state(*slow, StepState::kSkipped), ElementsAre("make"));
  EXPECT_EQ(world.file(*slow, "used.txt"), "new\n");
}

TEST(GraphVertical, AConditionThatDividesByZeroErrsThePlanWithAHint) {
  GraphWorld world(
      {"name: zero\ntype: graph\narguments: [{name: n, required: true}]\nnodes:\n"
       "  a: {tool: {steps: [{template: {path: a, content: x}}]}}\n"
       "  b: {tool: {steps: [{template: {path: b, content: x}}]}}\n"
       "edges: [{from: a, to: b, when: 10 / number(args.n) > 1}]\n"});
  const auto state = world.run({.actor = "zero", .arguments = {{"n", "0"}}});
  EXPECT_EQ(state->state, PlanState::kErrored);
  EXPECT_THAT(state->reason, HasSubstr("division by zero"));
  EXPECT_THAT(state->reason, HasSubstr("fix it in the actor's file"));
}

constexpr std::string_view kEdit =
    "rules:\n"
    "- match: {turn: 1}\n"
    "  tool_calls: [{name: write_file, arguments: {path: model.txt, content: m}}]\n"
    "- reply: Written.\n";

TEST(GraphVertical, ModelAgentToolAndSubgraphInOneGraph) {
  GraphWorld world(
      {"name: inner\ntype: graph\narguments: [{name: to, required: true}]\nnodes:\n"
       "  deep: {tool: {steps: [{template: {path: '${to}', content: deep}}]}}\n",
       "name: shell\ntype: agent\ncommand: [sh, -c, 'echo \"$1\" > agent.txt', sh, \"${task}\"]\n",
       "name: outer\ntype: graph\nnodes:\n"
       "  think: {agent: {task: Write model.txt}}\n"
       "  agent: {agent: {actor: shell, task: Say hello}}\n"
       "  sub: {subgraph: {actor: inner, arguments: {to: deep.txt}}}\n"
       "edges: [{from: think, to: sub}, {from: agent, to: sub}]\n"},
      kEdit);
  const auto state = world.run({.task = "All of it", .actor = "outer"});
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  EXPECT_EQ(world.file(*state, "model.txt"), "m");
  EXPECT_THAT(world.file(*state, "agent.txt"), HasSubstr("Say hello"));
  EXPECT_EQ(world.file(*state, "deep.txt"), "deep");
  EXPECT_EQ(world.finish(state->steps[0].child)->settings.actor, "local/task");
}

TEST(GraphVertical, AnAgentByItself) {
  GraphWorld world(
      {"name: shell\ntype: agent\ncommand: [sh, -c, 'cat > agent.txt; echo I did it']\n"
       "prompt: stdin\n"});
  const auto state = world.run({.task = "Write it down", .actor = "shell"});
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  EXPECT_EQ(world.file(*state, "agent.txt"), "Write it down");
  EXPECT_THAT(state->steps[0].summary, HasSubstr("changed 1 file\nI did it"));
}

TEST(GraphVertical, AnAgentThatFailsIsAFailedTool) {
  GraphWorld world(
      {"name: shell\ntype: agent\ncommand: [sh, -c, 'echo no login >&2; exit 3', \"${task}\"]\n"});
  const auto state = world.run({.task = "t", .actor = "shell"});
  EXPECT_EQ(state->state, PlanState::kErrored);
  ASSERT_TRUE(state->last_error);
  EXPECT_EQ(state->last_error->category, model::ErrorCategory::kToolFailure);
  EXPECT_THAT(state->reason, HasSubstr("exit code 3; it last wrote:\nno login"));
}

constexpr std::string_view kArchitect =
    "rules:\n"
    "- match: {system: You are the architect}\n"
    "  tool_calls:\n"
    "  - {name: submit_strategy, arguments: {summary: s, steps: [{id: one, title: Do it}]}}\n"
    "- match: {turn: 1}\n"
    "  tool_calls: [{name: write_file, arguments: {path: model.txt, content: m}}]\n"
    "- reply: Written.\n";

TEST(GraphVertical, AnotherActorMakesTheStrategy) {
  GraphWorld world({"name: architect\ntype: llm\nsystem: You are the architect.\n"}, kArchitect);
  Action action = GraphWorld::task_action();
  action.strategy_actor = "local/architect";
  const auto state = world.run({.task = "t"}, action);
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  EXPECT_EQ(state->steps.at(0).definition.title, "Do it");
  EXPECT_EQ(world.file(*state, "model.txt"), "m");
}

TEST(GraphVertical, AGraphMakesTheStrategyOfAPlan) {
  GraphWorld world({"name: plan\ntype: graph\nnodes:\n  a: {agent: {task: Write model.txt}}\n"},
                   kEdit);
  Action action = GraphWorld::task_action();
  action.strategy_actor = "local/plan";
  const auto state = world.run({.task = "t"}, action);
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  EXPECT_EQ(world.file(*state, "model.txt"), "m");
}

}  // namespace
}  // namespace clever::engine

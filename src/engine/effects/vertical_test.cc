// Whole plans: from their creation to what lands in a real repository, over a database file, with a
// model that answers from a script.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/effects/workspace_closer.h"
#include "engine/plan_engine.h"
#include "storage/changesets.h"
#include "storage/plans.h"
#include "support/effects_world.h"

namespace clever::engine {
namespace {

using model::Phase;
using model::PlanState;
using plan::State;
using test::EffectsWorld;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Vertical {
 public:
  explicit Vertical(std::string_view script) : world(script, EffectsWorld::Database::kFile) {
    world.repository.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n");
    world.repository.write("b.txt", "b\n");
    first_commit = world.repository.commit();
    effects_ = make_effects(world.parts());
    closer_ = std::make_unique<WorkspaceCloser>(world.workspaces, world.scheduler, nullptr);
    start();
  }
  ~Vertical() { stop(); }
  Vertical(const Vertical&) = delete;
  Vertical& operator=(const Vertical&) = delete;

  // As another process would go on with it.
  void start() {
    engine = PlanEngine::make({.store = world.store,
                               .scheduler = world.scheduler,
                               .ids = world.ids,
                               .effects = *effects_,
                               .child = make_child_source(world.parts()),
                               .observer = closer_.get()});
  }
  void stop() { engine.reset(); }

  [[nodiscard]] plan::Create task(std::string text) {
    plan::Create create{.title = text,
                        .project = world.repository.path().string(),
                        .prompt = test::user_text(std::move(text))};
    create.settings.terms = terms_of(world.models.registry(), "").value();
    return create;
  }
  model::PlanId begin(const plan::Create& create) {
    return engine->create(create, storage::Caps{}).value();
  }
  std::shared_ptr<const State> finish(const model::PlanId& plan) {
    const auto deadline = base::Deadline::after(world.clock, std::chrono::minutes(1));
    return engine->wait(plan, {}, deadline).value();
  }
  std::shared_ptr<const State> run(const plan::Create& create) { return finish(begin(create)); }
  std::shared_ptr<const State> apply(const State& state, model::ApplyRequested request = {}) {
    request.digest = state.changeset.digest.value_or(base::Sha256Digest());
    return command(state.id, "apply/" + request.digest.to_hex(), plan::Apply{request});
  }
  std::shared_ptr<const State> command(const model::PlanId& plan, std::string key,
                                       const plan::Command& command) {
    const auto deadline = base::Deadline::after(world.clock, std::chrono::minutes(1));
    last_receipt = engine->command(plan, std::move(key), command, {}, deadline).value().receipt;
    return finish(plan);
  }
  [[nodiscard]] std::string file(const State& state, std::string_view path) {
    return world.file_in(state, state.tree, path);
  }
  [[nodiscard]] std::string head() { return world.repository.line({"rev-parse", "HEAD"}); }

  EffectsWorld world;
  std::string first_commit;
  std::string last_receipt;

 private:
  std::unique_ptr<EffectRunner> effects_;
  std::unique_ptr<WorkspaceCloser> closer_;

 public:
  std::unique_ptr<PlanEngine> engine;
};

constexpr std::string_view kTwoEdits =
    "rules:\n"
    "- match: {turn: 1}\n"
    "  tool_calls:\n"
    "  - {name: edit_file, arguments: {path: a.txt, old_text: '1', new_text: ONE}}\n"
    "  - {name: edit_file, arguments: {path: b.txt, old_text: b, new_text: B}}\n"
    "- reply: Both are changed.\n";

TEST(Vertical, ADirectPlanEditsTwoFilesAppliesAndUndoes) {
  Vertical world(kTwoEdits);
  plan::Create create = world.task("Change both files");
  create.settings.direct = true;
  auto state = world.run(create);
  ASSERT_EQ(state->phase, Phase::kExecute) << state->reason;
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  EXPECT_TRUE(state->is_ready_to_apply());
  EXPECT_EQ(world.file(*state, "a.txt"), "ONE\n2\n3\n4\n5\n6\n7\n");
  EXPECT_EQ(world.file(*state, "b.txt"), "B\n");
  EXPECT_EQ(state->usage.calls, 2);
  EXPECT_EQ(world.world.repository.read("a.txt"), "1\n2\n3\n4\n5\n6\n7\n");
  EXPECT_EQ(world.head(), world.first_commit);

  storage::Changesets changesets(world.world.database());
  const auto entries = changesets.entries(state->changeset.id).value();
  EXPECT_EQ(model::digest_of(model::net_changes(entries)), state->changeset.digest);

  state = world.apply(*state);
  ASSERT_EQ(state->state, PlanState::kApplied) << state->reason << world.last_receipt;
  EXPECT_EQ(world.world.repository.read("a.txt"), "ONE\n2\n3\n4\n5\n6\n7\n");
  EXPECT_EQ(world.world.repository.read("b.txt"), "B\n");
  EXPECT_EQ(state->applied->commit, world.head());
  EXPECT_THAT(world.world.repository.git({"status", "--porcelain"}), IsEmpty());

  state = world.command(state->id, "undo", plan::Undo{});
  EXPECT_TRUE(state->undone);
  EXPECT_EQ(world.world.repository.read("a.txt"), "1\n2\n3\n4\n5\n6\n7\n");
  EXPECT_EQ(world.world.repository.read("b.txt"), "b\n");
}

TEST(Vertical, APlanAtRestLeavesNoWorkspaceBehind) {
  Vertical world(kTwoEdits);
  plan::Create create = world.task("Change both files");
  create.settings.direct = true;
  const auto state = world.run(create);
  const auto folder =
      world.world.repository.beside("sandboxes") / state->id.to_string() / "workspaces";
  // It goes when the last of those who used it lets go.
  const auto deadline = base::Deadline::after(world.world.clock, std::chrono::minutes(1));
  while (!std::filesystem::is_empty(folder) && !deadline.passed()) std::this_thread::yield();
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(Vertical, FourParallelSubplansComeTogether) {
  Vertical world(
      "rules:\n"
      "- match: {tool: submit_strategy}\n"
      "  tool_calls:\n"
      "    name: submit_strategy\n"
      "    arguments:\n"
      "      summary: Four parts\n"
      "      steps:\n"
      "      - {id: p1, title: Part 1, mode: subplan}\n"
      "      - {id: p2, title: Part 2, mode: subplan}\n"
      "      - {id: p3, title: Part 3, mode: subplan}\n"
      "      - {id: p4, title: Part 4, mode: subplan}\n"
      "- match: {any_regex: 'Part (\\d)', turn: 1}\n"
      "  tool_calls: {name: write_file, arguments: {path: 'part{1}.txt', content: 'by {1}'}}\n"
      "- reply: That part is done.\n");
  auto state = world.run(world.task("Make all of it"));
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  ASSERT_EQ(state->steps.size(), 4U);
  for (int part = 1; part <= 4; ++part) {
    const plan::Step& step = state->steps[static_cast<std::size_t>(part - 1)];
    EXPECT_EQ(step.state, model::StepState::kDone);
    EXPECT_TRUE(step.merged);
    EXPECT_EQ(world.file(*state, "part" + std::to_string(part) + ".txt"),
              "by " + std::to_string(part));
  }
  EXPECT_THAT(state->conflicts, IsEmpty());
  const auto children =
      storage::Plans(world.world.database()).list({.parent = state->id}, 10).value();
  ASSERT_EQ(children.size(), 4U);
  for (const auto& child : children) EXPECT_EQ(child.state, "complete");

  state = world.apply(*state);
  ASSERT_EQ(state->state, PlanState::kApplied) << state->reason;
  EXPECT_EQ(world.world.repository.read("part3.txt"), "by 3");
  EXPECT_THAT(state->applied->files,
              ElementsAre("part1.txt", "part2.txt", "part3.txt", "part4.txt"));
}

TEST(Vertical, AStepSeesWhatItDependsOn) {
  Vertical world(
      "rules:\n"
      "- match: {tool: submit_strategy}\n"
      "  tool_calls:\n"
      "    name: submit_strategy\n"
      "    arguments:\n"
      "      summary: One after another\n"
      "      steps:\n"
      "      - {id: p1, title: Part 1, mode: subplan}\n"
      "      - {id: p2, title: Part 2, mode: subplan, depends_on: [p1]}\n"
      "- match: {any: Part 1, turn: 1}\n"
      "  tool_calls: {name: write_file, arguments: {path: new.txt, content: first}}\n"
      "- match: {any: Part 2, turn: 1}\n"
      "  tool_calls:\n"
      "    name: edit_file\n"
      "    arguments: {path: new.txt, old_text: first, new_text: second}\n"
      "- reply: That part is done.\n");
  const auto state = world.run(world.task("Make all of it"));
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  EXPECT_EQ(world.file(*state, "new.txt"), "second");
  EXPECT_THAT(state->conflicts, IsEmpty());
}

constexpr std::string_view kConflict =
    "rules:\n"
    "- match: {tool: submit_strategy}\n"
    "  tool_calls:\n"
    "    name: submit_strategy\n"
    "    arguments:\n"
    "      summary: Two parts\n"
    "      steps:\n"
    "      - {id: p1, title: Part 1, mode: subplan}\n"
    "      - {id: p2, title: Part 2, mode: subplan}\n"
    "- match: {user: Settle it, turn: 1}\n"
    "  tool_calls: {name: write_file, arguments: {path: b.txt, content: settled}}\n"
    "- match: {any_regex: 'Part (\\d)', turn: 1}\n"
    "  tool_calls:\n"
    "    name: edit_file\n"
    "    arguments: {path: b.txt, old_text: b, new_text: 'by {1}'}\n"
    "- match: {user: Settle it}\n"
    "  times: once\n"
    "  tool_calls: {name: write_file, arguments: {path: b.txt, content: settled}}\n"
    "- reply: That part is done.\n";

TEST(Vertical, AConflictBlocksApplyUntilItIsResolved) {
  Vertical world(kConflict);
  auto state = world.run(world.task("Make all of it"));
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  ASSERT_EQ(state->conflicts.size(), 1U);
  EXPECT_EQ(state->conflicts[0].path, "b.txt");
  EXPECT_THAT(world.file(*state, "b.txt"), HasSubstr("<<<<<<<"));
  EXPECT_FALSE(state->is_ready_to_apply());

  state = world.apply(*state);
  EXPECT_NE(state->state, PlanState::kApplied);
  EXPECT_EQ(world.head(), world.first_commit);

  state = world.command(state->id, "settle", plan::Prompt{.message = test::user_text("Settle it")});
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  EXPECT_THAT(state->conflicts, IsEmpty());
  EXPECT_EQ(world.file(*state, "b.txt"), "settled");
  state = world.apply(*state);
  ASSERT_EQ(state->state, PlanState::kApplied) << state->reason;
  EXPECT_EQ(world.world.repository.read("b.txt"), "settled");
}

TEST(Vertical, WhatMovedOnIsMergedAgainAndLands) {
  Vertical world(kTwoEdits);
  plan::Create create = world.task("Change both files");
  create.settings.direct = true;
  auto state = world.run(create);
  world.world.repository.write("a.txt", "1\n2\n3\n4\n5\n6\nseven\n");
  world.world.repository.commit("theirs");
  state = world.apply(*state, {.remerge = true});
  if (state->state != PlanState::kApplied) state = world.apply(*state, {.remerge = true});
  ASSERT_EQ(state->state, PlanState::kApplied) << state->reason;
  EXPECT_EQ(world.world.repository.read("a.txt"), "ONE\n2\n3\n4\n5\n6\nseven\n");
}

TEST(Vertical, AToolActorWorksInParallelWithoutAModel) {
  Vertical world("rules: [{error: bad_request}]");
  for (int i = 0; i < 12; ++i) {
    world.world.repository.write("src/" + std::to_string(i) + ".txt", "old name\n");
  }
  world.world.repository.commit();
  plan::Create create = world.task("Rename");
  create.settings.actor = "local/codemod";
  create.settings.uses_model = false;
  create.settings.arguments = {{"find", "old"}, {"replace", "new"}};
  const auto state = world.run(create);
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(world.file(*state, "src/" + std::to_string(i) + ".txt"), "new name\n");
  }
  EXPECT_EQ(state->usage.calls, 0);
}

TEST(Vertical, APlanThatWasReleasedIsDrivenOn) {
  Vertical world(
      "rules:\n"
      "- match: {turn: 1}\n"
      "  delay: 50ms\n"
      "  tool_calls: {name: edit_file, arguments: {path: b.txt, old_text: b, new_text: B}}\n"
      "- reply: Done.\n");
  plan::Create create = world.task("Change it");
  create.settings.direct = true;
  const model::PlanId plan = world.begin(create);
  world.stop();
  world.start();
  const auto state = world.finish(plan);
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  EXPECT_EQ(world.file(*state, "b.txt"), "B\n");
}

// Sixteen parts, each with a file of its own; slow enough to be let go in the middle.
std::string sixteen_parts(std::string_view delay) {
  std::string script =
      "rules:\n"
      "- match: {tool: submit_strategy}\n"
      "  tool_calls:\n"
      "    name: submit_strategy\n"
      "    arguments:\n"
      "      summary: Sixteen parts\n"
      "      steps:\n";
  for (int i = 10; i < 26; ++i) {
    const std::string part = std::to_string(i);
    script += "      - {id: p" + part + ", title: Part " + part + ", mode: subplan}\n";
  }
  return script +
         "- match: {any_regex: 'Part (\\d\\d)', turn: 1}\n"
         "  delay: " +
         std::string(delay) +
         "\n  tool_calls: {name: write_file, arguments: {path: 'f{1}.txt', content: 'by {1}'}}\n"
         "- delay: " +
         std::string(delay) + "\n  reply: That part is done.\n";
}

TEST(Vertical, ReleasedAgainAndAgainItComesToTheSameEnd) {
  const std::string script = sixteen_parts("3ms");
  Vertical world(script);
  const model::PlanId plan = world.begin(world.task("Make all of it"));
  for (int i = 0; i < 6; ++i) {
    world.stop();
    world.start();
    world.engine->drive(plan).value();
  }
  const auto state = world.finish(plan);
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  Vertical undisturbed(script);
  const auto other = undisturbed.run(undisturbed.task("Make all of it"));
  EXPECT_EQ(state->tree, other->tree);
  EXPECT_EQ(state->changeset.digest, other->changeset.digest);
}

TEST(Vertical, CancellingStopsTheChildrenToo) {
  Vertical world(sixteen_parts("1h"));
  const model::PlanId plan = world.begin(world.task("Make all of it"));
  const auto state = world.command(plan, "cancel", plan::Cancel{.reason = "enough"});
  EXPECT_EQ(state->state, PlanState::kCancelled);
  EXPECT_THAT(state->effects, IsEmpty());
  const auto children = storage::Plans(world.world.database()).list({.parent = plan}, 100).value();
  for (const auto& child : children) EXPECT_EQ(child.state, "cancelled");
}

TEST(Vertical, SubplansHaveSubplans) {
  Vertical world(
      "rules:\n"
      "- match: {tool: submit_strategy, user: Make a leaf}\n"
      "  tool_calls:\n"
      "    name: submit_strategy\n"
      "    arguments: {summary: Itself, steps: [{id: leaf, title: Leaf, mode: inline}]}\n"
      "- match: {tool: submit_strategy}\n"
      "  tool_calls:\n"
      "    name: submit_strategy\n"
      "    arguments:\n"
      "      summary: Two leaves\n"
      "      steps:\n"
      "      - {id: l1, title: Make a leaf 1, mode: subplan}\n"
      "      - {id: l2, title: Make a leaf 2, mode: subplan}\n"
      "- match: {any_regex: 'Make a leaf (\\d)', turn: 1}\n"
      "  tool_calls: {name: write_file, arguments: {path: 'leaf{1}.txt', content: 'by {1}'}}\n"
      "- reply: Done.\n");
  plan::Create create = world.task("Grow");
  create.settings.subplans.strategize = true;
  const auto state = world.run(create);
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  EXPECT_EQ(world.file(*state, "leaf1.txt"), "by 1");
  EXPECT_EQ(world.file(*state, "leaf2.txt"), "by 2");
}

TEST(Vertical, AModelThatIsRefusedLeavesAPlanThatSaysWhatToDo) {
  Vertical world("rules: [{error: quota}]");
  plan::Create create = world.task("Change it");
  create.settings.direct = true;
  const auto state = world.run(create);
  EXPECT_NE(state->state, PlanState::kComplete);
  EXPECT_EQ(state->last_error->category, model::ErrorCategory::kCredit);
  EXPECT_NE(state->last_error->hint, "");
}

TEST(Vertical, AFailedPartFailsThePlanButKeepsTheRest) {
  Vertical world(
      "rules:\n"
      "- match: {tool: submit_strategy}\n"
      "  tool_calls:\n"
      "    name: submit_strategy\n"
      "    arguments:\n"
      "      summary: Two parts\n"
      "      steps:\n"
      "      - {id: p1, title: Part 1, mode: subplan}\n"
      "      - {id: p2, title: Part 2, mode: subplan}\n"
      "- match: {any: Part 2}\n"
      "  error: bad_request\n"
      "- match: {any: Part 1, turn: 1}\n"
      "  tool_calls: {name: write_file, arguments: {path: new.txt, content: kept}}\n"
      "- reply: Done.\n");
  plan::Create create = world.task("Make all of it");
  create.settings.subplans.retry_failed = false;
  const auto state = world.run(create);
  EXPECT_EQ(state->state, PlanState::kErrored) << state->reason;
  EXPECT_EQ(world.file(*state, "new.txt"), "kept");
  EXPECT_EQ(state->steps[1].state, model::StepState::kFailed);
  EXPECT_EQ(state->steps[1].attempt, 1);
}

TEST(Vertical, ACommandRunsConfinedInTheWorkspace) {
  Vertical world(
      "rules:\n"
      "- match: {turn: 1}\n"
      "  tool_calls: {name: run_command, arguments: {command: 'tr a-z A-Z < b.txt > c.txt'}}\n"
      "- reply: Done.\n");
  const auto commands =
      tool::CommandWorld::make(world.world.clock,
                               {.launcher = test::confine_launcher(),
                                .world = {.home = world.world.repository.beside("home"),
                                          .own_home = world.world.repository.beside("own"),
                                          .environment = {"PATH=/usr/local/bin:/usr/bin:/bin"}},
                                .project_root = world.world.repository.path(),
                                .shared_folder = world.world.repository.beside("setup")})
          .value();
  world.world.registry.set(tool::kBuiltinOrigin, tool::builtin_tools({.commands = commands}))
      .value();
  plan::Create create = world.task("Shout");
  create.settings.direct = true;
  const auto state = world.run(create);
  ASSERT_EQ(state->state, PlanState::kComplete) << state->reason;
  EXPECT_EQ(world.file(*state, "c.txt"), "B\n");
  EXPECT_FALSE(std::filesystem::exists(world.world.repository / "c.txt"));
}

}  // namespace
}  // namespace clever::engine

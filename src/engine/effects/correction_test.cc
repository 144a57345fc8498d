// A decision is corrected while a plan with eight subplans works: what it reaches is done anew, the
// others go on, and the end is that of a plan which knew it from the start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <thread>

#include "engine/plan_engine.h"
#include "plan/decide.h"
#include "storage/plans.h"
#include "support/effects_world.h"

namespace clever::engine {
namespace {

using model::CorrectionMode;
using model::PlanState;
using plan::State;
using test::EffectsWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kParts = 8;

/// Eight parts beside each other, then one that lists them; part 3 hangs unless it is told to be in
/// capitals. `details`: what a strategy says of a part that knows better from the start.
std::string script(const std::map<int, std::string>& details) {
  std::string text =
      "rules:\n"
      "- match: {tool: submit_strategy}\n"
      "  tool_calls:\n"
      "    name: submit_strategy\n"
      "    arguments:\n"
      "      summary: Eight parts\n"
      "      steps:\n";
  for (int i = 1; i <= kParts; ++i) {
    const std::string part = std::to_string(i);
    const std::string detail = details.contains(i) ? details.at(i) : "as usual";
    text += "      - {id: p" + part + ", title: Part " + part + ", detail: " + detail +
            ", mode: subplan}\n";
  }
  return text +
         "      - {id: index, title: List them, mode: inline}\n"
         "- match: {user: Step index, turn: 1}\n"
         "  tool_calls: {name: write_file, arguments: {path: index.txt, content: all}}\n"
         "- match: {any_regex: 'Part (\\d)(?:, |\\n\\n)in capitals', turn: 1}\n"
         "  tool_calls: {name: write_file, arguments: {path: 'part{1}.txt', content: 'PART {1}'}}\n"
         "- match: {any: part was corrected, any_regex: 'Part (\\d)', turn: 1}\n"
         "  tool_calls: {name: write_file, arguments: {path: 'part{1}.txt', content: 'PART {1}'}}\n"
         "- match: {any: all in capitals, any_regex: 'Part (\\d)', turn: 1}\n"
         "  tool_calls: {name: write_file, arguments: {path: 'part{1}.txt', content: 'PART {1}'}}\n"
         "- match: {any: Part 3, turn: 1}\n"
         "  delay: 2h\n"
         "  reply: Too late.\n"
         "- match: {any_regex: 'Part (\\d)', turn: 1}\n"
         "  tool_calls: {name: write_file, arguments: {path: 'part{1}.txt', content: 'part {1}'}}\n"
         "- reply: That is done.\n";
}

class Corrected {
 public:
  explicit Corrected(const std::map<int, std::string>& details = {})
      : world_(script(details), EffectsWorld::Database::kFile) {
    world_.repository.write("a.txt", "a\n");
    world_.repository.commit();
    effects_ = make_effects(world_.parts());
    engine_ = PlanEngine::make({.store = world_.store,
                                .scheduler = world_.scheduler,
                                .ids = world_.ids,
                                .effects = *effects_,
                                .child = make_child_source(world_.parts())});
    plan::Create create{.title = "all",
                        .project = world_.repository.path().string(),
                        .prompt = test::user_text("Make all of it")};
    create.settings.terms = terms_of(world_.models.registry(), "").value();
    plan_ = engine_->create(create, storage::Caps{}).value();
  }

  [[nodiscard]] State state(const model::PlanId& plan) { return *engine_->state(plan).value(); }
  [[nodiscard]] State state() { return state(plan_); }
  [[nodiscard]] State finish() { return *engine_->wait(plan_, {}, deadline()).value(); }
  /// All subplans are there, and part 3 has asked its model.
  State wait_until_it_hangs() {
    const base::Deadline end = deadline();
    while (!end.passed()) {
      const State now = state();
      if (hangs(now)) return now;
      std::this_thread::yield();
    }
    ADD_FAILURE() << "it never came to the point";
    return state();
  }
  std::string correct(const model::DecisionId& decision, CorrectionMode mode,
                      const std::string& guidance) {
    const plan::Correct command{decision, mode, test::user_text(guidance)};
    const std::string key = "correct/" + std::to_string(++corrections_);
    return engine_->command(plan_, key, command, {}, deadline()).value().receipt;
  }
  [[nodiscard]] std::string file(const State& plan, const std::string& path) {
    return world_.file_in(plan, plan.tree, path);
  }
  [[nodiscard]] std::vector<storage::PlanSummary> children() {
    return storage::Plans(world_.database()).list({.parent = plan_}, 100).value();
  }

 private:
  [[nodiscard]] base::Deadline deadline() {
    return base::Deadline::after(world_.clock, std::chrono::minutes(1));
  }
  bool hangs(const State& now) {
    if (now.steps.size() <= 2 || !now.steps[2].child) return false;
    const auto child = engine_->state(now.steps[2].child);
    return child.ok() && std::ranges::any_of((*child)->effects, [](const auto& open) {
             return open.second.kind == plan::EffectKind::kModel;
           });
  }

  EffectsWorld world_;
  std::unique_ptr<EffectRunner> effects_;
  std::unique_ptr<PlanEngine> engine_;
  model::PlanId plan_;
  int corrections_ = 0;
};

TEST(Correction, OfOneOfEightRunningSubplansEndsAsIfItHadBeenKnown) {
  Corrected knew({{3, "in capitals"}});
  const State expected = knew.finish();
  ASSERT_EQ(expected.state, PlanState::kComplete) << expected.reason;

  Corrected reported;
  const State before = reported.wait_until_it_hangs();
  const std::string receipt =
      reported.correct(before.steps[2].decision, CorrectionMode::kRevert, "in capitals");
  EXPECT_THAT(receipt, HasSubstr("\"correction\""));
  const State after = reported.finish();
  ASSERT_EQ(after.state, PlanState::kComplete) << after.reason;

  EXPECT_EQ(after.tree, expected.tree);
  EXPECT_EQ(reported.file(after, "part3.txt"), "PART 3");
  EXPECT_EQ(reported.state(before.steps[2].child).state, PlanState::kCancelled);
  EXPECT_EQ(after.steps[2].attempt, 2);
  for (std::size_t i = 0; i < kParts; ++i) {
    if (i == 2) continue;
    EXPECT_EQ(after.steps[i].child, before.steps[i].child) << "it went on: part " << i + 1;
    EXPECT_EQ(after.steps[i].attempt, 1);
  }
  EXPECT_EQ(reported.children().size(), kParts + 1U);
  EXPECT_THAT(plan::check_invariants(after), IsEmpty());
}

TEST(Correction, OfADoneSubplanMergesTheOthersAgain) {
  Corrected knew({{3, "in capitals"}, {5, "in capitals"}});
  const State expected = knew.finish();

  Corrected reported({{3, "in capitals"}});
  const State before = reported.finish();
  ASSERT_EQ(before.state, PlanState::kComplete) << before.reason;
  EXPECT_EQ(reported.file(before, "part5.txt"), "part 5");
  reported.correct(before.steps[4].decision, CorrectionMode::kRevert, "in capitals");
  const State after = reported.finish();
  ASSERT_EQ(after.state, PlanState::kComplete) << after.reason;
  EXPECT_EQ(after.tree, expected.tree);
  EXPECT_NE(after.changeset.digest, before.changeset.digest);
  EXPECT_EQ(reported.file(before, "part5.txt"), "part 5") << "what was made before stays";
  EXPECT_EQ(reported.children().size(), kParts + 1U) << "the others were not done again";
}

TEST(Correction, OfTheTaskReachesEverySubplan) {
  Corrected reported({{3, "in capitals"}});
  const State before = reported.finish();
  reported.correct(before.root_decision, CorrectionMode::kRevert, "all in capitals");
  const State after = reported.finish();
  ASSERT_EQ(after.state, PlanState::kComplete) << after.reason;
  for (int part = 1; part <= kParts; ++part) {
    const std::string number = std::to_string(part);
    EXPECT_EQ(reported.file(after, "part" + number + ".txt"), "PART " + number);
  }
  EXPECT_EQ(after.reversions, 0);
}

TEST(Correction, AppendedIsAChildOfItsOwn) {
  Corrected reported({{3, "in capitals"}});
  const State before = reported.finish();
  reported.correct(before.steps[0].decision, CorrectionMode::kAppend, "Part 9, in capitals");
  const State after = reported.finish();
  ASSERT_EQ(after.state, PlanState::kComplete) << after.reason;
  EXPECT_EQ(reported.file(after, "part9.txt"), "PART 9");
  EXPECT_EQ(reported.file(after, "part1.txt"), "part 1");
  EXPECT_EQ(reported.children().size(), kParts + 1U);
  EXPECT_TRUE(after.is_ready_to_apply());
}

}  // namespace
}  // namespace clever::engine

// Correcting decisions: what is reached starts over, what is not goes on; nothing that was made is
// forgotten before it has to be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/budget_events.h"
#include "model/control_events.h"
#include "model/decision_events.h"
#include "plan/impact.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using model::CorrectionMode;
using model::StepState;
using test::inline_step;
using test::PlanStory;
using test::strategy_of;
using test::subplan_step;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Correct revert(const model::DecisionId& decision, const std::string& guidance = "otherwise") {
  return {decision, CorrectionMode::kRevert, test::user(guidance)};
}
Correct append(const model::DecisionId& decision, const std::string& guidance = "and more") {
  return {decision, CorrectionMode::kAppend, test::user(guidance)};
}

const Step& step_of(const PlanStory& story, const std::string& id) {
  return *std::ranges::find_if(story.state.steps,
                               [&](const Step& one) { return one.definition.id == id; });
}
model::DecisionId decision(const PlanStory& story, const std::string& id) {
  return step_of(story, id).decision;
}
model::EffectId effect_of(const PlanStory& story, const std::string& id) {
  for (const auto& [effect, open] : story.state.effects) {
    if (child_of(effect) == step_of(story, id).child) return effect;
  }
  return {};
}

std::vector<std::string> states(const PlanStory& story) {
  std::vector<std::string> all;
  for (const Step& one : story.state.steps) {
    all.push_back(one.definition.id + "=" + std::string(model::to_string(one.state)));
  }
  return all;
}

std::vector<model::PlanId> told_to_cancel(const Decided& decided) {
  std::vector<model::PlanId> plans;
  for (const Outgoing& outgoing : decided.outgoing) {
    if (outgoing.key == "cancel/parent") plans.push_back(outgoing.plan);
  }
  return plans;
}

model::PlanCorrected last_correction(const PlanStory& story) {
  for (auto event = story.journal.rbegin(); event != story.journal.rend(); ++event) {
    if (event->kind == model::PlanCorrected::kKind) {
      return model::PlanCorrected::parse(event->data).value();
    }
  }
  ADD_FAILURE() << "nothing was corrected";
  return {};
}

// Three subplans beside each other, then a step of the plan's own.
PlanStory three_beside() {
  PlanStory story;
  story.with_strategy(
      strategy_of({subplan_step("a"), subplan_step("b"), subplan_step("c"), inline_step("d")}));
  return story;
}

TEST(Correct, StopsTheChildThatItReachesAndNoOther) {
  PlanStory story = three_beside();
  const model::PlanId old = step_of(story, "b").child;
  const model::EffectId effect = effect_of(story, "b");
  const Decided decided = story.must(revert(decision(story, "b")));
  EXPECT_THAT(told_to_cancel(decided), ElementsAre(old));
  EXPECT_NE(step_of(story, "b").child, old) << "another attempt runs already";
  EXPECT_EQ(step_of(story, "b").attempt, 2);
  EXPECT_TRUE(story.state.effects.contains(effect)) << "until the old one has stopped";
  story.must(ChildEnded{.effect = effect, .child = old, .state = model::PlanState::kCancelled});
  EXPECT_FALSE(story.state.effects.contains(effect));
  EXPECT_EQ(step_of(story, "b").state, StepState::kRunning) << "that was another one's end";
}

TEST(Correct, WaitsForWhatItStopped) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a"), subplan_step("b")}));
  const model::EffectId old = effect_of(story, "b");
  story.must(revert(decision(story, "b")));
  story.ends("a");
  story.ends("b");
  EXPECT_FALSE(story.is_open(EffectKind::kMerge)) << "the stopped one still runs";
  EXPECT_FALSE(story.state.is_at_rest());
  story.must(ChildWaits{old, child_of(old), "somebody"});
  EXPECT_FALSE(story.state.is_at_rest());
  story.must(ChildEnded{
      .effect = old, .child = child_of(old), .state = model::PlanState::kComplete, .tree = "x"});
  story.merges({"a", "b"});
  story.seals();
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Correct, NamesTheGuidanceForItsStepAlone) {
  PlanStory story = three_beside();
  story.must(revert(decision(story, "b"), "in blue"));
  EXPECT_EQ(step_of(story, "b").guidance.size(), 1U);
  EXPECT_THAT(story.bodies.at(step_of(story, "b").guidance.front().body), HasSubstr("in blue"));
  EXPECT_THAT(step_of(story, "a").guidance, IsEmpty());
  EXPECT_EQ(story.state.prompts.size(), 1U);
  EXPECT_THAT(story.state.pending_prompts, IsEmpty());
}

TEST(Correct, SupersedesTheDecisionAndMakesAnotherBelowTheGuidance) {
  PlanStory story = three_beside();
  const model::DecisionId old = decision(story, "b");
  const model::DecisionId waiting = decision(story, "d");
  story.must(revert(old, "in blue"));
  EXPECT_THAT(story.state.superseded, ElementsAre(old, waiting)) << "d depends on it";
  const auto held =
      std::ranges::find(story.state.decisions, decision(story, "b"), &HeldDecision::id);
  ASSERT_NE(held, story.state.decisions.end());
  EXPECT_EQ(held->parent, last_correction(story).id);
  const auto guidance = std::ranges::find(story.state.decisions, held->parent, &HeldDecision::id);
  EXPECT_EQ(guidance->kind, model::DecisionKind::kUserIntervention);
  EXPECT_EQ(guidance->parent, story.state.strategy_decision);
}

TEST(Correct, OfAnotherPlansStepLeavesTheActiveOneAlone) {
  PlanStory story;
  story.with_strategy(
      strategy_of({subplan_step("a", {{}}), inline_step("b", {{}}), inline_step("c", {{"a"}})}));
  const model::EffectId turn = story.open(EffectKind::kModel);
  story.must(revert(decision(story, "a")));
  EXPECT_TRUE(story.state.effects.contains(turn));
  EXPECT_FALSE(story.state.effects.at(turn).stopping);
  EXPECT_EQ(step_of(story, "b").state, StepState::kRunning);
}

// First a, then b, then c, each the plan's own and with a file of its own.
PlanStory three_in_a_row() {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a"), inline_step("b"), inline_step("c")}));
  for (const std::string id : {"a", "b", "c"}) {
    story.calls({"write_file"});
    story.ran(id);
    story.says("done");
  }
  story.seals();
  return story;
}

TEST(Correct, RestoresTheTreeBeforeTheStepAndRedoesWhatCameAfter) {
  PlanStory story = three_in_a_row();
  const std::string before = story.state.tree;
  story.must(revert(decision(story, "b"), "otherwise"));
  EXPECT_EQ(story.state.tree, test::tree("a"));
  EXPECT_EQ(last_correction(story).tree_before, before);
  EXPECT_THAT(last_correction(story).steps, ElementsAre("b", "c"));
  EXPECT_THAT(states(story), ElementsAre("a=done", "b=running", "c=pending"));
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_EQ(step_of(story, "b").attempt, 2);
  EXPECT_THAT(story.last_words(), HasSubstr("otherwise"));
  story.says("done otherwise");
  EXPECT_THAT(story.last_words(), Not(HasSubstr("otherwise"))) << "c has no guidance of its own";
  story.says("done");
  story.seals("another");
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Correct, BeginsAChangesetOfItsOwn) {
  PlanStory story = three_in_a_row();
  const model::ChangesetId old = story.state.changeset.id;
  story.must(revert(decision(story, "b")));
  EXPECT_NE(story.state.changeset.id, old);
  EXPECT_TRUE(story.state.changesets.contains(old)) << "what was made stays";
}

TEST(Correct, ForgetsTheWaysBackToWhatIsGone) {
  PlanStory story = three_in_a_row();
  story.must(revert(decision(story, "b")));
  std::vector<std::string> trees;
  for (const auto& point : story.state.checkpoints) trees.push_back(point.tree);
  EXPECT_THAT(trees, ElementsAre(test::tree("base"), test::tree("a"), test::tree("a")));
}

TEST(Correct, OfTheFirstStepGoesBackToTheBase) {
  PlanStory story = three_in_a_row();
  story.must(revert(decision(story, "a")));
  EXPECT_EQ(story.state.tree, test::tree("base"));
  EXPECT_THAT(states(story), ElementsAre("a=running", "b=pending", "c=pending"));
}

TEST(Correct, KeepsAStepThatOnlyRead) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a"), inline_step("b")}));
  story.says("looked");
  story.calls({"write_file"});
  story.ran("b");
  story.says("done");
  story.seals();
  story.must(revert(decision(story, "b")));
  EXPECT_EQ(story.state.tree, test::tree("base"));
  EXPECT_THAT(states(story), ElementsAre("a=done", "b=running"));
}

TEST(Correct, MergesAgainWhatItDoesNotReach) {
  PlanStory story = three_beside();
  story.ends("a");
  story.ends("b");
  story.ends("c");
  story.merges({"a", "b", "c"});
  story.calls({"write_file"});
  story.ran("d");
  story.says("done");
  story.seals();
  const Decided decided = story.must(revert(decision(story, "b")));
  EXPECT_THAT(told_to_cancel(decided), IsEmpty()) << "nothing of it ran";
  EXPECT_EQ(story.state.tree, test::tree("base"));
  EXPECT_THAT(states(story), ElementsAre("a=done", "b=running", "c=done", "d=pending"));
  EXPECT_FALSE(step_of(story, "a").merged);
  story.ends("b");
  story.merges({"a", "b", "c"});
  story.says("done");
  story.seals();
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Correct, DropsConflictsOfWhatIsToBeMergedAgain) {
  PlanStory story = three_beside();
  for (const std::string id : {"a", "b", "c"}) story.ends(id);
  story.merges({"a", "b", "c"}, {{"f", "content", "c", ""}});
  story.must(revert(decision(story, "a")));
  EXPECT_THAT(story.state.conflicts, IsEmpty());
}

TEST(Correct, ReachesWhatDependsOnIt) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a", {{}}), subplan_step("b", {{"a"}}),
                                   subplan_step("c", {{}}), subplan_step("d", {{"b"}})}));
  story.ends("a");
  const model::PlanId running = step_of(story, "b").child;
  const Decided decided = story.must(revert(decision(story, "a")));
  EXPECT_THAT(told_to_cancel(decided), ElementsAre(running));
  EXPECT_THAT(last_correction(story).steps, ElementsAre("a", "b", "d"));
  EXPECT_THAT(states(story), ElementsAre("a=running", "b=pending", "c=running", "d=pending"));
}

TEST(Correct, StopsATurnOfItsOwnAndContinuesOnceItHas) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a"), inline_step("b")}));
  const model::EffectId turn = story.open(EffectKind::kModel);
  story.must(revert(decision(story, "a"), "otherwise"));
  EXPECT_TRUE(story.state.effects.at(turn).stopping);
  EXPECT_EQ(story.state.effects.size(), 1U) << "nothing else is asked meanwhile";
  const auto spent = story.state.usage.cost;
  story.must(EffectStopped{turn, {9, 9}});
  EXPECT_EQ(story.state.usage.cost, spent + 9);
  EXPECT_FALSE(story.state.effects.contains(turn));
  EXPECT_EQ(step_of(story, "a").state, StepState::kRunning);
  EXPECT_THAT(story.last_words(), HasSubstr("otherwise"));
}

TEST(Correct, HasNoUseForAnAnswerThatCameTooLate) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a")}));
  const Answered late = story.answer("it is done");
  story.must(revert(decision(story, "a")));
  story.must(late);
  EXPECT_EQ(step_of(story, "a").state, StepState::kRunning);
  EXPECT_THAT(story.last_words(), Not(HasSubstr("it is done")));
}

TEST(Correct, HasNoUseForWorkThatCameTooLate) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a")}));
  story.calls({"write_file"});
  const ToolsRan late{.effect = story.open(EffectKind::kTools), .tree = test::tree("late")};
  story.must(revert(decision(story, "a")));
  story.must(late);
  EXPECT_EQ(story.state.tree, test::tree("base"));
}

TEST(Correct, AStopEndsWithItsProcess) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a")}));
  const model::EffectId turn = story.open(EffectKind::kModel);
  story.must(revert(decision(story, "a")));
  story.must(TakenOver{});
  EXPECT_FALSE(story.state.effects.contains(turn));
  EXPECT_TRUE(story.is_open(EffectKind::kModel)) << "it goes on";
}

TEST(Correct, SettlesATimerAtOnce) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a")}));
  story.fails(EffectKind::kModel, model::ErrorCategory::kTransientProvider);
  ASSERT_TRUE(story.is_open(EffectKind::kTimer));
  story.must(revert(decision(story, "a")));
  EXPECT_FALSE(story.is_open(EffectKind::kTimer));
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(Correct, StopsAMergeOnlyIfItIsReached) {
  PlanStory story;
  story.with_strategy(
      strategy_of({subplan_step("a", {{}}), subplan_step("b", {{}}), inline_step("c", {{"a"}})}));
  story.ends("a");
  const model::EffectId merge = story.open(EffectKind::kMerge);
  story.must(revert(decision(story, "b")));
  EXPECT_FALSE(story.state.effects.at(merge).stopping);
  story.must(revert(decision(story, "a")));
  EXPECT_TRUE(story.state.effects.at(merge).stopping);
}

TEST(Correct, TwiceWhileItStopsIsFine) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a")}));
  const model::EffectId turn = story.open(EffectKind::kModel);
  story.must(revert(decision(story, "a"), "one"));
  story.must(revert(decision(story, "a"), "two"));
  story.must(EffectStopped{turn});
  EXPECT_EQ(step_of(story, "a").guidance.size(), 2U);
  EXPECT_EQ(story.state.corrections, 2);
}

TEST(Correct, OfTheStrategyGoesBackToStrategize) {
  PlanStory story = three_beside();
  const auto children = story.all_open(EffectKind::kSubplan);
  const Decided decided = story.must(revert(story.state.strategy_decision, "in one step"));
  EXPECT_EQ(story.where(), "strategize/processing");
  EXPECT_EQ(told_to_cancel(decided).size(), 3U);
  EXPECT_THAT(story.state.steps, IsEmpty());
  EXPECT_EQ(story.state.reversions, 0) << "a person's does not count";
  EXPECT_EQ(story.state.prompts.size(), 2U);
  EXPECT_THAT(story.last_words(), HasSubstr("in one step"));
  story.submit(strategy_of({inline_step("x")}));
  for (const model::EffectId& child : children) {
    story.must(ChildEnded{
        .effect = child, .child = child_of(child), .state = model::PlanState::kCancelled});
  }
  story.says("done");
  story.seals();
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Correct, OfTheStrategyReturnsToTheBaseFromAComplete) {
  PlanStory story = three_in_a_row();
  story.must(revert(story.state.root_decision));
  EXPECT_EQ(story.where(), "strategize/processing");
  EXPECT_EQ(story.state.tree, test::tree("base"));
  EXPECT_EQ(last_correction(story).tree_before, test::tree("c"));
  EXPECT_THAT(last_correction(story).steps, IsEmpty());
}

TEST(Correct, OfADirectPlanBeginsItsTaskAgain) {
  PlanStory story;
  story.ready();
  story.must(revert(story.state.root_decision, "otherwise"));
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_THAT(states(story), ElementsAre("task=running"));
  EXPECT_THAT(story.last_words(), HasSubstr("otherwise"));
}

TEST(Correct, WhileTheStrategyIsMadeBeginsThatAgain) {
  PlanStory story;
  story.create();
  story.based();
  const model::EffectId turn = story.open(EffectKind::kModel);
  story.must(revert(story.state.root_decision, "otherwise"));
  EXPECT_TRUE(story.state.effects.at(turn).stopping);
  story.must(EffectStopped{turn});
  EXPECT_EQ(story.where(), "strategize/processing");
  EXPECT_THAT(story.last_words(), HasSubstr("otherwise"));
}

TEST(Correct, BeforeTheBaseIsThereIsTakenUpLater) {
  PlanStory story;
  story.create();
  story.must(revert(story.state.root_decision, "otherwise"));
  EXPECT_EQ(story.where(), "strategize/queued");
  story.based();
  EXPECT_THAT(story.last_words(), HasSubstr("otherwise"));
}

TEST(Correct, OfAStrategyThatWaitsForApprovalMakesAnother) {
  PlanStory story;
  model::PlanSettings settings;
  settings.profile = "manual";
  story.with_strategy(strategy_of({inline_step("a")}), settings);
  ASSERT_EQ(story.where(), "strategize/waiting");
  story.must(revert(decision(story, "a"), "otherwise"));
  EXPECT_EQ(story.where(), "strategize/processing");
  EXPECT_FALSE(story.state.approval);
  EXPECT_THAT(story.state.steps, IsEmpty());
}

TEST(Correct, OfADecisionBelowAStepIsOneOfTheStep) {
  PlanStory story = three_in_a_row();
  story.must(revert(decision(story, "b"), "one"));
  story.must(RecordError{.message = "aside"});
  const model::DecisionId made = story.state.decisions.back().id;
  EXPECT_EQ(step_about(story.state, made), &step_of(story, "b"));
  story.must(revert(made, "two"));
  EXPECT_THAT(story.state.superseded, ::testing::Contains(made));
  EXPECT_EQ(step_of(story, "b").guidance.size(), 2U);
}

TEST(Correct, OfAnEarlierCorrectionIsOneOfItsStep) {
  PlanStory story = three_in_a_row();
  story.must(revert(decision(story, "b"), "one"));
  const model::DecisionId first = last_correction(story).id;
  story.must(revert(first, "two"));
  EXPECT_EQ(last_correction(story).steps.front(), "b");
  EXPECT_THAT(story.state.superseded, ::testing::Contains(first));
  ASSERT_EQ(step_of(story, "b").guidance.size(), 1U) << "other words in place of the first";
  EXPECT_EQ(step_of(story, "b").guidance.front().correction, last_correction(story).id);
}

TEST(Correct, OfAnEarlierCorrectionOfThePlanPutsOtherWordsInItsPlace) {
  PlanStory story = three_in_a_row();
  story.must(revert(story.state.root_decision, "one"));
  const model::PlanCorrected first = last_correction(story);
  ASSERT_THAT(story.state.prompts, ::testing::Contains(first.guidance));
  const std::size_t said = story.state.prompts.size();
  story.must(revert(first.id, "two"));
  EXPECT_EQ(story.state.prompts.size(), said);
  EXPECT_THAT(story.state.prompts, ::testing::Not(::testing::Contains(first.guidance)));
  EXPECT_EQ(story.state.prompts.back(), last_correction(story).guidance);
  EXPECT_EQ(story.state.guidance.size(), 1U);
}

TEST(Correct, OfAnErroredPlanHasItContinue) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a"), subplan_step("b")}));
  story.ends("a", model::PlanState::kCancelled);
  story.ends("b");
  story.merges({"b"});
  ASSERT_EQ(story.where(), "execute/errored");
  story.must(revert(decision(story, "a")));
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_THAT(states(story), ElementsAre("a=running", "b=done"));
  EXPECT_TRUE(step_of(story, "b").merged) << "it was merged before, and is not touched";
}

TEST(Correct, OfAConstrainedPlanGoesBackToExecute) {
  PlanStory story = three_in_a_row();
  story.must(story.apply());
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .outcome = {.reason = "moved on", .moved_on = {"a changed since"}}});
  ASSERT_EQ(story.where(), "apply/constrained");
  story.must(revert(decision(story, "c")));
  EXPECT_EQ(story.where(), "execute/processing");
}

// Trees of before do not fit what the work begins with now.
TEST(Correct, AfterTheBaseMovedOnBeginsWithTheNewOne) {
  PlanStory story = three_in_a_row();
  story.must(story.apply());
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .outcome = {.reason = "moved on"},
                       .remerged_tree = test::tree("remerged"),
                       .remerged_base = model::BaseTaken{.tree = test::tree("new base")}});
  story.seals("again");
  ASSERT_EQ(story.where(), "apply/constrained");
  story.must(revert(decision(story, "c")));
  EXPECT_EQ(story.state.tree, test::tree("new base"));
  EXPECT_THAT(states(story), ElementsAre("a=running", "b=pending", "c=pending"));
  EXPECT_EQ(step_of(story, "c").guidance.size(), 1U);
  EXPECT_THAT(step_of(story, "a").guidance, IsEmpty());
}

TEST(Correct, LeavesAnotherStepWaitingForItsApproval) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a", {{}}), inline_step("b", {{}})}));
  Answered asks = story.calling({"push"}, CallClass::kOutside);
  asks.verdicts = {{model::Verdict::kAsk, "push", "the plan asks"}};
  story.must(asks);
  ASSERT_EQ(story.where(), "execute/waiting");
  story.must(revert(decision(story, "a")));
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_TRUE(story.state.approval);
  story.must(revert(decision(story, "b")));
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_FALSE(story.state.approval);
  EXPECT_FALSE(story.state.held);
}

TEST(Append, IsANewChildBelowTheDecision) {
  PlanStory story = three_beside();
  const model::DecisionId about = decision(story, "b");
  story.must(append(about, "also in red\nand green"));
  EXPECT_THAT(story.state.superseded, IsEmpty());
  const Step& added = step_of(story, "append-1");
  EXPECT_EQ(added.definition.mode, model::StepMode::kSubplan);
  EXPECT_EQ(added.definition.title, "also in red");
  EXPECT_THAT(added.definition.detail, HasSubstr("and green"));
  EXPECT_THAT(*added.definition.depends_on, ElementsAre("b"));
  const auto held = std::ranges::find(story.state.decisions, added.decision, &HeldDecision::id);
  EXPECT_EQ(held->kind, model::DecisionKind::kSubplanSpawn);
  EXPECT_EQ(held->parent, last_correction(story).id);
  const auto said = std::ranges::find(story.state.decisions, held->parent, &HeldDecision::id);
  EXPECT_EQ(said->parent, about);
  story.ends("b");
  EXPECT_EQ(step_of(story, "append-1").state, StepState::kRunning);
}

TEST(Append, ToACompletePlanContinuesAndIsSealedAgain) {
  PlanStory story = three_in_a_row();
  const std::string before = story.state.tree;
  story.must(append(story.state.root_decision));
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_EQ(story.state.tree, before);
  EXPECT_EQ(step_of(story, "append-1").base, before);
  EXPECT_THAT(*step_of(story, "append-1").definition.depends_on, ElementsAre("a", "b", "c"));
  story.ends("append-1");
  story.merges({"append-1"});
  story.seals("more");
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Append, StopsTheSealThatItMakesTooEarly) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a")}));
  story.says("done");
  const model::EffectId seal = story.open(EffectKind::kSeal);
  story.must(append(decision(story, "a")));
  EXPECT_TRUE(story.state.effects.at(seal).stopping);
  story.must(Sealed{.effect = seal, .digest = base::sha256("too early")});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_FALSE(story.state.changeset.digest);
}

TEST(Append, NeedsAStrategyAndRoomBelow) {
  PlanStory story;
  story.create();
  story.based();
  EXPECT_THAT(story.refused(append(story.state.root_decision)), HasSubstr("no strategy yet"));
  PlanStory deep;
  model::PlanSettings settings;
  settings.depth = 5;
  deep.direct(settings);
  EXPECT_THAT(deep.refused(append(deep.state.root_decision)), HasSubstr("5 deep"));
}

TEST(Correct, IsRefusedWithAReason) {
  PlanStory story = three_in_a_row();
  const model::DecisionId old = decision(story, "b");
  EXPECT_THAT(story.refused(revert(old, " \n"), base::ErrorCode::kInvalidArgument),
              HasSubstr("needs words"));
  EXPECT_THAT(
      story.refused(revert(model::DecisionId(test::plan_id(9).ulid())), base::ErrorCode::kNotFound),
      HasSubstr("made no decision"));
  story.must(revert(old));
  EXPECT_THAT(story.refused(revert(old)), HasSubstr("is superseded"));
}

TEST(Correct, IsRefusedWhileItIsAppliedAndAfterwards) {
  PlanStory story = three_in_a_row();
  const model::DecisionId about = decision(story, "b");
  story.must(story.apply());
  EXPECT_THAT(story.refused(revert(about)), HasSubstr("being applied"));
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply), .outcome = {.applied = true}});
  EXPECT_THAT(story.refused(revert(about)), HasSubstr("agents plan undo"));
}

TEST(Correct, IsNothingForAnActorWithoutModel) {
  PlanStory story;
  model::PlanSettings settings;
  settings.uses_model = false;
  story.direct(settings);
  EXPECT_THAT(story.refused(revert(story.state.root_decision)), HasSubstr("accepts no guidance"));
}

TEST(Correct, OfASubplanThatEndedIsForItsParent) {
  PlanStory story;
  model::PlanSettings settings;
  settings.ancestors = {test::plan_id(7)};
  settings.spawned_by = model::EffectId(test::plan_id(9).ulid());
  settings.direct = true;
  settings.terms.model = "scripted/a";
  story.must(Create{.project = "p",
                    .parent = test::plan_id(7),
                    .settings = settings,
                    .prompt = test::user("a part")});
  story.based();
  const model::DecisionId about = decision(story, "task");
  story.must(revert(about, "otherwise"));
  story.must(EffectStopped{story.open(EffectKind::kModel)});
  story.says("done");
  EXPECT_THAT(story.refused(revert(decision(story, "task"))), HasSubstr("subplan that has ended"));
}

TEST(Impact, TellsWhatACorrectionWouldDoAndDoesNothing) {
  PlanStory story = three_beside();
  story.ends("a");
  const auto impact = impact_of(story.state, decision(story, "a"), CorrectionMode::kRevert);
  ASSERT_TRUE(impact.ok());
  EXPECT_FALSE(impact->whole_plan);
  EXPECT_THAT(impact->steps, ElementsAre(0U, 3U));
  EXPECT_THAT(impact->dropped, ElementsAre(step_of(story, "a").child));
  EXPECT_THAT(impact->stopped, IsEmpty());
  EXPECT_EQ(impact->going_on.size(), 2U);
  EXPECT_THAT(impact->superseded, ElementsAre(decision(story, "a"), decision(story, "d")));
  EXPECT_THAT(impact->tree, IsEmpty()) << "nothing of it was in the tree";
}

TEST(Impact, OfWhatIsMergedNamesTheTreeAndWhatIsMergedAgain) {
  PlanStory story = three_beside();
  for (const std::string id : {"a", "b", "c"}) story.ends(id);
  story.merges({"a", "b", "c"});
  const auto impact = impact_of(story.state, decision(story, "c"), CorrectionMode::kRevert);
  ASSERT_TRUE(impact.ok());
  EXPECT_EQ(impact->tree, test::tree("base"));
  EXPECT_THAT(impact->merged_again, ElementsAre(0U, 1U));
  EXPECT_THAT(impact->steps, ElementsAre(2U, 3U)) << "d worked on a tree that had c";
  EXPECT_EQ(impact->effect, story.open(EffectKind::kModel));
}

}  // namespace
}  // namespace clever::plan

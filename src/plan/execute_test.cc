#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::inline_step;
using test::kinds;
using test::PlanStory;
using test::running_steps;
using test::strategy_of;
using test::subplan_step;
using ::testing::HasSubstr;
using ::testing::Not;

using Ids = std::vector<std::string>;

TEST(Steps, InlineOnesFollowEachOther) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a"), inline_step("b")}));
  EXPECT_EQ(running_steps(story), Ids{"a"});
  EXPECT_EQ(kinds(story.says("a is done")),
            "budget.settled effect.settled model.answered message.added step.moved:a=done "
            "step.moved:b=running transcript.cut message.added budget.reserved "
            "effect.requested:model.call");
  EXPECT_EQ(story.state.transcript.size(), 1U);
  EXPECT_THAT(story.last_words(), HasSubstr("Step b: do b"));
}

TEST(Steps, ThatStandInAnotherOrderWaitForWhatTheyNeed) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("late", {{"early"}}), inline_step("early", Ids{})}));
  EXPECT_EQ(running_steps(story), Ids{"early"});
}

TEST(Subplans, RunBesideEachOtherUpToTheLimit) {
  PlanStory story;
  model::PlanSettings settings;
  settings.subplans.max_parallel = 2;
  story.with_strategy(strategy_of({subplan_step("a"), subplan_step("b"), subplan_step("c")}),
                      settings);
  EXPECT_EQ(running_steps(story), (Ids{"a", "b"}));
  story.ends("a");
  EXPECT_EQ(running_steps(story), (Ids{"b", "c"}));
}

TEST(Subplans, HaveTheIdThatFollowsFromTheEffect) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a")}));
  const model::EffectId effect = story.open(EffectKind::kSubplan);
  EXPECT_EQ(story.state.steps[0].child, child_of(effect));
  EXPECT_NE(child_of(effect).ulid(), effect.ulid());
  EXPECT_EQ(child_of(effect).ulid().timestamp(), effect.ulid().timestamp());
}

TEST(Subplans, WaitForTheStepsTheyDependOn) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a", Ids{}), subplan_step("b", {{"a"}})}));
  EXPECT_EQ(running_steps(story), Ids{"a"});
  story.ends("a");
  EXPECT_EQ(running_steps(story), Ids{"b"});
}

TEST(Subplans, AreMergedInTheOrderOfTheStrategyOnceAllHaveEnded) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a"), subplan_step("b")}));
  story.ends("b");
  EXPECT_FALSE(story.is_open(EffectKind::kMerge));
  EXPECT_EQ(kinds(story.ends("a")),
            "effect.settled step.moved:a=done effect.requested:children.merge");
  EXPECT_EQ(kinds(story.merges({"a", "b"})),
            "effect.settled children.merged work.moved effect.requested:changes.seal");
  EXPECT_TRUE(story.state.steps[1].merged);
  story.seals();
  EXPECT_EQ(story.where(), "execute/complete");
}

TEST(Subplans, AnInlineStepMergesJustWhatItDependsOn) {
  PlanStory story;
  story.with_strategy(
      strategy_of({subplan_step("a"), subplan_step("b"), inline_step("c", {{"a"}})}));
  story.ends("a");
  EXPECT_EQ(story.state.effects.at(story.open(EffectKind::kMerge)).data, R"({"steps":["a"]})");
  story.merges({"a"});
  EXPECT_EQ(running_steps(story), (Ids{"b", "c"}));
  EXPECT_THAT(story.last_words(), HasSubstr("Step c"));
}

TEST(Subplans, ThatRunBesideAnInlineStepAreWaitedFor) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a", Ids{}), inline_step("b", Ids{})}));
  EXPECT_EQ(running_steps(story), (Ids{"a", "b"}));
  story.says("b is done");
  EXPECT_EQ(running_steps(story), Ids{"a"});
  story.ends("a");
  EXPECT_TRUE(story.is_open(EffectKind::kMerge));
}

TEST(Subplans, ThatFailAreTriedAgain) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a")}));
  const model::PlanId first = story.state.steps[0].child;
  EXPECT_EQ(kinds(story.ends("a", model::PlanState::kErrored)),
            "effect.settled step.moved:a=pending step.moved:a=running "
            "effect.requested:subplan.run");
  EXPECT_NE(story.state.steps[0].child, first);
  EXPECT_EQ(story.state.steps[0].attempt, 2);
}

TEST(Subplans, ThatFailTooOftenFailTheStepAndSkipWhatDependsOnIt) {
  PlanStory story;
  model::PlanSettings settings;
  settings.subplans.max_retries = 1;
  story.with_strategy(
      strategy_of({subplan_step("a"), subplan_step("b"), inline_step("c", {{"a"}})}), settings);
  story.ends("a", model::PlanState::kErrored);
  story.ends("a", model::PlanState::kErrored);
  EXPECT_EQ(story.state.steps[0].state, model::StepState::kFailed);
  EXPECT_EQ(story.state.steps[2].state, model::StepState::kSkipped);
  EXPECT_EQ(running_steps(story), Ids{"b"});
  story.ends("b");
  story.merges({"b"});
  EXPECT_EQ(story.where(), "execute/errored");
  EXPECT_EQ(story.state.last_error->category, model::ErrorCategory::kToolFailure);
  EXPECT_THAT(story.state.reason, HasSubstr("a: it broke"));
}

TEST(Subplans, FailFastCancelsTheOthersAndErrsOnceTheyHaveEnded) {
  PlanStory story;
  model::PlanSettings settings;
  settings.subplans.fail_fast = true;
  settings.subplans.retry_failed = false;
  settings.subplans.max_parallel = 2;
  story.with_strategy(strategy_of({subplan_step("a"), subplan_step("b"), subplan_step("c")}),
                      settings);
  const Decided decided = story.ends("a", model::PlanState::kErrored);
  ASSERT_EQ(decided.outgoing.size(), 1U);
  EXPECT_EQ(decided.outgoing[0].plan, story.state.steps[1].child);
  EXPECT_THAT(decided.outgoing[0].body, HasSubstr("cancel"));
  EXPECT_EQ(story.where(), "execute/processing");
  story.ends("b", model::PlanState::kCancelled);
  EXPECT_EQ(story.where(), "execute/errored");
  EXPECT_EQ(story.state.steps[2].state, model::StepState::kPending);
}

TEST(Subplans, ResumeTriesFailedStepsAgain) {
  PlanStory story;
  model::PlanSettings settings;
  settings.subplans.retry_failed = false;
  story.with_strategy(strategy_of({subplan_step("a"), inline_step("b")}), settings);
  story.ends("a", model::PlanState::kErrored);
  EXPECT_EQ(story.where(), "execute/errored");
  story.must(Resume{});
  EXPECT_EQ(running_steps(story), Ids{"a"});
  EXPECT_EQ(story.state.steps[0].attempt, 1);
}

TEST(Subplans, AChildThatIsNotTheEffectsIsRefused) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a")}));
  ChildEnded ended = story.end_of("a");
  ended.child = test::plan_id(9);
  EXPECT_THAT(story.refused(ended, base::ErrorCode::kInvalidArgument), HasSubstr("not the child"));
  EXPECT_THAT(
      story.refused(ChildWaits{ended.effect, ended.child, "x"}, base::ErrorCode::kInvalidArgument),
      HasSubstr("not the child"));
}

TEST(Subplans, AChildThatWaitsLetsItsParentRest) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a"), subplan_step("b")}));
  const ChildEnded a = story.end_of("a");
  story.must(ChildWaits{a.effect, a.child, "money"});
  EXPECT_FALSE(story.state.is_at_rest());
  story.ends("b");
  EXPECT_TRUE(story.state.is_at_rest());
  const Decided resumed = story.must(Resume{});
  ASSERT_EQ(resumed.outgoing.size(), 1U);
  EXPECT_EQ(resumed.outgoing[0].plan, a.child);
  EXPECT_TRUE(std::holds_alternative<Resume>(command_from_json(resumed.outgoing[0].body).value()));
  story.must(ChildWaits{a.effect, a.child, ""});
  EXPECT_FALSE(story.state.is_at_rest());
}

TEST(Subplans, ThatWaitKeepACancelledPlanFromItsRestUntilTheyHaveEnded) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a"), subplan_step("b")}));
  for (const std::string step : {"a", "b"}) {
    const ChildEnded child = story.end_of(step);
    story.must(ChildWaits{child.effect, child.child, "approval"});
  }
  EXPECT_TRUE(story.state.is_at_rest());
  EXPECT_EQ(story.must(Cancel{"enough"}).outgoing.size(), 2U);
  EXPECT_FALSE(story.state.is_at_rest());
  story.ends("a", model::PlanState::kCancelled);
  EXPECT_FALSE(story.state.is_at_rest());
  story.ends("b", model::PlanState::kCancelled);
  EXPECT_EQ(story.where(), "execute/cancelled");
  EXPECT_TRUE(story.state.is_at_rest());
}

TEST(Subplans, AChildThatCannotBeMadeHasFailed) {
  PlanStory story;
  model::PlanSettings settings;
  settings.subplans.max_retries = 0;
  story.with_strategy(strategy_of({subplan_step("a")}), settings);
  story.fails(EffectKind::kSubplan, model::ErrorCategory::kResource);
  EXPECT_EQ(story.where(), "execute/errored");
}

TEST(Subplans, OtherStepsThanAskedForAreNotMerged) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a")}));
  story.ends("a");
  EXPECT_THAT(story.refused(Merged{.effect = story.open(EffectKind::kMerge), .steps = {"x"}},
                            base::ErrorCode::kInvalidArgument),
              HasSubstr("other steps"));
}

PlanStory child_story() {
  PlanStory story(2);
  model::PlanSettings settings;
  settings.direct = true;
  settings.spawned_by = model::EffectId(test::plan_id(7).ulid());
  settings.ancestors = {test::plan_id(1)};
  settings.base_tree = test::tree("base");
  settings.profile = "ci";
  story.must(Create{.parent = test::plan_id(1), .settings = settings, .prompt = test::user("x")});
  story.based();
  return story;
}

TEST(AChild, TellsItsParentWhenItIsComplete) {
  PlanStory story = child_story();
  const Decided decided = story.says("did it");
  EXPECT_EQ(story.where(), "execute/complete");
  EXPECT_FALSE(story.is_open(EffectKind::kSeal));
  ASSERT_EQ(decided.outgoing.size(), 1U);
  EXPECT_EQ(decided.outgoing[0].plan, test::plan_id(1));
  EXPECT_EQ(decided.outgoing[0].key, model::effect_key(story.state.settings.spawned_by));
  const auto ended = std::get<ChildEnded>(command_from_json(decided.outgoing[0].body).value());
  EXPECT_EQ(ended.state, model::PlanState::kComplete);
  EXPECT_EQ(ended.base, test::tree("base"));
  EXPECT_EQ(ended.summary, "did it");
}

TEST(AChild, ThatHasEndedStaysAsItIs) {
  PlanStory story = child_story();
  story.says("did it");
  EXPECT_THAT(story.refused(Prompt{.message = test::user("more")}),
              HasSubstr("agents plan prompt " + test::plan_id(1).to_string()));
  EXPECT_THAT(story.refused(Apply{}), HasSubstr("lands with the plan"));
}

TEST(AChild, TellsItsParentThatItWaitsAndThatItContinues) {
  PlanStory story = child_story();
  const Decided waits = story.fails(EffectKind::kModel, model::ErrorCategory::kAuthentication);
  ASSERT_EQ(waits.outgoing.size(), 1U);
  const auto reported = std::get<ChildWaits>(command_from_json(waits.outgoing[0].body).value());
  EXPECT_THAT(reported.reason, HasSubstr("agents provider test"));
  const Decided goes_on = story.must(Resume{});
  ASSERT_EQ(goes_on.outgoing.size(), 1U);
  EXPECT_EQ(std::get<ChildWaits>(command_from_json(goes_on.outgoing[0].body).value()).reason, "");
}

TEST(AChild, ThatWaitsForRoomWhichMayComeSaysNothing) {
  PlanStory story = child_story();
  story.calls({"read_file"});
  const Command ran = ToolsRan{.effect = story.open(EffectKind::kTools)};
  const auto some =
      decide(story.state, ran, {.now = story.now, .may_spend = false, .room_may_come = true});
  EXPECT_TRUE(some.value().outgoing.empty());
  story.take(*some);
  EXPECT_EQ(story.must(BudgetFreed{}, false).outgoing.size(), 1U) << "now it does";
}

TEST(AChild, TellsItsParentThatItWasCancelled) {
  PlanStory story = child_story();
  story.must(Cancel{"enough"});
  const Decided decided = story.must(EffectStopped{story.open(EffectKind::kModel)});
  ASSERT_EQ(decided.outgoing.size(), 1U);
  EXPECT_EQ(std::get<ChildEnded>(command_from_json(decided.outgoing[0].body).value()).state,
            model::PlanState::kCancelled);
}

TEST(Compaction, FoldsOldMessagesIntoASummary) {
  PlanStory story;
  model::PlanSettings settings;
  settings.limits.transcript_bytes = 2'000;
  story.direct(settings);
  for (int i = 0; i < 30; ++i) {
    story.calls({"read_file"}, CallClass::kRead);
    story.ran();
    EXPECT_LT(story.state.transcript_bytes, 3'500);
  }
  EXPECT_EQ(story.state.transcript.front().why, model::MessageWhy::kSummary);
  EXPECT_THAT(story.bodies.at(story.state.transcript.front().body),
              HasSubstr("task (tidy up): running"));
  EXPECT_NE(story.state.transcript[1].why, model::MessageWhy::kResults);
}

}  // namespace
}  // namespace clever::plan

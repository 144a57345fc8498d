#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::kinds;
using test::PlanStory;
using ::testing::HasSubstr;

TEST(Create, RecordsThePlanAndAsksForItsBase) {
  PlanStory story;
  EXPECT_EQ(kinds(story.create()),
            "plan.created plan.configured plan.prompted decision.recorded "
            "plan.moved:strategize/queued effect.requested:base.take");
  EXPECT_EQ(story.state.title, "tidy up");
  EXPECT_TRUE(story.state.root_decision);
  EXPECT_EQ(story.state.prompts.size(), 1U);
}

TEST(Create, TakesTheFirstLineOfTheTaskAsTitle) {
  PlanStory story;
  story.create({}, "\n  rename it\nand more");
  EXPECT_EQ(story.state.title, "rename it");
}

TEST(Create, IsRefusedASecondTime) {
  PlanStory story;
  story.create();
  EXPECT_THAT(story.refused(Create{}), HasSubstr("strategize/queued"));
}

TEST(Create, RefusesWhatCannotBe) {
  PlanStory story;
  model::PlanSettings deep;
  deep.depth = 6;
  EXPECT_THAT(story.refused(Create{.settings = deep}, base::ErrorCode::kInvalidArgument),
              HasSubstr("at most 5 deep"));
  model::PlanSettings none;
  none.subplans.max_parallel = 0;
  EXPECT_THAT(story.refused(Create{.settings = none}, base::ErrorCode::kInvalidArgument),
              HasSubstr("max_parallel"));
  EXPECT_THAT(story.refused(Create{.parent = test::plan_id(9)}, base::ErrorCode::kInvalidArgument),
              HasSubstr("effect"));
  story.state.id = {};
  EXPECT_THAT(story.refused(Create{}, base::ErrorCode::kInvalidArgument), HasSubstr("id"));
}

TEST(Commands, OfAPlanThatIsNotThereAreNotFound) {
  PlanStory story;
  EXPECT_THAT(story.refused(Resume{}, base::ErrorCode::kNotFound), HasSubstr("agents plan list"));
}

TEST(Direct, SkipsStrategizeAndAsksTheModel) {
  PlanStory story;
  model::PlanSettings settings;
  settings.direct = true;
  story.create(settings);
  EXPECT_EQ(kinds(story.based()),
            "effect.settled base.taken plan.moved:strategize/processing decision.recorded "
            "decision.recorded strategy.accepted plan.moved:strategize/complete "
            "plan.moved:execute/queued plan.moved:execute/processing changeset.started work.began "
            "step.moved:task=running message.added budget.reserved effect.requested:model.call");
  EXPECT_EQ(story.state.steps.at(0).definition.title, "tidy up");
}

TEST(Direct, RunsToolsAndAsksAgain) {
  PlanStory story;
  story.direct();
  EXPECT_EQ(
      kinds(story.calls({"write_file"})),
      "budget.settled effect.settled model.answered message.added effect.requested:tools.run");
  EXPECT_EQ(kinds(story.ran("a")),
            "effect.settled tools.ran message.added work.moved budget.reserved "
            "effect.requested:model.call");
  EXPECT_EQ(story.state.tree, test::tree("a"));
}

TEST(Direct, IsCompleteOnceTheModelHasNothingToCall) {
  PlanStory story;
  story.direct();
  story.calls({"write_file"});
  story.ran("a");
  EXPECT_EQ(kinds(story.says("all done")),
            "budget.settled effect.settled model.answered message.added step.moved:task=done "
            "effect.requested:changes.seal");
  EXPECT_EQ(kinds(story.seals()), "effect.settled changeset.sealed plan.moved:execute/complete");
  EXPECT_TRUE(story.state.is_ready_to_apply());
  EXPECT_TRUE(story.state.is_at_rest());
  EXPECT_EQ(story.state.steps[0].summary, "all done");
  EXPECT_EQ(story.state.usage.calls, 2);
  EXPECT_EQ(story.state.usage.cost, 40);
}

TEST(Direct, ByAnActorWithoutModelWorksAtOnce) {
  PlanStory story;
  model::PlanSettings settings;
  settings.uses_model = false;
  settings.direct = true;
  story.create(settings);
  story.based();
  story.must(ActorWorked{.effect = story.open(EffectKind::kActorWork),
                         .summary = "3 replaced",
                         .tree = test::tree("x")});
  EXPECT_EQ(story.state.steps[0].summary, "3 replaced");
  EXPECT_TRUE(story.is_open(EffectKind::kSeal));
}

TEST(FromPlan, WithoutATaskTheWorkIsSealedAsItIs) {
  PlanStory story;
  model::PlanSettings settings;
  settings.direct = true;
  settings.from_plan = test::plan_id(7);
  settings.seal_at_start = true;
  story.create(settings);
  story.must(BaseIsTaken{.effect = story.open(EffectKind::kBase),
                         .base = {.tree = test::tree("base")},
                         .tree = test::tree("work"),
                         .conflicts = {{.path = "a.txt", .kind = "content"}}});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_TRUE(story.is_open(EffectKind::kSeal));
  EXPECT_EQ(story.state.tree, test::tree("work"));
  EXPECT_EQ(story.state.base->tree, test::tree("base"));
  ASSERT_EQ(story.state.conflicts.size(), 1U);
  EXPECT_EQ(story.state.conflicts[0].path, "a.txt");
}

TEST(FromPlan, WithATaskTheModelIsAsked) {
  PlanStory story;
  model::PlanSettings settings;
  settings.direct = true;
  settings.terms.model = "scripted/a";
  settings.from_plan = test::plan_id(7);
  story.create(settings);
  story.must(BaseIsTaken{.effect = story.open(EffectKind::kBase),
                         .base = {.tree = test::tree("base")},
                         .tree = test::tree("work")});
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
  EXPECT_EQ(story.state.tree, test::tree("work"));
}

TEST(Outcomes, OfAnEffectThatIsSettledAreAConflict) {
  PlanStory story;
  story.create();
  const BaseIsTaken taken{story.open(EffectKind::kBase), {.tree = test::tree("base")}};
  story.must(taken);
  EXPECT_THAT(story.refused(taken), HasSubstr("already settled"));
}

TEST(Outcomes, OfAnotherKindAreRefused) {
  PlanStory story;
  story.create();
  EXPECT_THAT(
      story.refused(TimerFired{story.open(EffectKind::kBase)}, base::ErrorCode::kInvalidArgument),
      HasSubstr("base.take"));
}

TEST(Profiles, ThatApplyByThemselvesDo) {
  for (const char* profile : {"ci", "full-auto"}) {
    PlanStory story;
    model::PlanSettings settings;
    settings.profile = profile;
    story.ready(settings);
    EXPECT_EQ(story.where(), "apply/processing");
    EXPECT_TRUE(story.is_open(EffectKind::kApply));
  }
}

TEST(Budget, IsReservedForTheWorstCase) {
  PlanStory story;
  model::PlanSettings settings;
  settings.session = "s";
  settings.limits.overhead_bytes = 1'000;
  settings.terms.max_output = 500;
  story.direct(settings);
  const OpenEffect& call = story.state.effects.at(story.open(EffectKind::kModel));
  const std::int64_t input = story.state.transcript_bytes + 1'000;
  EXPECT_EQ(call.reserved, (model::Cost{input + 2 * 500, input + 500}));
  EXPECT_EQ(call.scopes, (std::vector<std::string>{"day/2027-01-15", "session/s",
                                                   "plan/" + story.state.id.to_string()}));
}

TEST(Budget, WithoutRoomThePlanWaits) {
  PlanStory story;
  story.direct();
  story.calls({"write_file"});
  const auto ran = story.must(ToolsRan{.effect = story.open(EffectKind::kTools)}, false);
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_EQ(story.state.waiting, Waiting::kBudget);
  EXPECT_TRUE(story.state.is_at_rest());
  EXPECT_THAT(story.state.reason, HasSubstr("agents budget set"));
  EXPECT_THAT(kinds(ran), HasSubstr("message.added"));
}

TEST(Budget, ThatIsFreedLetsItContinue) {
  PlanStory story;
  story.create();
  story.must(BaseIsTaken{story.open(EffectKind::kBase), {.tree = test::tree("base")}}, false);
  EXPECT_EQ(story.where(), "strategize/waiting");
  story.must(BudgetFreed{});
  EXPECT_EQ(story.where(), "strategize/processing");
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
  EXPECT_TRUE(story.must(BudgetFreed{}).events.empty());
}

TEST(Budget, WaitsForRoomUntilNoneCanCome) {
  PlanStory story;
  story.create();
  const Circumstances some{.now = story.now, .may_spend = false, .room_may_come = true};
  const auto waits = decide(
      story.state, BaseIsTaken{story.open(EffectKind::kBase), {.tree = test::tree("base")}}, some);
  story.take(waits.value());
  EXPECT_EQ(story.state.waiting, Waiting::kBudget);
  EXPECT_TRUE(story.state.room_may_come);
  EXPECT_TRUE(decide(story.state, BudgetFreed{}, some).value().events.empty());
  story.must(BudgetFreed{}, false);
  EXPECT_EQ(story.where(), "strategize/waiting");
  EXPECT_FALSE(story.state.room_may_come);
  EXPECT_TRUE(story.must(BudgetFreed{}, false).events.empty());
}

}  // namespace
}  // namespace clever::plan

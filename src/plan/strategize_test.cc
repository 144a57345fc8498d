#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::inline_step;
using test::kinds;
using test::PlanStory;
using test::strategy_of;
using test::subplan_step;
using ::testing::HasSubstr;

PlanStory thinking(model::PlanSettings settings = {}) {
  PlanStory story;
  story.create(std::move(settings));
  story.based();
  return story;
}

TEST(Strategize, AsksTheModelForAStrategy) {
  PlanStory story;
  story.create();
  EXPECT_EQ(kinds(story.based()),
            "effect.settled base.taken plan.moved:strategize/processing message.added "
            "budget.reserved effect.requested:model.call");
  EXPECT_THAT(story.last_words(), HasSubstr("submit_strategy"));
}

TEST(Strategize, ByAnActorWithoutModelAsksTheActor) {
  model::PlanSettings settings;
  settings.uses_model = false;
  PlanStory story = thinking(settings);
  story.must(ActorStrategized{story.open(EffectKind::kActorStrategize),
                              strategy_of({subplan_step("a"), subplan_step("b")})});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_EQ(story.all_open(EffectKind::kSubplan).size(), 2U);
}

TEST(Strategize, AnActorsStrategyThatDoesNotFitIsAnError) {
  model::PlanSettings settings;
  settings.uses_model = false;
  PlanStory story = thinking(settings);
  story.must(ActorStrategized{story.open(EffectKind::kActorStrategize), {}});
  EXPECT_EQ(story.state.errors, 1);
  story.fires();
  EXPECT_TRUE(story.is_open(EffectKind::kActorStrategize));
}

TEST(Strategize, AStrategyIsAcceptedWithItsDecisions) {
  PlanStory story = thinking();
  EXPECT_EQ(kinds(story.submit(strategy_of({inline_step("a"), subplan_step("b")}))),
            "budget.settled effect.settled model.answered message.added message.added "
            "decision.recorded decision.recorded decision.recorded strategy.accepted "
            "plan.moved:strategize/complete plan.moved:execute/queued "
            "plan.moved:execute/processing transcript.cut changeset.started work.began "
            "step.moved:a=running message.added budget.reserved effect.requested:model.call");
  EXPECT_EQ(story.state.steps[1].definition.depends_on, (std::vector<std::string>{"a"}));
  EXPECT_EQ(story.state.decision, story.state.steps[0].decision);
}

TEST(Strategize, OtherCallsBesideAStrategyGetAResultToo) {
  PlanStory story = thinking();
  model::PlanSettings settings;
  settings.profile = "manual";
  story = thinking(settings);
  Answered answered = story.calling({"read_file", "submit_strategy"}, CallClass::kRead);
  answered.strategy = strategy_of({inline_step("a")});
  story.must(answered);
  EXPECT_EQ(story.where(), "strategize/waiting");
  EXPECT_THAT(story.last_words(), HasSubstr("not run: the strategy was accepted"));
}

TEST(Strategize, AWrongStrategyIsTheResultOfItsCall) {
  PlanStory story = thinking();
  story.submit(model::Strategy::parse("{}"));
  EXPECT_EQ(story.where(), "strategize/processing");
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
  EXPECT_THAT(story.last_words(), HasSubstr("\\\"summary\\\" must be a string"));
}

TEST(Strategize, AStrategyThatStaysWrongIsMisbehaviour) {
  PlanStory story = thinking();
  for (int i = 0; i < 3; ++i) story.submit(strategy_of({}));
  EXPECT_EQ(story.state.errors, 0);
  story.submit(strategy_of({}));
  EXPECT_EQ(story.state.errors, 1);
  EXPECT_EQ(story.state.last_error->category, model::ErrorCategory::kModelMisbehaviour);
  story.fires();
  EXPECT_EQ(story.state.transcript.size(), 1U) << "it starts over";
}

TEST(Strategize, ToolsThatReadAreRun) {
  PlanStory story = thinking();
  story.calls({"read_file"}, CallClass::kRead);
  EXPECT_TRUE(story.is_open(EffectKind::kTools));
  story.ran();
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(Strategize, ToolsThatWriteAreNotRun) {
  PlanStory story = thinking();
  story.calls({"write_file"});
  EXPECT_FALSE(story.is_open(EffectKind::kTools));
  EXPECT_THAT(story.last_words(), HasSubstr("Only tools that read"));
}

TEST(Strategize, AToolThatWroteAnywayIsAnError) {
  PlanStory story = thinking();
  story.calls({"read_file"}, CallClass::kRead);
  story.ran("x");
  EXPECT_EQ(story.state.last_error->category, model::ErrorCategory::kInvariant);
  EXPECT_EQ(story.state.tree, test::tree("base"));
}

TEST(Strategize, ProseIsRemindedOnceThenTakenAsOneStep) {
  PlanStory story = thinking();
  story.says("I would first look around.");
  EXPECT_EQ(story.where(), "strategize/processing");
  story.says("Rename all of it.");
  EXPECT_EQ(story.where(), "execute/processing");
  ASSERT_EQ(story.state.steps.size(), 1U);
  EXPECT_EQ(story.state.steps[0].definition.detail, "Rename all of it.");
}

TEST(Profiles, ManualAndReviewWaitForApproval) {
  for (const char* profile : {"manual", "review"}) {
    model::PlanSettings settings;
    settings.profile = profile;
    PlanStory story = thinking(settings);
    story.submit(strategy_of({inline_step("a")}));
    EXPECT_EQ(story.where(), "strategize/waiting");
    EXPECT_EQ(story.state.waiting, Waiting::kApproval);
    EXPECT_THAT(story.state.reason, HasSubstr("agents plan approve"));
    story.must(Resume{});
    EXPECT_EQ(story.where(), "execute/processing");
  }
}

TEST(Profiles, CautiousAsksIfTheModelIsNotSure) {
  for (const auto& [confidence, where] :
       {std::pair{0.5, "strategize/waiting"}, {0.9, "execute/processing"}}) {
    model::PlanSettings settings;
    settings.profile = "cautious";
    PlanStory story = thinking(settings);
    model::Strategy strategy = strategy_of({inline_step("a")});
    strategy.confidence = confidence;
    story.submit(strategy);
    EXPECT_EQ(story.where(), where);
  }
}

}  // namespace
}  // namespace clever::plan

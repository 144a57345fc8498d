#include "engine/plan_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/work_events.h"
#include "sim/engine/engine_kit.h"
#include "storage/keys.h"

namespace clever::engine {
namespace {

using base::ErrorCode;
using model::PlanState;
using plan::EffectKind;
using sim::EngineGround;
using sim::EngineProcess;
using ::testing::HasSubstr;

plan::Apply apply(const plan::State& state) {
  return {.request = {.digest = state.changeset.digest.value()}};
}

TEST(PlanEngineTest, DrivesAPlanUntilItRests) {
  EngineGround ground;
  EngineProcess process(ground);
  const auto plan = process.create();
  const auto state = process.plans().wait(plan).value();
  EXPECT_EQ(state->phase, model::Phase::kExecute);
  EXPECT_EQ(state->state, PlanState::kComplete);
  EXPECT_EQ(process.plans().state(plan).value()->sequence, state->sequence);
}

TEST(PlanEngineTest, ARecordedPlanIsDrivenByItsNextOwner) {
  EngineGround ground;
  EngineProcess first(ground);
  EngineProcess second(ground);
  const auto plan = first.plans().record(sim::new_plan(), {}).value();
  EXPECT_EQ(first.plans().state(plan).value()->state, PlanState::kQueued);
  ASSERT_TRUE(second.plans().drive(plan).ok());
  EXPECT_EQ(second.plans().wait(plan).value()->state, PlanState::kComplete);
  EXPECT_EQ(first.effects.started(EffectKind::kBase), 0);
}

TEST(PlanEngineTest, AnswersACommandAndContinues) {
  EngineGround ground;
  EngineProcess process(ground, {.subplans = 1});
  const auto plan = process.create();
  const auto ready = process.plans().wait(plan).value();
  const auto answer = process.plans().command(plan, "apply/1", apply(*ready)).value();
  EXPECT_TRUE(answer.is_new);
  EXPECT_GT(answer.sequence, ready->sequence);
  EXPECT_THAT(answer.receipt, HasSubstr("\"accepted\":true"));
  EXPECT_EQ(process.plans().wait(plan).value()->state, PlanState::kApplied);
}

TEST(PlanEngineTest, TheSameCommandHasOneAnswer) {
  EngineGround ground;
  EngineProcess process(ground, {.subplans = 1});
  const auto plan = process.create();
  const auto command = apply(*process.plans().wait(plan).value());
  const auto first = process.plans().command(plan, "apply/1", command).value();
  const auto second = process.plans().command(plan, "apply/1", command).value();
  EXPECT_FALSE(second.is_new);
  EXPECT_EQ(second.receipt, first.receipt);
  EXPECT_EQ(second.sequence, first.sequence);
  EXPECT_EQ(process.plans().command(plan, "apply/1", plan::Resume{}).error().code(),
            ErrorCode::kConflict);
}

TEST(PlanEngineTest, ARefusalIsAnAnswer) {
  EngineGround ground;
  EngineProcess process(ground);
  const auto plan = process.create();
  ASSERT_TRUE(process.plans().wait(plan).ok());
  const auto answer = process.plans().command(plan, "undo", plan::Undo{}).value();
  EXPECT_THAT(answer.receipt, HasSubstr("\"refused\":\"conflict\""));
}

TEST(PlanEngineTest, ACommandThatCannotBeReadIsRefused) {
  EngineGround ground;
  EngineProcess process(ground, {.held = {EffectKind::kModel}});
  const auto plan = process.create();
  process.effects.wait_for(EffectKind::kModel);
  ASSERT_TRUE(process.store.send(plan, "nonsense", "[]").ok());
  EXPECT_TRUE(process.plans().command(plan, "cancel", plan::Cancel{}).ok());
  EXPECT_THAT(process.store.receipt(plan, "nonsense")->receipt, HasSubstr("invalid_argument"));
}

TEST(PlanEngineTest, SubplansAreDrivenAndMerged) {
  EngineGround ground;
  EngineProcess process(ground, {.subplans = 40});
  const auto plan = process.create();
  const auto state = process.plans().wait(plan).value();
  EXPECT_EQ(state->state, PlanState::kComplete);
  EXPECT_EQ(state->tree, std::string(40, 'b'));
  for (const auto& step : state->steps) {
    EXPECT_EQ(process.plans().state(step.child).value()->state, PlanState::kComplete);
  }
}

TEST(PlanEngineTest, SubplansBeyondTheMostWait) {
  EngineGround ground;
  EngineProcess process(ground, {.subplans = 10}, std::chrono::seconds{30}, 2);
  EXPECT_EQ(process.plans().wait(process.create()).value()->state, PlanState::kComplete);
}

TEST(PlanEngineTest, ASubplanThatCannotBeMadeFailsItsStep) {
  EngineGround ground;
  EngineProcess process(ground,
                        {.subplans = 1, .child_error = base::invalid_argument("no such base")});
  const auto state = process.plans().wait(process.create()).value();
  EXPECT_EQ(state->state, PlanState::kErrored);
  EXPECT_THAT(state->steps.front().summary, HasSubstr("no such base"));
  EXPECT_EQ(state->steps.front().attempt, 3);
}

TEST(PlanEngineTest, CancellingStopsWhatRuns) {
  EngineGround ground;
  EngineProcess process(ground, {.subplans = 4, .held = {EffectKind::kMerge}});
  const auto plan = process.create();
  process.effects.wait_for(EffectKind::kMerge);
  ASSERT_TRUE(process.plans().command(plan, "cancel", plan::Cancel{"enough"}).ok());
  EXPECT_EQ(process.plans().wait(plan).value()->state, PlanState::kCancelled);
  EXPECT_EQ(process.effects.running(), 0U);
}

TEST(PlanEngineTest, CancellingReachesTheSubplans) {
  EngineGround ground;
  EngineProcess process(ground, {.subplans = 3, .held = {EffectKind::kBase}});
  const auto plan = process.create();
  process.effects.wait_for(EffectKind::kBase);
  ASSERT_TRUE(process.plans().command(plan, "cancel", plan::Cancel{}).ok());
  EXPECT_EQ(process.plans().wait(plan).value()->state, PlanState::kCancelled);
}

TEST(PlanEngineTest, WhoEndsLeavesItsPlansResumable) {
  EngineGround ground;
  EngineProcess first(ground, {.subplans = 3, .held = {EffectKind::kModel}});
  const auto plan = first.create();
  first.effects.wait_for(EffectKind::kModel);
  first.stop();
  EXPECT_EQ(first.effects.running(), 0U);
  EngineProcess second(ground, {.subplans = 3});
  ASSERT_TRUE(second.plans().drive(plan).ok());
  EXPECT_EQ(second.plans().wait(plan).value()->state, PlanState::kComplete);
}

TEST(PlanEngineTest, WordsToAnInterruptedPlanAreInItsNextQuestion) {
  EngineGround ground;
  EngineProcess first(ground, {.held = {EffectKind::kModel}});
  const auto plan = first.create();
  first.effects.wait_for(EffectKind::kModel);
  first.stop();
  EngineProcess second(ground, {.held = {EffectKind::kModel}});
  const plan::Prompt prompt{.message = {model::Role::kUser, {model::Text{"otherwise"}}}};
  ASSERT_TRUE(second.plans().command(plan, "prompt/1", prompt).ok());
  second.effects.wait_for(EffectKind::kModel);
  const auto state = second.plans().state(plan).value();
  EXPECT_EQ(state->usage.calls, 0) << "nothing was asked before";
  EXPECT_EQ(second.effects.started(EffectKind::kModel), 1);
  ASSERT_FALSE(state->transcript.empty());
  EXPECT_EQ(state->transcript.back().why, model::MessageWhy::kPrompt);
}

// Of commands that wait together, only the words that came first go before the others.
TEST(PlanEngineTest, WordsAfterACancelDoNotOvertakeIt) {
  EngineGround ground;
  EngineProcess first(ground, {.held = {EffectKind::kModel}});
  const auto plan = first.create();
  first.effects.wait_for(EffectKind::kModel);
  first.stop();
  EngineProcess second(ground);
  const plan::Prompt prompt{.message = {model::Role::kUser, {model::Text{"otherwise"}}}};
  ASSERT_TRUE(second.store.send(plan, "cancel", plan::to_json(plan::Cancel{"enough"})).ok());
  const auto answer = second.plans().command(plan, "prompt/1", prompt).value();
  EXPECT_THAT(answer.receipt, HasSubstr("\"refused\""));
  EXPECT_EQ(second.plans().wait(plan).value()->state, PlanState::kCancelled);
}

TEST(PlanEngineTest, WaitingForAPlanWithoutADriverDrivesIt) {
  EngineGround ground;
  EngineProcess first(ground, {.held = {EffectKind::kBase}});
  const auto plan = first.create();
  first.stop();
  EngineProcess second(ground);
  EXPECT_EQ(second.plans().wait(plan).value()->state, PlanState::kComplete);
}

TEST(PlanEngineTest, AnotherProcessLearnsTheDriverAndReachesIt) {
  EngineGround ground;
  EngineProcess first(ground, {.held = {EffectKind::kModel}});
  EngineProcess second(ground);
  const auto plan = first.create();
  first.effects.wait_for(EffectKind::kModel);
  const auto driven = second.plans().drive(plan);
  ASSERT_FALSE(driven.ok());
  EXPECT_EQ(driven.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(driven.error().message(), HasSubstr("held by"));
  EXPECT_TRUE(second.plans().command(plan, "cancel", plan::Cancel{}).ok());
  EXPECT_EQ(second.plans().wait(plan).value()->state, PlanState::kCancelled);
}

TEST(PlanEngineTest, APlanAtRestIsFreeForOthers) {
  EngineGround ground;
  EngineProcess first(ground, {.subplans = 1});
  EngineProcess second(ground, {.subplans = 1});
  const auto plan = first.create();
  const auto ready = first.plans().wait(plan).value();
  EXPECT_TRUE(second.plans().command(plan, "apply/1", apply(*ready)).ok());
  EXPECT_EQ(first.plans().wait(plan).value()->state, PlanState::kApplied);
}

TEST(PlanEngineTest, DrivingASubplanDrivesItsTree) {
  EngineGround ground;
  EngineProcess first(ground, {.subplans = 1});
  const auto plan = first.create();
  const auto child = first.plans().wait(plan).value()->steps.front().child;
  EXPECT_TRUE(first.plans().drive(child).ok());
  EXPECT_EQ(first.plans().wait(child).value()->state, PlanState::kComplete);
}

TEST(PlanEngineTest, UnknownPlansAreNotFound) {
  EngineGround ground;
  EngineProcess process(ground);
  const auto nobody = sim::plan_id(7);
  EXPECT_EQ(process.plans().drive(nobody).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(process.plans().state(nobody).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(process.plans().wait(nobody).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(process.plans().command(nobody, "k", plan::Resume{}).error().code(),
            ErrorCode::kNotFound);
}

TEST(PlanEngineTest, ABadPlanIsRefusedWhole) {
  EngineGround ground;
  EngineProcess process(ground);
  plan::Create create = sim::new_plan();
  create.settings.depth = 100;
  EXPECT_EQ(process.plans().create(create, {}).error().code(), ErrorCode::kInvalidArgument);
}

TEST(PlanEngineTest, AtItsCapAPlanWaitsForAPerson) {
  EngineGround ground;
  EngineProcess process(ground);
  const auto plan = process.create({.tokens = 10});
  const auto state = process.plans().wait(plan).value();
  EXPECT_EQ(state->waiting, plan::Waiting::kBudget);
  EXPECT_EQ(process.effects.started(EffectKind::kModel), 0);
}

// At whatever moment of the look: what is being written then is waited for, and not for ever.
TEST(PlanEngineTest, AProcessEndsWhileItsPlanLooksForMoney) {
  EngineGround ground;
  EngineProcess first(ground);
  const auto plan = first.create({.tokens = 10});
  ASSERT_TRUE(first.plans().wait(plan).ok());
  for (int i = 0; i < 300; ++i) {
    EngineProcess process(ground);
    (void)process.plans().drive(plan);
  }
}

TEST(PlanEngineTest, ACallThatCostMoreThanWasReservedStopsThePlan) {
  EngineGround ground;
  EngineProcess process(ground, {.cost = {.money = 0, .tokens = 1'000'000}});
  const auto plan = process.create();
  const auto state = process.plans().wait(plan).value();
  EXPECT_EQ(state->waiting, plan::Waiting::kBudget);
  EXPECT_EQ(state->usage.calls, 1);
}

TEST(PlanEngineTest, ALeaseIsKeptAsLongAsItIsNeeded) {
  EngineGround ground;
  EngineProcess first(ground, {.held = {EffectKind::kModel}}, std::chrono::milliseconds{60});
  EngineProcess second(ground);
  const auto plan = first.create();
  first.effects.wait_for(EffectKind::kModel);
  for (int renewals = 0; renewals < 5; ++renewals) {
    ASSERT_TRUE(first.store.renew().ok());
    EXPECT_FALSE(second.plans().drive(plan).ok());
  }
  first.effects.release();
  EXPECT_EQ(first.plans().wait(plan).value()->state, PlanState::kComplete);
}

TEST(PlanEngineTest, AStopEndsTheWaitingAlone) {
  EngineGround ground;
  EngineProcess process(ground, {.held = {EffectKind::kModel}});
  const auto plan = process.create();
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(process.plans().wait(plan, stop.token()).error().code(), ErrorCode::kCancelled);
  const auto soon = base::Deadline::after(ground.clock, std::chrono::milliseconds{1});
  EXPECT_EQ(process.plans().wait(plan, {}, soon).error().code(), ErrorCode::kDeadlineExceeded);
  process.effects.release();
  EXPECT_EQ(process.plans().wait(plan).value()->state, PlanState::kComplete);
}

}  // namespace
}  // namespace clever::engine

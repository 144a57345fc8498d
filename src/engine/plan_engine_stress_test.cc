#include <gtest/gtest.h>

#include "base/atomic.h"
#include "sim/engine/engine_kit.h"
#include "support/together.h"

namespace clever::engine {
namespace {

using model::PlanState;
using sim::EngineGround;
using sim::EngineProcess;

constexpr int kClients = 16;

TEST(PlanEngineStress, ManyPlansWithSubplansComeToTheirEnd) {
  EngineGround ground;
  EngineProcess process(ground, {.subplans = 4});
  test::together(kClients, [&](int) {
    EXPECT_EQ(process.plans().wait(process.create()).value()->state, PlanState::kComplete);
  });
}

TEST(PlanEngineStress, EveryCommandIsAnsweredThoughThePlanIsPutAwayInBetween) {
  EngineGround ground;
  // Asks a person each time: it is at rest after each command.
  EngineProcess process(ground, {.error = model::ErrorCategory::kAuthentication});
  const auto plan = process.create();
  test::together(kClients, [&](int worker) {
    for (int i = 0; i < 5; ++i) {
      const std::string key = std::to_string(worker) + "/" + std::to_string(i);
      EXPECT_TRUE(process.plans().command(plan, key, plan::Resume{}).ok());
    }
  });
  EXPECT_EQ(process.plans().wait(plan).value()->waiting, plan::Waiting::kPerson);
}

TEST(PlanEngineStress, TwoProcessesAnswerEachOthersCommands) {
  EngineGround ground;
  EngineProcess first(ground, {.error = model::ErrorCategory::kAuthentication});
  EngineProcess second(ground, {.error = model::ErrorCategory::kAuthentication});
  const auto plan = first.create();
  test::together(4, [&](int worker) {
    EngineProcess& process = worker % 2 == 0 ? first : second;
    for (int i = 0; i < 3; ++i) {
      const std::string key = std::to_string(worker) + "/" + std::to_string(i);
      EXPECT_TRUE(process.plans().command(plan, key, plan::Resume{}).ok());
    }
  });
}

TEST(PlanEngineStress, OneAppliesAndAllGetTheSameReceipt) {
  EngineGround ground;
  EngineProcess process(ground, {.subplans = 1});
  const auto plan = process.create();
  const auto ready = process.plans().wait(plan).value();
  const plan::Apply apply{.request = {.digest = ready->changeset.digest.value()}};
  base::Atomic<int> news{0};  // counts, publishes nothing
  test::together(kClients, [&](int) {
    const auto answer = process.plans().command(plan, "apply/1", apply).value();
    if (answer.is_new) news.fetch_add(1);
  });
  EXPECT_EQ(news.load(), 1);
  EXPECT_EQ(process.plans().wait(plan).value()->state, PlanState::kApplied);
  EXPECT_EQ(process.effects.started(plan::EffectKind::kApply), 1);
}

TEST(PlanEngineStress, EndsWhilePlansAreBeingMade) {
  EngineGround ground;
  EngineProcess process(ground, {.subplans = 3, .held = {plan::EffectKind::kMerge}});
  test::together(kClients, [&](int) { (void)process.create(); });
  process.stop();
  EXPECT_EQ(process.effects.running(), 0U);
}

}  // namespace
}  // namespace clever::engine

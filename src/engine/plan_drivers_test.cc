#include "engine/plan_drivers.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/ulid.h"
#include "sim/engine/hand_effects.h"
#include "sim/engine/memory_plans.h"
#include "sim/engine/turn_scheduler.h"
#include "sim/engine/writer_kit.h"

namespace clever::engine {
namespace {

// A plan whose model does not answer, and a store that answers when it is told to.
class PlanDriversTest : public ::testing::Test {
 protected:
  void wake(const std::string& topic, int times) {
    for (int i = 0; i < times; ++i) {
      for (const auto& listener : topics_.listeners({topic})) (*listener.lock())();
    }
  }
  [[nodiscard]] bool is_consumed(const std::string& key) {
    const auto receipt = store_.receipt(plan_, key);
    return receipt.ok() && receipt->consumed != 0;
  }

  const model::PlanId plan_ = sim::plan_id(1);
  sim::PlanDatabase database_;
  sim::Topics topics_;
  sim::StillClock clock_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_{clock_, random_};
  sim::TurnScheduler scheduler_{clock_};
  sim::MemoryPlans store_{database_, topics_, clock_};
  sim::HandEffects effects_{{.held = {plan::EffectKind::kModel}}};
  PlanDrivers drivers_{
      {.store = store_,
       .scheduler = scheduler_,
       .ids = ids_,
       .effects = effects_,
       .child = [](const EffectOrder& order, auto done) { done(sim::SimEffects::child(order)); }}};
};

// Ten thousand plans that are all woken for one commit of somebody else must not fill the store's
// queue faster than it answers.
TEST_F(PlanDriversTest, HoweverOftenItIsWokenItAsksForItsInboxOnceAtATime) {
  drivers_.create(plan_, sim::new_plan(), [](const auto&) {});
  scheduler_.storing().hold();
  wake(storage::inbox_name(plan_), 1000);
  EXPECT_EQ(scheduler_.storing().run(), 1U);
  // Once more, for what came after the first look.
  EXPECT_EQ(scheduler_.storing().run(), 1U);
  EXPECT_EQ(scheduler_.storing().run(), 0U);
}

TEST_F(PlanDriversTest, WhatComesWhileItLooksIsSeenByTheNextLook) {
  drivers_.create(plan_, sim::new_plan(), [](const auto&) {});
  scheduler_.storing().hold();
  wake(storage::inbox_name(plan_), 1);
  (void)store_.send(plan_, "stop", plan::to_json(plan::Cancel{}));
  while (scheduler_.storing().run() != 0) {
  }
  EXPECT_TRUE(is_consumed("stop"));
}

// The disk is full, and stays so: the engine lets the plan go, and every caller gets the reason.
TEST_F(PlanDriversTest, AStoreThatFailsEndsTheDriving) {
  drivers_.create(plan_, sim::new_plan(), [](const auto&) {});
  store_.fault = [](const storage::Append&) { return base::unavailable("the disk is full"); };
  (void)store_.send(plan_, "stop", plan::to_json(plan::Cancel{}));
  wake(storage::inbox_name(plan_), 1);
  EXPECT_EQ(drivers_.failures().count, 0U);
  for (int rung = 0; rung < 100 && drivers_.failures().count == 0; ++rung) scheduler_.ring();
  ASSERT_EQ(drivers_.failures().count, 1U);
  EXPECT_EQ(drivers_.failures().last->message(), "the disk is full");
  EXPECT_FALSE(drivers_.look(plan_).has_value());
  EXPECT_FALSE(is_consumed("stop"));
  // It can be driven on once there is room.
  store_.fault = nullptr;
  drivers_.drive(plan_, [](const auto& place) { EXPECT_TRUE(place.ok()); });
  EXPECT_TRUE(is_consumed("stop"));
}

TEST_F(PlanDriversTest, StoppingDoesNotWaitForAStoreThatFails) {
  drivers_.create(plan_, sim::new_plan(), [](const auto&) {});
  store_.fault = [](const storage::Append&) { return base::unavailable("the disk is full"); };
  (void)store_.send(plan_, "stop", plan::to_json(plan::Cancel{}));
  wake(storage::inbox_name(plan_), 1);
  bool stopped = false;
  drivers_.stop([&] { stopped = true; });
  for (int rung = 0; rung < 5 && !stopped; ++rung) scheduler_.ring();
  EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace clever::engine

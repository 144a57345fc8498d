// A plan that comes to rest, commands that come at the same time: none is left lying.
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/ulid.h"
#include "engine/plan_drivers.h"
#include "explore/explore.h"
#include "sim/engine/hand_effects.h"
#include "sim/engine/sim_effects.h"
#include "sim/engine/writer_kit.h"

namespace clever::engine {
namespace {

// A process whose model always needs a person: each Resume brings the plan to rest again.
class Process {
 public:
  explicit Process(sim::PlanDatabase& database, sim::Topics& topics, int owner = 1)
      : store(database, topics, clock_, owner),
        effects_({.error = model::ErrorCategory::kAuthentication}),
        drivers({.store = store,
                 .scheduler = scheduler_,
                 .ids = ids_,
                 .effects = effects_,
                 .child = [](const EffectOrder& order, auto done) {
                   done(sim::SimEffects::child(order));
                 }}) {}

  void create() {
    drivers.create(plan, sim::new_plan(), [](const auto&) {});
  }
  void resume(const std::string& key) {
    (void)store.send(plan, key, plan::to_json(plan::Resume{}));
    drivers.drive(plan, [](const auto&) {});
  }

  const model::PlanId plan = sim::plan_id(1);

 private:
  sim::StillClock clock_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_{clock_, random_};
  sim::TurnScheduler scheduler_{clock_};

 public:
  sim::MemoryPlans store;

 private:
  sim::HandEffects effects_;

 public:
  PlanDrivers drivers;
};

bool is_consumed(Process& process, const std::string& key) {
  const auto receipt = process.store.receipt(process.plan, key);
  return receipt.ok() && receipt->consumed != 0;
}

TEST(PlanDriversExplore, EveryCommandIsTakenThoughThePlanIsPutAway) {
  const auto body = [](explore::Run& run) {
    sim::PlanDatabase database;
    sim::Topics topics;
    Process process(database, topics);
    process.create();
    for (const char* key : {"a", "b"}) run.thread(key, [&process, key] { process.resume(key); });
    run.join();
    run.require(is_consumed(process, "a") && is_consumed(process, "b"), "a command was left lying");
    run.require(process.drivers.size() == 0, "it was not put away");
    run.require(database.leases_of(1).empty(), "it kept its lease");
  };
  EXPECT_NO_FAILURE(explore::explore({.schedules = 200, .max_steps = 200'000}, body));
  EXPECT_NO_FAILURE(explore::explore(
      {.strategy = explore::Strategy::kPct, .schedules = 200, .max_steps = 200'000}, body));
}

TEST(PlanDriversExplore, StoppingLetsEverythingGo) {
  const auto body = [](explore::Run& run) {
    sim::PlanDatabase database;
    sim::Topics topics;
    Process process(database, topics);
    bool stopped = false;
    run.thread("create", [&] { process.create(); });
    run.thread("stop", [&] { process.drivers.stop([&] { stopped = true; }); });
    run.join();
    run.require(stopped, "it did not stop");
    run.require(database.leases_of(1).empty(), "it kept a lease");
  };
  EXPECT_NO_FAILURE(explore::explore({.schedules = 200, .max_steps = 200'000}, body));
}

}  // namespace
}  // namespace clever::engine

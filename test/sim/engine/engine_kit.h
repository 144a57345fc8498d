#pragma once
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/ulid.h"
#include "engine/plan_engine.h"
#include "engine/stored_plans.h"
#include "engine/thread_scheduler.h"
#include "sim/engine/hand_effects.h"
#include "sim/engine/writer_kit.h"
#include "storage/database_source.h"
#include "storage/database_url.h"
#include "storage/engine_cache.h"
#include "storage/owner_lock.h"
#include "support/temporary_directory.h"

namespace clever::sim {

/// A database in memory, for several processes.
class EngineGround {
 public:
  EngineGround()
      : engine_(cache_.open(storage::DatabaseUrl::parse("sqlite::memory:", folder.path()).value())
                    .value()) {}

  [[nodiscard]] storage::Engine& database() { return *engine_; }

  test::TemporaryDirectory folder;
  base::SystemClock clock;
  base::SystemRandom random;
  base::UlidGenerator ids{clock, random};

 private:
  storage::DatabaseSource source_{{}, clock};
  storage::EngineCache cache_{source_};
  std::shared_ptr<storage::Engine> engine_;
};

/// One process that drives plans by threads of its own.
class EngineProcess {
 public:
  explicit EngineProcess(EngineGround& ground) : EngineProcess(ground, {}) {}
  EngineProcess(EngineGround& ground, HandEffects::Options options,
                std::chrono::milliseconds lease = std::chrono::seconds{30},
                std::size_t most_plans = 20'000)
      : owner_(storage::OwnerLock::acquire(ground.folder.path() / "owners",
                                           model::OwnerId(ground.ids.next()))
                   .value()),
        store(ground.database(), ground.clock, owner_, lease),
        scheduler(ground.clock, {.strands = 2, .blocking = 2}),
        effects(std::move(options)),
        engine_(
            engine::PlanEngine::make({.store = store,
                                      .scheduler = scheduler,
                                      .ids = ground.ids,
                                      .effects = effects,
                                      .child = [this](const engine::EffectOrder& order,
                                                      auto done) { done(effects.child(order)); },
                                      .lease = lease,
                                      .most_plans = most_plans})) {}

  [[nodiscard]] engine::PlanEngine& plans() { return *engine_; }
  void stop() { engine_.reset(); }
  [[nodiscard]] model::PlanId create(const storage::Caps& caps = {}) {
    return plans().create(new_plan(), caps).value();
  }

 private:
  const storage::OwnerLock owner_;

 public:
  engine::StoredPlans store;
  engine::ThreadScheduler scheduler;
  HandEffects effects;

 private:
  std::unique_ptr<engine::PlanEngine> engine_;
};

}  // namespace clever::sim

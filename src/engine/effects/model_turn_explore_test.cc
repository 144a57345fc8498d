// A call of a model under the explorer: it is made, answered and stopped at the same time.
#include <gtest/gtest.h>

#include "base/atomic.h"
#include "engine/effects/internal/model_turn.h"
#include "explore/explore.h"
#include "provider/governor/governor.h"
#include "sim/hand_alarms.h"
#include "sim/model_world.h"
#include "sim/shared_backend.h"
#include "support/idle_engine.h"

namespace clever::engine::internal {
namespace {

using explore::Run;
using explore::Strategy;

struct World {
  World() {
    provider::ProviderSettings settings;
    settings.providers.push_back(sim::Process::provider_config("a"));
    registry.reconfigure(settings).value();
  }
  [[nodiscard]] std::shared_ptr<ModelTurn> turn(const base::StopToken& stop,
                                                base::Atomic<int>& ends) {
    EffectOrder order;
    order.plan = std::make_shared<const plan::State>();
    order.stop = stop;
    return std::make_shared<ModelTurn>(
        ModelTurn::Parts{client, registry, database, clock},
        std::make_shared<EffectJob>(std::move(order),
                                    [&](const plan::Command&) { ends.fetch_add(1); }),
        ShownTools{.snapshot = std::make_shared<const tool::ToolSnapshot>()});
  }

  base::SimulatedClock clock;
  base::SeededRandom random{1};
  base::CircuitBreaker circuits{clock, random};
  sim::HandAlarms alarms;
  std::shared_ptr<sim::SharedBackend> backend = std::make_shared<sim::SharedBackend>();
  provider::ProviderRegistry registry{
      [this](const provider::Endpoint&) -> base::Result<std::shared_ptr<provider::Backend>> {
        return backend;
      }};
  provider::Governor governor{{clock, random, circuits, alarms}};
  provider::ModelClient client{registry, governor, clock};
  test::IdleEngine database;
};

void made_answered_stopped(Run& run) {
  World world;
  base::Atomic<int> ends{0};  // how often the plan was told
  base::StopSource stop;
  auto turn = world.turn(stop.token(), ends);
  run.thread("makes", [&] { turn->start({}); });
  run.thread("answers", [&] { world.backend->finish(sim::answered()); });
  run.thread("stops", [&] { stop.request_stop(); });
  run.join();
  const std::weak_ptr<ModelTurn> left = turn;
  turn.reset();
  world.backend->finish(sim::answered());
  run.require(ends.load() == 1, "exactly one end");
  run.require(left.expired(), "nothing of it is left");
}

TEST(ModelTurnExplore, MadeAnsweredAndStoppedItEndsOnce) {
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kExhaustive, .schedules = 3000},
                                     made_answered_stopped));
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = Strategy::kRandom, .schedules = 500}, made_answered_stopped));
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = Strategy::kPct, .schedules = 500}, made_answered_stopped));
}

// As it would be written at first: the call is remembered after it was made, and a stop that comes
// in between finds nothing to cancel.
TEST(ModelTurnExplore, RememberingTheCallTooLateLosesTheStop) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore({.strategy = Strategy::kExhaustive}, [](explore::Run& run) {
                 base::Guarded<bool> has_call;
                 base::Atomic<bool> cancelled{false};  // the call heard of the stop
                 run.thread("makes", [&] { has_call.with([](bool& value) { value = true; }); });
                 run.thread("stops", [&] {
                   if (has_call.with([](bool value) { return value; })) cancelled.store(true);
                 });
                 run.join();
                 run.require(cancelled.load(), "the stop was lost");
               }));
}

}  // namespace
}  // namespace clever::engine::internal

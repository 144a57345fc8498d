#include <gtest/gtest.h>

#include <chrono>

#include "base/circuit_breaker.h"
#include "explore/explore.h"

namespace clever::base {
namespace {

using explore::Failure;
using explore::Run;
using explore::Strategy;

constexpr auto kTwoProbes = "two probes run at the same time";

// Frees the place of a probe without a generation: a late abandon frees another probe's place.
class NaiveProbes {
 public:
  bool try_acquire() {
    if (busy_.read()) return false;
    busy_.write(true);
    return true;
  }
  void abandon() { busy_.write(false); }

 private:
  explore::Racy<bool> busy_;
};

void probe_naively(Run& run) {
  NaiveProbes probes;
  Atomic<int> running;  // probes between their permit and their end
  for (const auto* name : {"first", "second"}) {
    run.thread(name, [&] {
      if (!probes.try_acquire()) return;
      run.require(running.fetch_add(1) == 0, kTwoProbes);
      running.fetch_sub(1);
      probes.abandon();
    });
  }
  run.join();
}

void probe_with_circuit(Run& run) {
  SimulatedClock clock;
  SeededRandom random(1);
  Circuit circuit(clock, random, {.failure_threshold = 1});
  circuit.try_acquire()->fail();
  clock.advance(std::chrono::minutes(3));
  Atomic<int> running;  // probes between their permit and their end
  for (const auto* name : {"first", "second", "third"}) {
    run.thread(name, [&] {
      auto probe = circuit.try_acquire();
      if (!probe) return;
      run.require(running.fetch_add(1) == 0, kTwoProbes);
      running.fetch_sub(1);
      probe->abandon();
    });
  }
  run.join();
  run.require(circuit.try_acquire().has_value(), "the place of an abandoned probe is lost");
}

// What is read without the lock must be what the state says, once everybody is done.
void resets(Run& run) {
  SimulatedClock clock;
  SeededRandom random(1);
  Circuit circuit(clock, random, {.failure_threshold = 1});
  run.thread("failing", [&] {
    if (auto permit = circuit.try_acquire()) permit->fail();
  });
  run.thread("resetting", [&] { circuit.reset(); });
  run.thread("succeeding", [&] {
    if (auto permit = circuit.try_acquire()) permit->succeed();
  });
  run.join();
  const bool closed = circuit.view().state == CircuitState::kClosed;
  run.require(closed == circuit.try_acquire().has_value(),
              "what is published differs from the state");
}

TEST(CircuitExplore, AProbeWithoutAGenerationIsFoundTwice) {
  EXPECT_FINDS(Failure::kCheck,
               explore::explore({.strategy = Strategy::kExhaustive}, probe_naively));
}

TEST(CircuitExplore, OneProbeAtATimeHoweverTheyEnd) {
  for (const auto strategy : {Strategy::kExhaustive, Strategy::kRandom, Strategy::kPct}) {
    EXPECT_NO_FAILURE(
        explore::explore({.strategy = strategy, .schedules = 1000}, probe_with_circuit));
  }
}

TEST(CircuitExplore, ResettingBesideCallsIsOneOrTheOther) {
  for (const auto strategy : {Strategy::kExhaustive, Strategy::kRandom, Strategy::kPct}) {
    EXPECT_NO_FAILURE(explore::explore({.strategy = strategy, .schedules = 1000}, resets));
  }
}

}  // namespace
}  // namespace clever::base

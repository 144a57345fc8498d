#include <gtest/gtest.h>

#include <chrono>

#include "base/atomic.h"
#include "base/circuit_breaker.h"
#include "support/together.h"

namespace clever::base {
namespace {

TEST(CircuitStress, EveryFailureIsCountedOnce) {
  SystemClock clock;
  SystemRandom random;
  Circuit circuit(clock, random, {.failure_threshold = 1'000'000});
  test::together(test::kManyThreads, [&](int) {
    for (int i = 0; i < 100; ++i) circuit.try_acquire()->fail();
  });
  EXPECT_EQ(circuit.view().total_failures, test::kManyThreads * 100U);
  EXPECT_EQ(circuit.view().times_opened, 0U);
}

TEST(CircuitStress, TheFailureThatReachesTheThresholdOpensOnce) {
  SystemClock clock;
  SystemRandom random;
  Circuit circuit(clock, random, {.failure_threshold = 200, .cool_down = std::chrono::hours(1)});
  test::together(test::kManyThreads, [&](int) {
    if (auto permit = circuit.try_acquire()) permit->fail();
  });
  EXPECT_EQ(circuit.view().state, CircuitState::kOpen);
  EXPECT_EQ(circuit.view().times_opened, 1U);
}

TEST(CircuitStress, HalfOpenAdmitsOneOfTwoHundred) {
  SimulatedClock clock;
  SeededRandom random(1);
  Circuit circuit(clock, random, {.failure_threshold = 1});
  circuit.try_acquire()->fail();
  for (int round = 0; round < 5; ++round) {
    clock.advance(std::chrono::hours(1));
    Atomic<int> admitted;  // how many were let through in this round
    test::together(test::kManyThreads, [&](int) {
      if (auto probe = circuit.try_acquire()) {
        admitted.fetch_add(1);
        probe->fail();
      }
    });
    EXPECT_EQ(admitted.load(), 1) << "in round " << round;
  }
}

TEST(CircuitStress, ResetsBesideCallsLeaveAUsableCircuit) {
  SystemClock clock;
  SystemRandom random;
  CircuitBreaker breaker(clock, random, {.failure_threshold = 2});
  test::together(64, [&](int worker) {
    for (int i = 0; i < 200; ++i) {
      if (auto permit = breaker.try_acquire("one")) {
        (i + worker) % 3 == 0 ? permit->succeed() : permit->fail();
      }
      if (i % 20 == 0) breaker.reset_all();
    }
  });
  breaker.reset_all();
  EXPECT_TRUE(breaker.try_acquire("one").has_value());
}

}  // namespace
}  // namespace clever::base

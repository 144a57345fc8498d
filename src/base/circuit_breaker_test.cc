#include "base/circuit_breaker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace clever::base {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class CircuitTest : public testing::Test {
 protected:
  void open() {
    for (int i = 0; i < 3; ++i) circuit_.try_acquire()->fail();
  }
  [[nodiscard]] CircuitState state() const { return circuit_.view().state; }
  // The one call that decides, once the pause is over.
  std::optional<Circuit::Permit> probe_after(Duration pause) {
    clock_.advance(pause);
    return circuit_.try_acquire();
  }

  SimulatedClock clock_;
  SeededRandom random_{1};
  CircuitOptions options_{.cool_down = seconds(10),
                          .longest_cool_down = seconds(35),
                          .jitter = 0,
                          .probe_deadline = minutes(1)};
  Circuit circuit_{clock_, random_, options_};
};

TEST_F(CircuitTest, IsClosedAtFirst) {
  EXPECT_EQ(state(), CircuitState::kClosed);
  EXPECT_TRUE(circuit_.try_acquire().has_value());
  EXPECT_EQ(circuit_.next_attempt(), TimePoint::min());
}

TEST_F(CircuitTest, OpensWithTheThirdFailureInARow) {
  circuit_.try_acquire()->fail();
  circuit_.try_acquire()->fail();
  EXPECT_EQ(state(), CircuitState::kClosed);
  circuit_.try_acquire()->fail();
  EXPECT_EQ(state(), CircuitState::kOpen);
  EXPECT_EQ(circuit_.view().times_opened, 1U);
  EXPECT_FALSE(circuit_.try_acquire().has_value());
}

TEST_F(CircuitTest, ASuccessStartsTheCountAgain) {
  circuit_.try_acquire()->fail();
  circuit_.try_acquire()->fail();
  circuit_.try_acquire()->succeed();
  EXPECT_EQ(circuit_.view().consecutive_failures, 0U);
  circuit_.try_acquire()->fail();
  EXPECT_EQ(state(), CircuitState::kClosed);
  EXPECT_EQ(circuit_.view().total_failures, 3U);
}

TEST_F(CircuitTest, AnAbandonedCallWhileClosedIsNeither) {
  circuit_.try_acquire()->fail();
  circuit_.try_acquire()->abandon();
  EXPECT_EQ(circuit_.view().consecutive_failures, 1U);
  EXPECT_EQ(circuit_.view().total_failures, 1U);
}

TEST_F(CircuitTest, AdmitsOneProbeAfterThePause) {
  open();
  EXPECT_FALSE(probe_after(seconds(9)).has_value());
  const auto probe = probe_after(seconds(1));
  ASSERT_TRUE(probe.has_value());
  EXPECT_TRUE(probe->is_probe());
  EXPECT_EQ(state(), CircuitState::kHalfOpen);
  EXPECT_FALSE(circuit_.try_acquire().has_value());
}

TEST_F(CircuitTest, AProbeThatSucceedsClosesIt) {
  open();
  probe_after(seconds(10))->succeed();
  EXPECT_EQ(state(), CircuitState::kClosed);
  EXPECT_FALSE(circuit_.try_acquire()->is_probe());
}

TEST_F(CircuitTest, EachFailedProbeDoublesThePauseUpToTheLongest) {
  open();
  for (const auto& [pause, next] : {std::pair{10, 20}, {20, 35}, {35, 35}}) {
    probe_after(seconds(pause))->fail();
    EXPECT_EQ(circuit_.next_attempt(), clock_.now() + seconds(next));
  }
  EXPECT_EQ(circuit_.view().times_opened, 4U);
}

TEST_F(CircuitTest, AfterClosingThePauseIsTheFirstAgain) {
  open();
  probe_after(seconds(10))->fail();
  probe_after(seconds(20))->succeed();
  open();
  EXPECT_EQ(circuit_.next_attempt(), clock_.now() + seconds(10));
}

TEST_F(CircuitTest, AnAbandonedProbeFreesItsPlace) {
  open();
  {
    const auto probe = probe_after(seconds(10));
  }
  EXPECT_EQ(state(), CircuitState::kOpen);
  const auto next = circuit_.try_acquire();
  ASSERT_TRUE(next.has_value());
  EXPECT_TRUE(next->is_probe());
}

TEST_F(CircuitTest, AnOverdueProbeHasFailedOnce) {
  open();
  auto lost = probe_after(seconds(10));
  EXPECT_FALSE(probe_after(minutes(1)).has_value());
  EXPECT_EQ(state(), CircuitState::kOpen);
  EXPECT_EQ(circuit_.view().total_failures, 4U);
  EXPECT_EQ(circuit_.next_attempt(), clock_.now() + seconds(20));
  lost->fail();
  EXPECT_EQ(circuit_.view().total_failures, 4U);
  EXPECT_EQ(circuit_.view().times_opened, 2U);
}

TEST_F(CircuitTest, AnOverdueProbeThatSucceedsLaterChangesNothing) {
  open();
  auto lost = probe_after(seconds(10));
  EXPECT_FALSE(probe_after(minutes(1)).has_value());
  lost->succeed();
  EXPECT_EQ(state(), CircuitState::kOpen);
}

TEST_F(CircuitTest, ASuccessFromBeforeItOpenedDoesNotCloseIt) {
  auto slow = circuit_.try_acquire();
  open();
  slow->succeed();
  EXPECT_EQ(state(), CircuitState::kOpen);
}

TEST_F(CircuitTest, AFailureFromBeforeItOpenedIsOnlyCounted) {
  auto slow = circuit_.try_acquire();
  open();
  probe_after(seconds(10))->succeed();
  slow->fail();
  EXPECT_EQ(circuit_.view().consecutive_failures, 0U);
  EXPECT_EQ(circuit_.view().total_failures, 4U);
}

TEST_F(CircuitTest, ResettingClosesItAndPermitsThatAreOutChangeNothing) {
  auto before = circuit_.try_acquire();
  open();
  auto probe = probe_after(seconds(10));
  circuit_.reset();
  EXPECT_EQ(state(), CircuitState::kClosed);
  probe->fail();
  before->fail();
  EXPECT_EQ(state(), CircuitState::kClosed);
  EXPECT_EQ(circuit_.view().consecutive_failures, 0U);
  EXPECT_EQ(circuit_.view().total_failures, 5U);
}

TEST_F(CircuitTest, APermitIsSettledOnce) {
  auto permit = circuit_.try_acquire();
  permit->fail();
  permit->fail();
  permit->succeed();
  EXPECT_EQ(circuit_.view().total_failures, 1U);
  EXPECT_EQ(circuit_.view().consecutive_failures, 1U);
}

TEST_F(CircuitTest, AMovedPermitIsSettledByItsNewHolder) {
  auto first = circuit_.try_acquire();
  Circuit::Permit second = *std::move(first);
  first->fail();
  EXPECT_EQ(circuit_.view().total_failures, 0U);
  second.fail();
  EXPECT_EQ(circuit_.view().total_failures, 1U);
}

TEST_F(CircuitTest, AssigningToAPermitAbandonsWhatItWas) {
  Circuit other(clock_, random_, options_);
  open();
  auto permit = probe_after(seconds(10));
  *permit = *other.try_acquire();
  EXPECT_EQ(state(), CircuitState::kOpen);
  EXPECT_TRUE(circuit_.try_acquire().has_value());
}

TEST(CircuitJitter, MakesPausesLongerByUpToItsFraction) {
  SimulatedClock clock;
  SeededRandom random(7);
  std::set<TimePoint> seen;
  for (int i = 0; i < 50; ++i) {
    Circuit circuit(clock, random,
                    {.failure_threshold = 1, .cool_down = seconds(10), .jitter = 0.2});
    circuit.try_acquire()->fail();
    seen.insert(circuit.next_attempt());
    EXPECT_GE(circuit.next_attempt(), clock.now() + seconds(10));
    EXPECT_LE(circuit.next_attempt(), clock.now() + seconds(12));
  }
  EXPECT_GT(seen.size(), 40U);
}

class CircuitBreakerTest : public testing::Test {
 protected:
  SimulatedClock clock_;
  SeededRandom random_{1};
  CircuitBreaker breaker_{clock_, random_, {.failure_threshold = 1}};
};

TEST_F(CircuitBreakerTest, KeysAreIndependent) {
  breaker_.try_acquire("a")->fail();
  EXPECT_FALSE(breaker_.try_acquire("a").has_value());
  EXPECT_TRUE(breaker_.try_acquire("b").has_value());
}

TEST_F(CircuitBreakerTest, AKeyIsOneCircuit) {
  EXPECT_EQ(breaker_.circuit("a"), breaker_.circuit("a"));
  EXPECT_NE(breaker_.circuit("a"), breaker_.circuit("b"));
}

TEST_F(CircuitBreakerTest, ResetsOneOrAll) {
  breaker_.try_acquire("a")->fail();
  breaker_.try_acquire("b")->fail();
  EXPECT_TRUE(breaker_.reset("a"));
  EXPECT_TRUE(breaker_.try_acquire("a").has_value());
  EXPECT_FALSE(breaker_.try_acquire("b").has_value());
  breaker_.reset_all();
  EXPECT_TRUE(breaker_.try_acquire("b").has_value());
  EXPECT_FALSE(breaker_.reset("c"));
}

TEST_F(CircuitBreakerTest, ListsAllByKey) {
  breaker_.try_acquire("b")->succeed();
  breaker_.try_acquire("a")->fail();
  const auto all = breaker_.list();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].first, "a");
  EXPECT_EQ(to_string(all[0].second.state), "open");
  EXPECT_EQ(to_string(all[1].second.state), "closed");
}

}  // namespace
}  // namespace clever::base

#include "base/monitor.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/thread.h"
#include "explore/explore.h"
#include "support/every_schedule.h"

namespace clever::base {
namespace {

using std::chrono::seconds;

const auto kIsTrue = [](bool value) { return value; };

TEST(Monitor, UpdateReturnsTheResultByValue) {
  Monitor<int> value(std::in_place, 4);
  EXPECT_EQ(value.update([](int& v) { return ++v; }), 5);
  EXPECT_EQ(value.read([](int v) { return v * 2; }), 10);
}

TEST(Monitor, UpdateWhenRunsAtOnceIfThePredicateHolds) {
  Monitor<int> value(std::in_place, 4);
  const auto result =
      value.update_when({}, [](int v) { return v == 4; }, [](int& v) { return v = 9; });
  EXPECT_EQ(result.value(), 9);
}

TEST(Monitor, APredicateThatHoldsWinsOverAStop) {
  Monitor<bool> value(std::in_place, true);
  StopSource stop;
  stop.request_stop();
  EXPECT_TRUE(value.wait(stop.token(), Deadline::never(), kIsTrue).ok());
}

TEST(Monitor, AStopEndsTheWait) {
  Monitor<bool> value;
  StopSource stop;
  Thread stopper("stopper", [&](const StopToken&) { stop.request_stop(); });
  const auto result = value.wait(stop.token(), Deadline::never(), kIsTrue);
  EXPECT_EQ(result.error().code(), ErrorCode::kCancelled);
}

TEST(Monitor, ADeadlineEndsTheWait) {
  SimulatedClock clock;
  Monitor<bool> value;
  const Deadline deadline = Deadline::after(clock, seconds(5));
  Thread advancer("advancer", [&](const StopToken&) { clock.advance(seconds(5)); });
  const auto result = value.wait({}, deadline, kIsTrue);
  EXPECT_EQ(result.error().code(), ErrorCode::kDeadlineExceeded);
}

TEST(Monitor, ADeadlineInThePastRefusesAtOnce) {
  SystemClock clock;
  Monitor<bool> value;
  const auto result = value.wait({}, Deadline::at(clock, TimePoint::min()), kIsTrue);
  EXPECT_EQ(result.error().code(), ErrorCode::kDeadlineExceeded);
}

TEST(MonitorDeathTest, WaitingUnderAnotherLockAborts) {
  Monitor<bool> outer;
  Monitor<bool, LockRank::kStrand> inner;
  EXPECT_DEATH(outer.update([&](bool&) { (void)inner.wait({}, Deadline::never(), kIsTrue); }),
               "waiting");
}

constexpr explore::Options kMany{
    .strategy = explore::Strategy::kPct, .schedules = 3'000, .preemptions = 3};

// A bounded buffer of one slot with the predicate looked at before the lock is taken.
struct NaiveSlot {
  void put() {
    if (full.read()) return wait_and_put();
    const MutexLock lock(mutex);
    full.write(true);
    changed.notify_all();
  }
  void wait_and_put() {
    const MutexLock lock(mutex);
    changed.wait(mutex);
    full.write(true);
    changed.notify_all();
  }
  void take() {
    if (!full.read()) return wait_and_take();
    const MutexLock lock(mutex);
    full.write(false);
    changed.notify_all();
  }
  void wait_and_take() {
    const MutexLock lock(mutex);
    changed.wait(mutex);
    full.write(false);
    changed.notify_all();
  }
  Mutex mutex;
  CondVar changed;
  explore::Racy<bool> full;
};

struct MonitorSlot {
  void put() {
    full.update_when({}, [](bool f) { return !f; }, [](bool& f) { f = true; }).value();
  }
  void take() {
    full.update_when({}, [](bool f) { return f; }, [](bool& f) { f = false; }).value();
  }
  Monitor<bool> full;
};

template <class Slot>
void producer_and_consumer(explore::Run& run) {
  Slot slot;
  run.thread("producer", [&] {
    slot.put();
    slot.put();
  });
  run.thread("consumer", [&] {
    slot.take();
    slot.take();
  });
  run.join();
}

TEST(MonitorExplore, LookingBeforeLockingLosesTheWakeUp) {
  EXPECT_FINDS(explore::Failure::kLostWakeUp,
               explore::explore(test::kEverySchedule, producer_and_consumer<NaiveSlot>));
}

TEST(MonitorExplore, AMonitorDoesNot) {
  test::expect_no_failing_schedule(producer_and_consumer<MonitorSlot>);
  EXPECT_NO_FAILURE(explore::explore(kMany, producer_and_consumer<MonitorSlot>));
}

// A stop must reach a waiter wherever that is: before the wait, at its registration, inside.
TEST(MonitorExplore, AStopAlwaysReachesTheWaiter) {
  const auto body = [](explore::Run& run) {
    Monitor<bool> value;
    StopSource stop;
    run.thread("waiter", [&] {
      run.require(!value.wait(stop.token(), Deadline::never(), kIsTrue).ok(),
                  "nobody set the value");
    });
    run.thread("stopper", [&] { stop.request_stop(); });
    run.join();
  };
  test::expect_no_failing_schedule(body);
}

// The waiter owns the monitor and destroys it as soon as it has seen the change.
TEST(MonitorExplore, MayBeDestroyedByTheThreadThatSawTheChange) {
  const auto body = [](explore::Run& run) {
    auto value = std::make_unique<Monitor<bool>>();
    run.thread("setter",
               [&, monitor = value.get()] { monitor->update([](bool& v) { v = true; }); });
    value->wait({}, Deadline::never(), kIsTrue).value();
    value.reset();
    run.join();
  };
  EXPECT_NO_FAILURE(explore::explore(test::kEverySchedule, body));
}

TEST(MonitorExplore, ASimulatedClockWakesAWaiterWhereverItIs) {
  const auto body = [](explore::Run& run) {
    SimulatedClock clock;
    Monitor<bool> value;
    const Deadline deadline = Deadline::after(clock, seconds(5));
    run.thread("waiter", [&] {
      run.require(!value.wait({}, deadline, kIsTrue).ok(), "nobody set the value");
    });
    run.thread("advancer", [&] { clock.advance(seconds(5)); });
    // Holds the lock of the waiter now and then, when the clock wants to wake it.
    run.thread("toucher", [&] { value.update([](bool&) {}); });
    run.join();
    run.require(clock.waiters() == 0, "a waiter stayed registered");
  };
  EXPECT_NO_FAILURE(explore::explore(test::kEverySchedule, body));
  EXPECT_NO_FAILURE(explore::explore(kMany, body));
}

}  // namespace
}  // namespace clever::base

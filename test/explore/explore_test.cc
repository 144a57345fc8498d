#include "explore/explore.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/guarded.h"
#include "base/monitor.h"
#include "base/thread.h"

namespace clever::explore {
namespace {

using base::Atomic;
using base::CondVar;
using base::Guarded;
using base::Monitor;
using base::Mutex;
using base::MutexLock;

Options with(Strategy strategy, std::size_t schedules = 1000, unsigned preemptions = 2) {
  return {.strategy = strategy, .schedules = schedules, .preemptions = preemptions};
}

// Two threads, each reading and writing back: an update is lost if both read first.
void lost_update(explore::Run& run) {
  Racy<int> counter;
  for (const char* name : {"a", "b"}) run.thread(name, [&] { counter.write(counter.read() + 1); });
  run.join();
  run.require(counter.read() == 2, "an update was lost");
}

void guarded_update(explore::Run& run) {
  Guarded<int> counter;
  for (const char* name : {"a", "b", "c"}) {
    run.thread(name, [&] { counter.with([](int& value) { ++value; }); });
  }
  run.join();
  run.require(counter.with([](int& value) { return value; }) == 3, "an update was lost");
}

class EveryStrategy : public testing::TestWithParam<Strategy> {};
INSTANTIATE_TEST_SUITE_P(Explore, EveryStrategy,
                         testing::Values(Strategy::kRandom, Strategy::kPct, Strategy::kExhaustive));

TEST_P(EveryStrategy, FindsALostUpdate) {
  EXPECT_FINDS(Failure::kCheck, explore(with(GetParam()), lost_update));
}

TEST_P(EveryStrategy, FindsNothingInAGuardedUpdate) {
  EXPECT_NO_FAILURE(explore(with(GetParam(), 300), guarded_update));
}

TEST_P(EveryStrategy, FindsTwoLocksTakenInOppositeOrder) {
  const auto body = [](explore::Run& run) {
    PlainMutex first;
    PlainMutex second;
    const auto take = [](PlainMutex& one, PlainMutex& other) {
      const std::lock_guard outer(one);
      const std::lock_guard inner(other);
    };
    run.thread("a", [&] { take(first, second); });
    run.thread("b", [&] { take(second, first); });
    run.join();
  };
  const Outcome outcome = explore(with(GetParam()), body);
  EXPECT_EQ(outcome.failure, Failure::kDeadlock) << outcome;
  EXPECT_NE(outcome.reason.find("a (lock #"), std::string::npos) << outcome.reason;
}

TEST_P(EveryStrategy, SeesThreadsThatSpinForEachOther) {
  const auto body = [](explore::Run& run) {
    Mutex first;
    Mutex second;
    const auto take = [](Mutex& one, Mutex& other) {
      while (!one.try_lock()) base::schedule::point(base::schedule::Op::kYield, nullptr);
      while (!other.try_lock()) base::schedule::point(base::schedule::Op::kYield, nullptr);
      other.unlock();
      one.unlock();
    };
    run.thread("a", [&] { take(first, second); });
    run.thread("b", [&] { take(second, first); });
    run.join();
  };
  EXPECT_FINDS(Failure::kLivelock,
               explore({.strategy = GetParam(), .schedules = 1000, .max_steps = 1000}, body));
}

TEST_P(EveryStrategy, FindsALostWakeUp) {
  const auto body = [](explore::Run& run) {
    Mutex mutex;
    CondVar changed;
    Racy<bool> ready;
    run.thread("waiter", [&] {
      if (ready.read()) return;  // looked without the lock: the notification may come right here
      const MutexLock lock(mutex);
      changed.wait(mutex);
    });
    run.thread("notifier", [&] {
      ready.write(true);
      const MutexLock lock(mutex);
      changed.notify_all();
    });
    run.join();
  };
  EXPECT_FINDS(Failure::kLostWakeUp, explore(with(GetParam()), body));
}

TEST(Explore, AMonitorNeverLosesAWakeUp) {
  const auto body = [](explore::Run& run) {
    Monitor<int> value;
    base::StopSource never;
    run.thread("waiter", [&] {
      run.require(
          value.wait(never.token(), base::Deadline::never(), [](int v) { return v == 2; }).ok(),
          "the wait ended without the value");
    });
    for (const char* name : {"a", "b"})
      run.thread(name, [&] { value.update([](int& v) { ++v; }); });
    run.join();
  };
  const Outcome outcome = explore(with(Strategy::kExhaustive, 200'000), body);
  EXPECT_FALSE(outcome.failed()) << outcome;
  EXPECT_TRUE(outcome.complete) << outcome;
}

TEST(Explore, ExhaustiveSaysWhenItHasSeenEverything) {
  const Outcome outcome = explore(with(Strategy::kExhaustive, 100'000), guarded_update);
  EXPECT_TRUE(outcome.complete);
  EXPECT_GT(outcome.schedules, 6U);  // more than the orders of three threads
}

// With two threads of two steps each there are C(4,2) = 6 interleavings.
TEST(Explore, ExhaustiveVisitsEveryInterleaving) {
  std::set<std::string> seen;
  const auto body = [&](explore::Run& run) {
    std::string order;
    Racy<int> step;
    for (const char name : {'a', 'b'}) {
      run.thread(std::string(1, name), [&, name] {
        for (int i = 0; i < 2; ++i) {
          (void)step.read();
          order += name;
        }
      });
    }
    run.join();
    seen.insert(order);
  };
  const Outcome outcome = explore(with(Strategy::kExhaustive, 100'000, 4), body);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(seen, (std::set<std::string>{"aabb", "abab", "abba", "baab", "baba", "bbaa"}));
}

TEST(Explore, PreemptionBoundLimitsTheSearch) {
  const auto count = [](unsigned preemptions) {
    return explore(with(Strategy::kExhaustive, 100'000, preemptions), guarded_update).schedules;
  };
  EXPECT_LT(count(0), count(1));
  EXPECT_LT(count(1), count(2));
}

TEST_P(EveryStrategy, AFailingScheduleIsReplayedExactly) {
  const Outcome found = explore(with(GetParam()), lost_update);
  ASSERT_TRUE(found.failed());
  set_replay(found.schedule);
  const Outcome again = explore(with(Strategy::kRandom), lost_update);
  set_replay("");
  EXPECT_EQ(again.schedules, 1U);
  EXPECT_EQ(again.reason, found.reason);
  EXPECT_EQ(again.trace, found.trace);
  EXPECT_EQ(again.schedule, found.schedule);
}

TEST(Explore, TheSameSeedFindsTheSameSchedule) {
  const Outcome one = explore(with(Strategy::kRandom), lost_update);
  const Outcome two = explore(with(Strategy::kRandom), lost_update);
  EXPECT_EQ(one.schedules, two.schedules);
  EXPECT_EQ(one.trace, two.trace);
}

TEST(Explore, TimeMovesOnlyWhenADeadlineIsReached) {
  const auto body = [](explore::Run& run) {
    base::SystemClock clock;
    Monitor<bool> never;
    const auto start = clock.now();
    const auto waited = never.wait({}, base::Deadline::after(clock, std::chrono::hours(5)),
                                   [](bool value) { return value; });
    run.require(!waited.ok() && waited.error().code() == base::ErrorCode::kDeadlineExceeded,
                "the wait must end by its deadline");
    run.require(clock.now() - start == std::chrono::hours(5), "exactly five hours pass");
  };
  EXPECT_NO_FAILURE(explore(with(Strategy::kRandom, 20), body));
}

// A time-out may come while the event is on its way: both outcomes must be explored.
TEST_P(EveryStrategy, RacesATimeOutAgainstTheEvent) {
  std::set<bool> outcomes;
  const auto body = [&](explore::Run& run) {
    base::SystemClock clock;
    Monitor<bool> event;
    run.thread("event", [&] { event.update([](bool& value) { value = true; }); });
    outcomes.insert(event
                        .wait({}, base::Deadline::after(clock, std::chrono::seconds(1)),
                              [](bool value) { return value; })
                        .ok());
    run.join();
  };
  EXPECT_NO_FAILURE(explore(with(GetParam(), 500), body));
  EXPECT_EQ(outcomes, (std::set<bool>{false, true}));
}

TEST(Explore, NotifyOneReachesAnyWaiter) {
  std::set<std::string> reached;
  const auto body = [&](explore::Run& run) {
    Mutex mutex;
    CondVar changed;
    int waiting = 0;
    std::string first;
    for (const char* name : {"a", "b"}) {
      run.thread(name, [&, name] {
        const MutexLock lock(mutex);
        ++waiting;
        changed.wait(mutex);
        if (first.empty()) first = name;
        changed.notify_one();
      });
    }
    run.thread("notifier", [&] {
      while (true) {
        const MutexLock lock(mutex);
        if (waiting == 2) {
          changed.notify_one();
          return;
        }
        base::schedule::point(base::schedule::Op::kYield, &waiting);
      }
    });
    run.join();
    reached.insert(first);
  };
  EXPECT_NO_FAILURE(explore(with(Strategy::kRandom, 100), body));
  EXPECT_EQ(reached, (std::set<std::string>{"a", "b"}));
}

TEST(Explore, AnExceptionIsAFailure) {
  const auto body = [](explore::Run& run) {
    run.thread("thrower", [] { throw std::runtime_error("oh"); });
    run.join();
  };
  const Outcome outcome = explore(with(Strategy::kRandom), body);
  EXPECT_EQ(outcome.failure, Failure::kException);
  EXPECT_EQ(outcome.reason, "thrower threw: oh");
}

TEST(Explore, ARunThatNeverEndsIsALivelock) {
  const auto body = [](explore::Run& run) {
    Racy<bool> stop;
    run.thread("spinner", [&] {
      while (!stop.read()) {
      }
    });
    run.join();
  };
  EXPECT_FINDS(Failure::kLivelock, explore({.schedules = 1, .max_steps = 500}, body));
}

TEST(Explore, ABodyThatForgetsToJoinIsReported) {
  const auto body = [](explore::Run& run) { run.thread("a", [] {}); };
  const Outcome outcome = explore(with(Strategy::kRandom), body);
  EXPECT_NE(outcome.reason.find("without run.join()"), std::string::npos) << outcome;
}

TEST(Explore, TheReportNamesTheReplay) {
  std::ostringstream text;
  text << explore(with(Strategy::kRandom), lost_update);
  EXPECT_NE(text.str().find("replay: --schedule=random/"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("a: load #1"), std::string::npos) << text.str();
}

TEST(ExploreDeathTest, AMalformedReplayIsRefused) {
  for (const char* name :
       {"nonsense", "random/", "random/x", "pct/1", "path/1..2", "path/1.", "dice/1"}) {
    EXPECT_EXIT(
        {
          set_replay(name);
          (void)explore({}, lost_update);
        },
        testing::ExitedWithCode(2), "expected random/N");
  }
}

TEST(Explore, ThreadsOfTheCodeUnderTestAreExploredToo) {
  const auto body = [](explore::Run& run) {
    Racy<int> counter;
    {
      const auto add = [&](const base::StopToken&) { counter.write(counter.read() + 1); };
      base::Thread a("inner a", add);
      base::Thread b("inner b", add);
    }
    run.require(counter.read() == 2, "an update was lost");
  };
  EXPECT_FINDS(Failure::kCheck, explore(with(Strategy::kRandom), body));
}

}  // namespace
}  // namespace clever::explore

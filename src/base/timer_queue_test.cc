#include "base/timer_queue.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "base/atomic.h"
#include "base/strand.h"
#include "base/thread_pool.h"
#include "explore/explore.h"
#include "support/campaign.h"

namespace clever::base {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// An executor that keeps its tasks, and refuses on request.
class Recorder final : public Executor {
 public:
  Result<void> post(Task&& task) override {
    return state_.update([&](State& state) -> Result<void> {
      ++state.offers;
      if (state.answer) return *state.answer;
      task();
      ++state.accepted;
      return {};
    });
  }
  void answer(std::optional<Error> answer) {
    state_.update([&](State& state) { state.answer = std::move(answer); });
  }
  void wait_for_accepted(int count) {
    state_.wait({}, Deadline::never(), [=](const State& s) { return s.accepted >= count; }).value();
  }
  void wait_for_offers(int count) {
    state_.wait({}, Deadline::never(), [=](const State& s) { return s.offers >= count; }).value();
  }

 private:
  struct State {
    std::optional<Error> answer;
    int offers = 0;
    int accepted = 0;
  };
  Monitor<State> state_;
};

// The timer thread has looked at the timers and waits for the clock.
void settle(const SimulatedClock& clock) {
  while (clock.waiters() == 0) std::this_thread::yield();
}

TEST(TimerQueue, FiresInTheOrderOfTime) {
  SimulatedClock clock;
  Recorder executor;
  TimerQueue timers(clock);
  std::vector<int> order;
  Timer late = timers.after(seconds(2), executor, [&] { order.push_back(2); }).value();
  Timer early = timers.after(seconds(1), executor, [&] { order.push_back(1); }).value();
  EXPECT_EQ(timers.size(), 2U);
  settle(clock);
  clock.advance(seconds(3));
  executor.wait_for_accepted(2);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(timers.size(), 0U);
}

TEST(TimerQueue, ATimerInThePastFiresAtOnce) {
  SimulatedClock clock;
  Recorder executor;
  TimerQueue timers(clock);
  timers.after(seconds(-5), executor, [] {}).value().release();
  executor.wait_for_accepted(1);
}

TEST(TimerQueue, ACancelledTimerDoesNotFire) {
  SimulatedClock clock;
  Recorder executor;
  TimerQueue timers(clock);
  bool fired = false;
  Timer timer = timers.after(seconds(1), executor, [&] { fired = true; }).value();
  EXPECT_TRUE(timer.cancel());
  EXPECT_FALSE(timer.cancel());
  Timer other = timers.after(seconds(1), executor, [] {}).value();
  settle(clock);
  clock.advance(seconds(2));
  executor.wait_for_accepted(1);
  EXPECT_FALSE(fired);
  EXPECT_FALSE(other.cancel());
}

TEST(TimerQueue, DestroyingOrOverwritingAHandleCancels) {
  SimulatedClock clock;
  Recorder executor;
  TimerQueue timers(clock);
  {
    Timer gone = timers.after(seconds(1), executor, [] {}).value();
  }
  EXPECT_EQ(timers.size(), 0U);
  Timer timer = timers.after(seconds(1), executor, [] {}).value();
  timer = timers.after(seconds(2), executor, [] {}).value();
  EXPECT_EQ(timers.size(), 1U);
  Timer moved = std::move(timer);
  EXPECT_TRUE(moved.cancel());
  EXPECT_EQ(timers.size(), 0U);
}

TEST(TimerQueue, AFullExecutorIsAskedAgain) {
  SimulatedClock clock;
  Recorder executor;
  TimerQueue timers(clock);
  executor.answer(resource_exhausted("full"));
  timers.after(seconds(1), executor, [] {}).value().release();
  settle(clock);
  clock.advance(seconds(1));
  executor.wait_for_offers(1);
  executor.answer(std::nullopt);
  settle(clock);
  clock.advance(seconds(1));
  executor.wait_for_accepted(1);
}

TEST(TimerQueue, ATimerThatIsOfferedAgainCanBeCancelled) {
  SimulatedClock clock;
  Recorder executor;
  TimerQueue timers(clock);
  executor.answer(resource_exhausted("full"));
  Timer timer = timers.after(seconds(1), executor, [] {}).value();
  settle(clock);
  clock.advance(seconds(1));
  executor.wait_for_offers(1);
  while (timers.size() == 0) std::this_thread::yield();
  EXPECT_TRUE(timer.cancel());
  EXPECT_EQ(timers.size(), 0U);
}

TEST(TimerQueue, AClosedExecutorLosesTheTask) {
  SimulatedClock clock;
  Recorder executor;
  TimerQueue timers(clock);
  executor.answer(cancelled("closed"));
  timers.after(seconds(1), executor, [] {}).value().release();
  settle(clock);
  clock.advance(seconds(1));
  executor.wait_for_offers(1);
  while (timers.size() != 0) std::this_thread::yield();
}

TEST(TimerQueue, RefusesMoreThanItsLimit) {
  SimulatedClock clock;
  Recorder executor;
  TimerQueue timers(clock, {.limit = 1});
  Timer one = timers.after(seconds(1), executor, [] {}).value();
  EXPECT_EQ(timers.after(seconds(1), executor, [] {}).error().code(),
            ErrorCode::kResourceExhausted);
}

TEST(TimerQueue, WorksWithTheRealClock) {
  SystemClock clock;
  ThreadPool pool({.threads = 1});
  Strand strand(pool);
  Monitor<bool> fired;
  TimerQueue timers(clock);
  Timer timer =
      timers.after(milliseconds(1), strand, [&] { fired.update([](bool& f) { f = true; }); })
          .value();
  fired.wait({}, Deadline::never(), [](bool f) { return f; }).value();
}

// Sleeps until what was the earliest timer when it looked; a new, earlier one does not wake it.
class NaiveTimers {
 public:
  void add() { due_.write(1); }
  void run() {
    if (due_.read() != 0) return;
    const MutexLock lock(mutex_);
    changed_.wait(mutex_);
  }

 private:
  explore::Racy<int> due_;
  Mutex mutex_;
  CondVar changed_;
};

TEST(TimerQueueExplore, SleepingWithoutAPredicateOversleeps) {
  const auto body = [](explore::Run& run) {
    NaiveTimers timers;
    run.thread("timers", [&] { timers.run(); });
    run.thread("user", [&] { timers.add(); });
    run.join();
  };
  EXPECT_FINDS(explore::Failure::kLostWakeUp,
               explore::explore({.strategy = explore::Strategy::kExhaustive}, body));
}

class TimerQueueExplore : public testing::TestWithParam<explore::Strategy> {};
INSTANTIATE_TEST_SUITE_P(Strategies, TimerQueueExplore,
                         testing::Values(explore::Strategy::kRandom, explore::Strategy::kPct,
                                         explore::Strategy::kExhaustive));

TEST_P(TimerQueueExplore, EachTimerFiresExactlyOnceUnlessCancelled) {
  const auto body = [](explore::Run& run) {
    SystemClock clock;
    Atomic<int> fired;
    Atomic<int> prevented;
    {
      ThreadPool pool({.threads = 1});
      TimerQueue timers(clock);
      Monitor<int> settled;
      for (const char* name : {"a", "b"}) {
        run.thread(name, [&] {
          Timer timer = timers
                            .after(seconds(1), pool,
                                   [&] {
                                     fired.fetch_add(1);
                                     settled.update([](int& s) { ++s; });
                                   })
                            .value();
          if (timer.cancel()) {
            prevented.fetch_add(1);
            settled.update([](int& s) { ++s; });
          }
        });
      }
      run.join();
      settled.wait({}, Deadline::never(), [](int s) { return s == 2; }).value();
    }
    run.require(fired.load() + prevented.load() == 2, "fired or prevented, exactly once");
  };
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = GetParam(), .schedules = test::campaign(2'000, 20'000)}, body));
}

}  // namespace
}  // namespace clever::base

#include "base/task_group.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/atomic.h"
#include "base/monitor.h"
#include "base/thread_pool.h"
#include "explore/explore.h"
#include "support/campaign.h"

namespace clever::base {
namespace {

using std::chrono::seconds;

// Waits for the stop, as a well-behaved long task does.
Result<void> until_stopped(const StopToken& stop) {
  Monitor<bool> never;
  return never.wait(stop, Deadline::never(), [](bool value) { return value; });
}

TEST(TaskGroup, WaitsForAllOfItsTasks) {
  ThreadPool pool({.threads = 2});
  Atomic<int> ran;  // publishes nothing but itself
  TaskGroup group(pool);
  for (int i = 0; i < 50; ++i) {
    group
        .spawn([&](const StopToken&) -> Result<void> {
          ran.fetch_add(1);
          return {};
        })
        .value();
  }
  group.wait().value();
  EXPECT_EQ(ran.load(), 50);
}

TEST(TaskGroup, ReportsTheFirstErrorOnce) {
  ThreadPool pool({.threads = 1});
  TaskGroup group(pool);
  group.spawn([](const StopToken&) -> Result<void> { return not_found("one"); }).value();
  EXPECT_EQ(group.wait().error().message(), "one");
  group.spawn([](const StopToken&) -> Result<void> { return {}; }).value();
  EXPECT_TRUE(group.wait().ok());
}

TEST(TaskGroup, AnErrorStopsTheOthersIfAsked) {
  ThreadPool pool({.threads = 2});
  TaskGroup group(pool, {}, TaskGroup::OnError::kStopOthers);
  group.spawn(until_stopped).value();
  group.spawn([](const StopToken&) -> Result<void> { return not_found("broken"); }).value();
  EXPECT_EQ(group.wait().error().message(), "broken");
  EXPECT_TRUE(group.token().stop_requested());
}

TEST(TaskGroup, TheDestructorStopsAndJoins) {
  ThreadPool pool({.threads = 1});
  auto held = std::make_shared<int>(0);
  {
    TaskGroup group(pool);
    for (int i = 0; i < 5; ++i) {
      group.spawn([copy = held](const StopToken& stop) { return until_stopped(stop); }).value();
    }
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(TaskGroup, RefusesAfterAStop) {
  ThreadPool pool({.threads = 1});
  TaskGroup group(pool);
  group.request_stop();
  EXPECT_EQ(group.spawn(until_stopped).error().code(), ErrorCode::kCancelled);
}

TEST(TaskGroup, StopsWithItsParent) {
  ThreadPool pool({.threads = 1});
  StopSource parent;
  TaskGroup group(pool, parent.token());
  group.spawn(until_stopped).value();
  parent.request_stop();
  EXPECT_EQ(group.wait().error().code(), ErrorCode::kCancelled);
}

TEST(TaskGroup, NestedWaitsDoNotStarveAPoolOfOne) {
  ThreadPool pool({.threads = 1});
  int leaves = 0;
  TaskGroup outer(pool);
  for (int i = 0; i < 3; ++i) {
    outer
        .spawn([&](const StopToken& stop) -> Result<void> {
          TaskGroup inner(pool, stop);
          for (int j = 0; j < 3; ++j) {
            CLEVER_TRY(inner.spawn([&](const StopToken&) -> Result<void> {
              ++leaves;
              return {};
            }));
          }
          return inner.wait();
        })
        .value();
  }
  // Without helping: the pool's only thread runs the outer tasks and, waiting, the inner ones.
  Monitor<bool> finished;
  pool.post([&] { finished.update([](bool& f) { f = true; }); }).value();
  finished.wait({}, Deadline::never(), [](bool f) { return f; }).value();
  outer.wait().value();
  EXPECT_EQ(leaves, 9);
}

TEST(TaskGroup, WaitEndsByItsOwnDeadlineOrStop) {
  ThreadPool pool({.threads = 1});
  SimulatedClock clock;
  TaskGroup group(pool);
  Monitor<bool> begun;
  group
      .spawn([&](const StopToken& stop) {
        begun.update([](bool& b) { b = true; });
        return until_stopped(stop);
      })
      .value();
  begun.wait({}, Deadline::never(), [](bool b) { return b; }).value();
  EXPECT_EQ(group.wait({}, Deadline::after(clock, seconds(0))).error().code(),
            ErrorCode::kDeadlineExceeded);
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(group.wait(stop.token()).error().code(), ErrorCode::kCancelled);
}

TEST(TaskGroup, AFullPoolRefusesAndTheTaskIsNotRun) {
  ThreadPool pool({.threads = 1, .queue_limit = 1});
  Monitor<bool> begun;
  TaskGroup blocker(pool);
  blocker
      .spawn([&](const StopToken& stop) {
        begun.update([](bool& b) { b = true; });
        return until_stopped(stop);
      })
      .value();
  begun.wait({}, Deadline::never(), [](bool b) { return b; }).value();
  pool.post([] {}).value();
  TaskGroup group(pool);
  bool ran = false;
  TaskGroup::Work work = [&](const StopToken&) -> Result<void> {
    ran = true;
    return {};
  };
  EXPECT_EQ(group.spawn(std::move(work)).error().code(), ErrorCode::kResourceExhausted);
  EXPECT_TRUE(group.wait().ok());
  EXPECT_FALSE(ran);
}

// Counts its tasks without a lock: "am I the last?" is asked after the count was written.
class NaiveGroup {
 public:
  void add() { running_.write(running_.read() + 1); }
  void end() {
    running_.write(running_.read() - 1);
    if (running_.read() != 0) return;
    const MutexLock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  void wait() {
    const MutexLock lock(mutex_);
    while (!ended_) changed_.wait(mutex_);
  }

 private:
  explore::Racy<int> running_;
  Mutex mutex_;
  CondVar changed_;
  bool ended_ CLEVER_GUARDED_BY(mutex_) = false;
};

TEST(TaskGroupExplore, CountingWithoutALockWaitsForEver) {
  const auto body = [](explore::Run& run) {
    NaiveGroup group;
    group.add();
    group.add();
    for (const char* name : {"a", "b"}) run.thread(name, [&] { group.end(); });
    group.wait();
    run.join();
  };
  EXPECT_FINDS(explore::Failure::kLostWakeUp,
               explore::explore({.strategy = explore::Strategy::kExhaustive}, body));
}

class TaskGroupExplore : public testing::TestWithParam<explore::Strategy> {};
INSTANTIATE_TEST_SUITE_P(Strategies, TaskGroupExplore,
                         testing::Values(explore::Strategy::kRandom, explore::Strategy::kPct,
                                         explore::Strategy::kExhaustive));

TEST_P(TaskGroupExplore, EveryTaskRunsOnceAndNoneOutlivesTheGroup) {
  const auto body = [](explore::Run& run) {
    ThreadPool pool({.threads = 2});
    Atomic<int> ran;
    Atomic<bool> gone;
    {
      TaskGroup group(pool);
      for (int i = 0; i < 3; ++i) {
        group
            .spawn([&](const StopToken&) -> Result<void> {
              run.require(!gone.load(), "a task outlived its group");
              ran.fetch_add(1);
              return {};
            })
            .value();
      }
      group.wait().value();
      run.require(ran.load() == 3, "each task runs exactly once");
    }
    gone.store(true);
  };
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = GetParam(), .schedules = test::campaign(2'000, 20'000)}, body));
}

TEST_P(TaskGroupExplore, TheErrorThatStoppedTheOthersIsTheOneReported) {
  const auto body = [](explore::Run& run) {
    ThreadPool pool({.threads = 2});
    TaskGroup group(pool, {}, TaskGroup::OnError::kStopOthers);
    group.spawn([](const StopToken&) -> Result<void> { return not_found("broken"); }).value();
    (void)group.spawn(until_stopped);  // refused if the first has failed already
    run.require(group.wait().error().code() == ErrorCode::kNotFound, "the cause is reported");
  };
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = GetParam(), .schedules = test::campaign(2'000, 20'000)}, body));
}

TEST_P(TaskGroupExplore, AStopEndsTasksWhereverTheyAre) {
  const auto body = [](explore::Run& run) {
    ThreadPool pool({.threads = 1});
    StopSource parent;
    Atomic<bool> gone;
    {
      TaskGroup group(pool, parent.token());
      for (int i = 0; i < 2; ++i) {
        group
            .spawn([&](const StopToken& stop) {
              Result<void> result = until_stopped(stop);
              run.require(!gone.load(), "a task outlived its group");
              return result;
            })
            .value();
      }
      run.thread("stopper", [&] { parent.request_stop(); });
      run.require(!group.wait().ok(), "stopped tasks are an error");
      run.join();
    }
    gone.store(true);
  };
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = GetParam(), .schedules = test::campaign(2'000, 20'000)}, body));
}

}  // namespace
}  // namespace clever::base

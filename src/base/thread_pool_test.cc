#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/atomic.h"
#include "base/monitor.h"
#include "explore/explore.h"
#include "support/campaign.h"

namespace clever::base {
namespace {

constexpr auto kReached = [](int goal) { return [goal](int value) { return value >= goal; }; };

TEST(ThreadPool, RunsEveryTask) {
  Monitor<int> count;
  ThreadPool pool({.threads = 3});
  EXPECT_EQ(pool.threads(), 3U);
  for (int i = 0; i < 100; ++i) pool.post([&] { count.update([](int& c) { ++c; }); }).value();
  count.wait({}, Deadline::never(), kReached(100)).value();
}

TEST(ThreadPool, HasAThreadPerProcessorByDefault) { EXPECT_GE(ThreadPool({}).threads(), 1U); }

TEST(ThreadPool, OneThreadKeepsTheOrder) {
  std::vector<int> order;
  {
    ThreadPool pool({.threads = 1});
    for (int i = 0; i < 50; ++i) pool.post([&, i] { order.push_back(i); }).value();
  }
  ASSERT_EQ(order.size(), 50U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(ThreadPool, AFullQueueRefusesAndLeavesTheTask) {
  Monitor<bool> open;
  ThreadPool pool({.threads = 1, .queue_limit = 1});
  Monitor<bool> blocked;
  pool.post([&] {
        blocked.update([](bool& b) { b = true; });
        open.wait({}, Deadline::never(), [](bool o) { return o; }).value();
      })
      .value();
  blocked.wait({}, Deadline::never(), [](bool b) { return b; }).value();
  pool.post([] {}).value();
  bool ran = false;
  Task task = [&] { ran = true; };
  const auto refused = pool.post(std::move(task));
  EXPECT_EQ(refused.error().code(), ErrorCode::kResourceExhausted);
  EXPECT_NE(refused.error().message().find("1 tasks"), std::string::npos);
  task();
  EXPECT_TRUE(ran);
  open.update([](bool& o) { o = true; });
}

TEST(ThreadPool, TheDestructorRunsWhatWasAccepted) {
  int ran = 0;
  {
    ThreadPool pool({.threads = 1});
    for (int i = 0; i < 1000; ++i) pool.post([&] { ++ran; }).value();
  }
  EXPECT_EQ(ran, 1000);
}

TEST(ThreadPool, ATaskPostedWhileClosingIsRefused) {
  Result<void> late;
  {
    Monitor<bool> closing;
    ThreadPool pool({.threads = 1});
    // Once the destructor has begun, post() answers `cancelled`; until then it accepts.
    pool.post([&] {
          while ((late = pool.post([] {})).ok()) std::this_thread::yield();
        })
        .value();
  }
  EXPECT_EQ(late.error().code(), ErrorCode::kCancelled);
}

TEST(ThreadPool, DestroysCapturesWithTheTask) {
  auto held = std::make_shared<int>(1);
  ThreadPool pool({.threads = 1});
  Monitor<bool> next;
  pool.post([copy = held] {}).value();
  pool.post([&] { next.update([](bool& n) { n = true; }); }).value();
  next.wait({}, Deadline::never(), [](bool n) { return n; }).value();
  EXPECT_EQ(held.use_count(), 1);
}

// A pool whose worker looks for work without the lock and sleeps with it.
class NaivePool {
 public:
  void post() {
    pending_.write(pending_.read() + 1);
    const MutexLock lock(mutex_);
    ready_.notify_one();
  }
  void run_one() {
    if (pending_.read() == 0) {
      const MutexLock lock(mutex_);
      ready_.wait(mutex_);
    }
    pending_.write(pending_.read() - 1);
  }

 private:
  Mutex mutex_;
  CondVar ready_;
  explore::Racy<int> pending_;
};

TEST(ThreadPoolExplore, LookingForWorkWithoutTheLockSleepsForEver) {
  const auto body = [](explore::Run& run) {
    NaivePool pool;
    run.thread("worker", [&] { pool.run_one(); });
    run.thread("poster", [&] { pool.post(); });
    run.join();
  };
  EXPECT_FINDS(explore::Failure::kLostWakeUp,
               explore::explore({.strategy = explore::Strategy::kExhaustive}, body));
}

void every_task_runs_once(explore::Run& run) {
  Atomic<int> ran;
  {
    ThreadPool pool({.threads = 2});
    for (const char* name : {"a", "b"}) {
      run.thread(name, [&] {
        pool.post([&] { ran.fetch_add(1); }).value();
        pool.post([&] { ran.fetch_add(1); }).value();
      });
    }
    run.join();
  }
  run.require(ran.load() == 4, "each task runs exactly once");
}

// Two tasks, each waiting for the other: both workers must be woken.
void tasks_that_need_each_other(explore::Run&) {
  Monitor<int> arrived;
  ThreadPool pool({.threads = 2});
  for (int i = 0; i < 2; ++i) {
    pool.post([&] {
          arrived.update([](int& a) { ++a; });
          arrived.wait({}, Deadline::never(), kReached(2)).value();
        })
        .value();
  }
  arrived.wait({}, Deadline::never(), kReached(2)).value();
}

class ThreadPoolExplore : public testing::TestWithParam<explore::Strategy> {};
INSTANTIATE_TEST_SUITE_P(Strategies, ThreadPoolExplore,
                         testing::Values(explore::Strategy::kRandom, explore::Strategy::kPct,
                                         explore::Strategy::kExhaustive));

TEST_P(ThreadPoolExplore, EveryTaskRunsOnce) {
  EXPECT_NO_FAILURE(explore::explore(
      {.strategy = GetParam(), .schedules = test::campaign(3'000, 30'000)}, every_task_runs_once));
}

TEST_P(ThreadPoolExplore, TasksThatNeedEachOtherBothRun) {
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = GetParam(), .schedules = test::campaign(3'000, 30'000)},
                       tasks_that_need_each_other));
}

TEST(Ring, KeepsTheOrderAcrossGrowth) {
  Ring<int> ring;
  int next_in = 0;
  int next_out = 0;
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 7; ++i) ring.push(next_in++);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(ring.pop(), next_out++);
  }
  EXPECT_EQ(ring.size(), 120U);
  while (!ring.empty()) EXPECT_EQ(ring.pop(), next_out++);
  EXPECT_EQ(next_out, next_in);
}

}  // namespace
}  // namespace clever::base

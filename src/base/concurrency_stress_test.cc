// Real threads over the whole family, for ThreadSanitizer.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "base/atomic.h"
#include "base/guarded.h"
#include "base/monitor.h"
#include "base/strand.h"
#include "base/task_group.h"
#include "base/thread.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "support/together.h"

namespace clever::base {
namespace {

void on_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::unique_ptr<Thread>> threads;
  for (int i = 0; i < count; ++i) {
    threads.push_back(std::make_unique<Thread>("stress", [&, i](const StopToken&) { body(i); }));
  }
}

TEST(ConcurrencyStress, GuardedCountsEverything) {
  Guarded<int> count;
  on_threads(test::kManyThreads, [&](int) {
    for (int i = 0; i < 500; ++i) count.with([](int& c) { ++c; });
  });
  EXPECT_EQ(count.with([](int c) { return c; }), test::kManyThreads * 500);
}

TEST(ConcurrencyStress, MonitorPassesABatonRoundEveryThread) {
  Monitor<int> turn;
  on_threads(32, [&](int self) {
    for (int round = 0; round < 20; ++round) {
      turn.update_when({}, [&](int t) { return t % 32 == self; }, [](int& t) { ++t; }).value();
    }
  });
  EXPECT_EQ(turn.read([](int t) { return t; }), 32 * 20);
}

TEST(ConcurrencyStress, StopReachesEveryWaiter) {
  StopSource stop;
  Monitor<bool> never;
  Monitor<int> arrived;
  Atomic<int> cancelled_waits;
  Thread stopper("stopper", [&](const StopToken&) {
    arrived.wait({}, Deadline::never(), [](int a) { return a == test::kManyThreads; }).value();
    stop.request_stop();
  });
  on_threads(test::kManyThreads, [&](int) {
    arrived.update([](int& a) { ++a; });
    const auto result = never.wait(stop.token(), Deadline::never(), [](bool n) { return n; });
    cancelled_waits.fetch_add(result.ok() ? 0 : 1);
  });
  EXPECT_EQ(cancelled_waits.load(), test::kManyThreads);
}

TEST(ConcurrencyStress, StrandsSerialiseUnderManyPosters) {
  constexpr int kStrands = 8;
  constexpr int kPosts = 200;
  ThreadPool pool({.threads = 4});
  std::array<int, kStrands> counts{};  // strand-owned, one each, without any lock
  std::vector<std::unique_ptr<Strand>> strands;
  for (int i = 0; i < kStrands; ++i) strands.push_back(std::make_unique<Strand>(pool));
  on_threads(50, [&](int) {
    for (int i = 0; i < kPosts; ++i) {
      const auto index = static_cast<std::size_t>(i % kStrands);
      strands[index]->post([&, index] { ++counts[index]; }).value();
    }
  });
  for (auto& strand : strands) strand->drain({}, Deadline::never()).value();
  for (const int count : counts) EXPECT_EQ(count, 50 * kPosts / kStrands);
}

TEST(ConcurrencyStress, StrandsComeAndGoWhileTheirTasksRun) {
  ThreadPool pool({.threads = 4});
  on_threads(32, [&](int) {
    for (int i = 0; i < 100; ++i) {
      int strand_owned = 0;
      Strand strand(pool);
      for (int j = 0; j < 10; ++j) (void)strand.post([&] { ++strand_owned; });
    }
  });
}

TEST(ConcurrencyStress, NestedGroupsOnASmallPool) {
  ThreadPool pool({.threads = 2});
  Atomic<int> leaves;
  on_threads(16, [&](int) {
    TaskGroup outer(pool);
    for (int i = 0; i < 10; ++i) {
      outer
          .spawn([&](const StopToken& stop) -> Result<void> {
            TaskGroup inner(pool, stop);
            for (int j = 0; j < 10; ++j) {
              CLEVER_TRY(inner.spawn([&](const StopToken&) -> Result<void> {
                leaves.fetch_add(1);
                return {};
              }));
            }
            return inner.wait();
          })
          .value();
    }
    outer.wait().value();
  });
  EXPECT_EQ(leaves.load(), 16 * 100);
}

TEST(ConcurrencyStress, GroupsAreDestroyedWhileTheirTasksRun) {
  ThreadPool pool({.threads = 4});
  on_threads(16, [&](int) {
    for (int i = 0; i < 50; ++i) {
      int touched = 0;
      TaskGroup group(pool);
      (void)group.spawn([&](const StopToken&) -> Result<void> {
        ++touched;
        return {};
      });
    }
  });
}

TEST(ConcurrencyStress, TimersFireOrAreCancelledExactlyOnce) {
  SystemClock clock;
  ThreadPool pool({.threads = 2});
  Atomic<int> prevented;
  Monitor<int> fired;
  {
    TimerQueue timers(clock);
    on_threads(32, [&](int self) {
      for (int i = 0; i < 100; ++i) {
        Timer timer = timers
                          .after(std::chrono::microseconds((self * 37 + i) % 200), pool,
                                 [&] { fired.update([](int& f) { ++f; }); })
                          .value();
        if (i % 2 == 0) {
          prevented.fetch_add(timer.cancel() ? 1 : 0);
        } else {
          timer.release();
        }
      }
    });
    fired.wait({}, Deadline::never(), [&](int f) { return f + prevented.load() == 32 * 100; })
        .value();
  }
}

}  // namespace
}  // namespace clever::base

#include "base/strand.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/atomic.h"
#include "base/monitor.h"
#include "base/thread_pool.h"
#include "explore/explore.h"
#include "support/campaign.h"

namespace clever::base {
namespace {

using std::chrono::seconds;

Result<void> drain(Strand& strand) { return strand.drain({}, Deadline::never()); }

// Keeps a strand busy until released.
class Gate {
 public:
  void open() {
    open_.update([](bool& o) { o = true; });
  }
  void pass() {
    entered_.update([](bool& e) { e = true; });
    open_.wait({}, Deadline::never(), [](bool o) { return o; }).value();
  }
  void wait_until_entered() {
    entered_.wait({}, Deadline::never(), [](bool e) { return e; }).value();
  }

 private:
  Monitor<bool> open_;
  Monitor<bool> entered_;
};

TEST(Strand, RunsItsTasksInOrderOnAPoolOfManyThreads) {
  ThreadPool pool({.threads = 4});
  Strand strand(pool);
  std::vector<int> order;  // strand-owned
  for (int i = 0; i < 1000; ++i) strand.post([&, i] { order.push_back(i); }).value();
  drain(strand).value();
  EXPECT_EQ(order.size(), 1000U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(Strand, KnowsItsOwnTasks) {
  ThreadPool pool({.threads = 2});
  Strand strand(pool);
  Strand other(pool);
  bool own = false;
  bool others = true;
  strand
      .post([&] {
        own = strand.running_here();
        others = other.running_here();
      })
      .value();
  drain(strand).value();
  EXPECT_TRUE(own);
  EXPECT_FALSE(others);
  EXPECT_FALSE(strand.running_here());
}

TEST(Strand, AFullQueueRefuses) {
  ThreadPool pool({.threads = 1});
  Strand strand(pool, {.queue_limit = 2});
  Gate gate;
  strand.post([&] { gate.pass(); }).value();
  gate.wait_until_entered();
  strand.post([] {}).value();
  strand.post([] {}).value();
  EXPECT_EQ(strand.post([] {}).error().code(), ErrorCode::kResourceExhausted);
  gate.open();
  drain(strand).value();
  EXPECT_TRUE(strand.post([] {}).ok());
}

TEST(Strand, TheDestructorDropsWhatHasNotStarted) {
  ThreadPool pool({.threads = 1});
  auto held = std::make_shared<int>(0);
  Gate gate;
  int ran = 0;
  auto strand = std::make_unique<Strand>(pool);
  strand->post([&] { gate.pass(); }).value();
  gate.wait_until_entered();
  for (int i = 0; i < 10; ++i) strand->post([&, copy = held] { ++ran; }).value();
  Thread opener("opener", [&](const StopToken&) { gate.open(); });
  strand.reset();
  // The running task ended first; at most what followed it in the same turn ran before the close.
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_LE(ran, 10);
}

TEST(Strand, MayBeDestroyedByItsOwnTask) {
  Monitor<bool> done;
  ThreadPool pool({.threads = 1});
  auto strand = std::make_unique<Strand>(pool);
  bool later_ran = false;
  Strand& alias = *strand;
  Gate gate;
  alias
      .post([&] {
        gate.pass();
        strand.reset();
        done.update([](bool& d) { d = true; });
      })
      .value();
  gate.wait_until_entered();
  alias.post([&] { later_ran = true; }).value();
  gate.open();
  done.wait({}, Deadline::never(), [](bool d) { return d; }).value();
  EXPECT_FALSE(later_ran);
}

TEST(Strand, LongQueuesTakeTurnsWithOthers) {
  ThreadPool pool({.threads = 1});
  Strand greedy(pool);
  Strand modest(pool);
  Gate gate;
  pool.post([&] { gate.pass(); }).value();
  gate.wait_until_entered();
  int greedy_ran = 0;
  int greedy_before_modest = -1;
  for (int i = 0; i < 1000; ++i) greedy.post([&] { ++greedy_ran; }).value();
  modest.post([&] { greedy_before_modest = greedy_ran; }).value();
  gate.open();
  drain(modest).value();
  drain(greedy).value();
  EXPECT_EQ(greedy_before_modest, 64);
  EXPECT_EQ(greedy_ran, 1000);
}

TEST(Strand, DrainEndsByStopDeadlineOrClose) {
  ThreadPool pool({.threads = 1});
  SimulatedClock clock;
  auto strand = std::make_unique<Strand>(pool);
  Gate gate;
  strand->post([&] { gate.pass(); }).value();
  gate.wait_until_entered();
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(strand->drain(stop.token(), Deadline::never()).error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(strand->drain({}, Deadline::after(clock, seconds(0))).error().code(),
            ErrorCode::kDeadlineExceeded);
  gate.open();
  drain(*strand).value();
}

// "Is a thread draining? No: then I do": two posters both conclude that.
class NaiveStrand {
 public:
  void post(const std::function<void()>& task) {
    queued_.write(queued_.read() + 1);
    if (draining_.read()) return;
    draining_.write(true);
    while (queued_.read() > 0) {
      queued_.write(queued_.read() - 1);
      task();
    }
    draining_.write(false);
  }

 private:
  explore::Racy<int> queued_;
  explore::Racy<bool> draining_;
};

// Detects two tasks at once.
class Exclusive {
 public:
  explicit Exclusive(explore::Run& run) : run_(run) {}
  void task() {
    run_.require(!inside_.read(), "two tasks of one strand run at once");
    inside_.write(true);
    inside_.write(false);
    ran_.write(ran_.read() + 1);
  }
  [[nodiscard]] int ran() const { return ran_.read(); }

 private:
  explore::Run& run_;
  explore::Racy<bool> inside_;
  explore::Racy<int> ran_;
};

class StrandExplore : public testing::TestWithParam<explore::Strategy> {};
INSTANTIATE_TEST_SUITE_P(Strategies, StrandExplore,
                         testing::Values(explore::Strategy::kRandom, explore::Strategy::kPct,
                                         explore::Strategy::kExhaustive));

TEST_P(StrandExplore, CheckThenDrainRunsTwoAtOnce) {
  const auto body = [](explore::Run& run) {
    NaiveStrand strand;
    Exclusive exclusive(run);
    for (const char* name : {"a", "b"}) {
      run.thread(name, [&] { strand.post([&] { exclusive.task(); }); });
    }
    run.join();
  };
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore({.strategy = GetParam(), .schedules = 5'000}, body));
}

TEST_P(StrandExplore, OneTaskAtATimeAndNoneLost) {
  const auto body = [](explore::Run& run) {
    Exclusive exclusive(run);
    ThreadPool pool({.threads = 2});
    Strand strand(pool);
    for (const char* name : {"a", "b"}) {
      run.thread(name, [&] {
        for (int i = 0; i < 2; ++i) strand.post([&] { exclusive.task(); }).value();
      });
    }
    run.join();
    drain(strand).value();
    run.require(exclusive.ran() == 4, "each task runs exactly once");
  };
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = GetParam(), .schedules = test::campaign(3'000, 30'000)}, body));
}

TEST_P(StrandExplore, AfterTheDestructorNothingRuns) {
  const auto body = [](explore::Run& run) {
    ThreadPool pool({.threads = 1});
    Atomic<bool> gone;
    {
      Strand strand(pool);
      for (int i = 0; i < 2; ++i) {
        strand.post([&] { run.require(!gone.load(), "a task runs after its strand is gone"); })
            .value();
      }
    }
    gone.store(true);
  };
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = GetParam(), .schedules = test::campaign(3'000, 30'000)}, body));
}

}  // namespace
}  // namespace clever::base

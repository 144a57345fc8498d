// Many plans on one executor, with real threads.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/atomic.h"
#include "base/guarded.h"
#include "base/thread.h"
#include "context/parallel_strategy_executor.h"
#include "context/testing/test_strategy.h"

namespace clever::context {
namespace {

using internal::Door;
using internal::failing;
using internal::hanging;
using internal::job;
using internal::proposing;
using internal::TestStrategy;
using How = StrategyOutcome::How;
using Jobs = std::vector<ParallelStrategyExecutor::Job>;
using std::chrono::milliseconds;

constexpr int kPlans = 64;
constexpr base::CircuitOptions kNeverOpens{.failure_threshold = 1'000'000};

ParallelStrategyExecutor::Job throwing(const std::string& name) {
  return job(name, [](const base::StopToken&, base::Deadline) -> TestStrategy::Proposed {
    throw std::runtime_error("oh");
  });
}

// Returns on a stop, and never before.
ParallelStrategyExecutor::Job obedient(const std::string& name) {
  return job(name, [](const base::StopToken& stop, base::Deadline) {
    base::Monitor<bool> never;
    (void)never.wait(stop, base::Deadline::never(), [](bool value) { return value; });
    return std::vector<Candidate>{};
  });
}

ParallelStrategyExecutor::Job every_other(const std::string& name) {
  const auto calls = std::make_shared<base::Guarded<int>>();
  return job(name, [calls](const base::StopToken&, base::Deadline) -> TestStrategy::Proposed {
    if (calls->with([](int& count) { return ++count % 2 == 0; })) return base::unavailable("down");
    return std::vector<Candidate>{};
  });
}

// How many threads of this process run a strategy of that name (at most 15 characters).
int threads_named(const std::string& name) {
  int count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string title;
    std::getline(std::ifstream(task.path() / "comm"), title);
    if (title == name) ++count;
  }
  return count;
}

using Failures = std::map<std::string, std::uint64_t, std::less<>>;

void count(Failures& failures, const std::vector<StrategyOutcome>& outcomes) {
  for (const auto& outcome : outcomes) {
    const bool failed = outcome.how == How::kFailed || outcome.how == How::kLate;
    failures[outcome.strategy] += failed ? 1 : 0;
  }
}

template <class F>
void in_parallel(int threads, F body) {
  std::vector<std::unique_ptr<base::Thread>> running;
  for (int i = 0; i < threads; ++i) {
    running.push_back(
        std::make_unique<base::Thread>("plan", [&](const base::StopToken&) { body(); }));
  }
}

class ExecutorStress : public testing::Test {
 protected:
  void make(const ExecutorOptions& options) {
    executor_ = ParallelStrategyExecutor::make(clock_, random_, options);
  }
  std::vector<StrategyOutcome> run(const Jobs& jobs) { return executor_->run({}, jobs); }
  std::uint64_t failures(const std::string& name) {
    return executor_->circuits().circuit(name)->view().total_failures;
  }

  base::SystemClock clock_;
  base::SystemRandom random_;
  std::unique_ptr<ParallelStrategyExecutor> executor_;
};

TEST_F(ExecutorStress, EveryFailureIsCountedOnceWhileCircuitsAreReset) {
  constexpr int kAssemblies = 8;
  make({.deadline = milliseconds(5),
        .circuit = {.cool_down = milliseconds(1), .longest_cool_down = milliseconds(4)}});
  const Jobs jobs{proposing("good", "a"), failing("bad"),     throwing("throwing"),
                  obedient("obedient"),   every_other("odd"), proposing("good too", "b")};
  base::Guarded<Failures> counted;
  {
    const base::Thread resetting("resetting", [&](const base::StopToken& stop) {
      while (!stop.stop_requested()) {
        executor_->circuits().reset_all();
        std::this_thread::yield();
      }
    });
    in_parallel(kPlans, [&] {
      for (int i = 0; i < kAssemblies; ++i) {
        const auto outcomes = run(jobs);
        EXPECT_EQ(outcomes.size(), jobs.size());
        counted.with([&](Failures& all) { count(all, outcomes); });
      }
    });
  }
  const Failures all = counted.with([](const Failures& failures) { return failures; });
  EXPECT_GT(all.at("bad"), 0U);
  EXPECT_GT(all.at("throwing"), 0U);
  for (const auto& [name, expected] : all) EXPECT_EQ(failures(name), expected) << name;
}

TEST_F(ExecutorStress, WithSeveralRunsOfAStrategyTheCountsAreExactToo) {
  make({.runs_per_strategy = 8, .deadline = milliseconds(5), .circuit = kNeverOpens});
  const Jobs jobs{failing("bad"), obedient("obedient"), proposing("good", "a")};
  base::Guarded<Failures> counted;
  in_parallel(kPlans, [&] {
    for (int i = 0; i < 4; ++i) {
      const auto outcomes = run(jobs);
      counted.with([&](Failures& all) { count(all, outcomes); });
    }
  });
  for (const auto& [name, expected] : counted.with([](const Failures& all) { return all; })) {
    EXPECT_EQ(failures(name), expected) << name;
  }
}

TEST_F(ExecutorStress, AThousandAssembliesLoseOneThreadToAStrategyThatNeverReturns) {
  make({.deadline = milliseconds(1), .circuit = kNeverOpens});
  Door door;
  const Jobs jobs{hanging("never-ends", door), proposing("good", "a")};
  // On a busy machine a run is given up before its thread has come to it: then nothing is lost.
  std::uint64_t late = 0;
  while (door.arrived() == 0) late += run(jobs).at(0).how == How::kLate ? 1 : 0;
  EXPECT_GT(late, 0U);
  for (int i = 0; i < 1000; ++i) {
    const auto outcomes = run(jobs);
    ASSERT_EQ(outcomes.at(0).how, How::kSkipped);
    if (i % 100 == 0) EXPECT_EQ(threads_named("never-ends"), 1);
  }
  EXPECT_EQ(threads_named("never-ends"), 1);
  EXPECT_EQ(threads_named("good"), 1);
  EXPECT_EQ(door.arrived(), 1);
  EXPECT_EQ(failures("never-ends"), late);
  executor_.reset();
  door.open();
}

TEST_F(ExecutorStress, AThousandAssembliesThatAreLateEachTimeUseOneThread) {
  make({.deadline = milliseconds(1), .circuit = kNeverOpens});
  const Jobs jobs{obedient("each-time")};
  std::uint64_t late = 0;
  for (int i = 0; i < 1000; ++i) late += run(jobs).at(0).how == How::kLate ? 1 : 0;
  EXPECT_EQ(threads_named("each-time"), 1);
  EXPECT_EQ(failures("each-time"), late);
  EXPECT_GT(late, 0U);
}

TEST_F(ExecutorStress, AllPlansAtOnceLoseOneThreadToAStrategyThatNeverReturns) {
  make({.deadline = milliseconds(20), .circuit = kNeverOpens});
  Door door;
  const Jobs jobs{hanging("never-again", door), proposing("good", "a")};
  base::Guarded<std::uint64_t> late;
  in_parallel(kPlans, [&] {
    for (int i = 0; i < 4 || door.arrived() == 0; ++i) {
      if (run(jobs).at(0).how == How::kLate) late.with([](std::uint64_t& lates) { ++lates; });
    }
  });
  EXPECT_GT(failures("never-again"), 0U);
  EXPECT_EQ(failures("never-again"), late.with([](std::uint64_t lates) { return lates; }));
  EXPECT_EQ(threads_named("never-again"), 1);
  EXPECT_EQ(door.arrived(), 1);
  executor_.reset();
  door.open();
}

TEST_F(ExecutorStress, StopsEndAllPlansWithoutAFailure) {
  make({.deadline = std::chrono::hours(1)});
  const Jobs jobs{obedient("waits"), obedient("waits too"), proposing("good", "a")};
  base::StopSource stop;
  {
    base::Guarded<int> begun;
    const base::Thread stopping("stopping", [&](const base::StopToken&) {
      while (begun.with([](int count) { return count; }) < kPlans) std::this_thread::yield();
      stop.request_stop();
    });
    in_parallel(kPlans, [&] {
      begun.with([](int& count) { ++count; });
      for (const auto& outcome : executor_->run({}, jobs, stop.token())) {
        EXPECT_TRUE(outcome.how == How::kSkipped || outcome.strategy == "good");
      }
    });
  }
  EXPECT_EQ(failures("waits"), 0U);
  EXPECT_EQ(failures("waits too"), 0U);
}

}  // namespace
}  // namespace clever::context

// What the reported executor and the fix that was proposed for it leave behind, found by the
// explorer in small models of them, and not in ours.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>

#include "base/guarded.h"
#include "context/parallel_strategy_executor.h"
#include "context/testing/test_strategy.h"
#include "explore/explore.h"

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
using std::chrono::seconds;

constexpr explore::Options kRandom{.strategy = explore::Strategy::kRandom, .schedules = 300};
constexpr explore::Options kPct{
    .strategy = explore::Strategy::kPct, .schedules = 300, .preemptions = 4};

// One lock around each method, as proposed; opens at the first failure. `cool_down` is what its
// users would add next.
class NaiveCircuit {
 public:
  bool is_open() {
    const Lock lock(mutex_);
    return open_.read();
  }
  void cool_down() {
    const Lock lock(mutex_);
    open_.write(false);
  }
  void record(bool success) {
    const Lock lock(mutex_);
    open_.write(!success);
    if (!success) failures_.write(failures_.read() + 1);
  }
  int failures() {
    const Lock lock(mutex_);
    return failures_.read();
  }

 private:
  struct Lock {
    explicit Lock(explore::PlainMutex& locked) : mutex(locked) { mutex.lock(); }
    ~Lock() { mutex.unlock(); }
    explore::PlainMutex& mutex;
  };
  explore::PlainMutex mutex_;
  explore::Racy<bool> open_{false};
  explore::Racy<int> failures_{0};
};

// --- (a) an opened one never closes again ---

void naive_stays_open(explore::Run& run) {
  NaiveCircuit circuit;
  circuit.record(false);
  bool ran = false;
  run.thread("assembly", [&] {
    if (circuit.is_open()) return;
    ran = true;
    circuit.record(true);
  });
  run.join();
  run.require(ran, "the strategy works again and is never asked");
}

struct Ours {
  explicit Ours(const ExecutorOptions& options)
      : executor(ParallelStrategyExecutor::make(clock, random, options)) {}
  base::Circuit::View circuit(std::string_view name) const {
    return executor->circuits().circuit(name)->view();
  }
  StrategyOutcome run(const ParallelStrategyExecutor::Job& one,
                      const base::StopToken& stop = {}) const {
    return executor->run({}, {one}, stop).at(0);
  }

  base::SimulatedClock clock;
  base::SeededRandom random{1};
  std::unique_ptr<ParallelStrategyExecutor> executor;
};

constexpr base::CircuitOptions kOpensAtOnce{
    .failure_threshold = 1, .cool_down = seconds(5), .jitter = 0};

void ours_closes_again(explore::Run& run) {
  Ours ours({.circuit = kOpensAtOnce});
  run.require(ours.run(failing("s")).how == How::kFailed, "it did not fail");
  ours.clock.advance(seconds(5));
  for (int i = 0; i < 2; ++i) {
    run.thread("assembly", [&] { (void)ours.run(proposing("s", "a")); });
  }
  run.join();
  run.require(ours.circuit("s").state == base::CircuitState::kClosed,
              "the strategy works again and is never asked");
}

// --- (b) everybody passes at once ---

void naive_lets_all_in(explore::Run& run) {
  NaiveCircuit circuit;
  circuit.record(false);
  circuit.cool_down();
  base::Guarded<int> runs;
  for (int i = 0; i < 2; ++i) {
    run.thread("assembly", [&] {
      if (circuit.is_open()) return;
      runs.with([](int& count) { ++count; });
      circuit.record(false);
    });
  }
  run.join();
  run.require(runs.with([](int count) { return count; }) == 1, "two probes");
}

void ours_lets_one_in(explore::Run& run) {
  Ours ours({.runs_per_strategy = 2, .circuit = kOpensAtOnce});
  base::Guarded<int> runs;
  const auto bad = job("s", [&](const base::StopToken&, base::Deadline) -> TestStrategy::Proposed {
    runs.with([](int& count) { ++count; });
    return base::unavailable("down");
  });
  (void)ours.run(bad);
  ours.clock.advance(seconds(5));
  for (int i = 0; i < 2; ++i) run.thread("assembly", [&] { (void)ours.run(bad); });
  run.join();
  run.require(runs.with([](int count) { return count; }) == 2, "two probes");
  run.require(ours.circuit("s").total_failures == 2, "a failure is not counted once");
}

// --- (c) a slow one from before closes it ---

void naive_closes_late(explore::Run& run) {
  NaiveCircuit circuit;
  run.thread("slow", [&] {
    if (!circuit.is_open()) circuit.record(true);
  });
  run.thread("failing", [&] {
    if (!circuit.is_open()) circuit.record(false);
  });
  run.join();
  run.require(circuit.failures() == 0 || circuit.is_open(),
              "a run from before it opened has closed it");
}

void ours_stays_open(explore::Run& run) {
  Ours ours({.runs_per_strategy = 2, .circuit = kOpensAtOnce});
  Door door;
  run.thread("slow", [&] { (void)ours.run(hanging("s", door)); });
  run.thread("failing", [&] {
    door.await_arrivals(1);
    (void)ours.run(failing("s"));
    door.open();
  });
  run.join();
  run.require(ours.circuit("s").state == base::CircuitState::kOpen,
              "a run from before it opened has closed it");
}

// --- (d) the deadline neither stops the late one nor counts it once ---

void naive_counts_twice(explore::Run& run) {
  NaiveCircuit circuit;
  explore::Racy<bool> done(false);
  run.thread("assembly", [&] {
    if (!done.read()) circuit.record(false);
  });
  run.thread("strategy", [&] {
    done.write(true);
    circuit.record(false);
  });
  run.join();
  run.require(circuit.failures() == 1, "the late one is not counted once");
}

// On the explorer's time: a deadline may pass at any moment.
struct OnTime {
  explicit OnTime(const ExecutorOptions& options)
      : executor(ParallelStrategyExecutor::make(clock, random, options)) {}
  std::uint64_t failures(std::string_view name) const {
    return executor->circuits().circuit(name)->view().total_failures;
  }

  base::SystemClock clock;
  base::SeededRandom random{1};
  std::unique_ptr<ParallelStrategyExecutor> executor;
};

void ours_counts_once(explore::Run& run) {
  OnTime ours({.deadline = seconds(2)});
  run.thread("assembly", [&] {
    const auto outcome = ours.executor->run({}, {failing("s")}).at(0);
    run.require(outcome.how == How::kFailed || outcome.how == How::kLate,
                "neither failed nor late");
  });
  run.join();
  run.require(ours.failures("s") == 1, "the late one is not counted once");
}

// Returns only on a stop: without that the schedule would not end.
void ours_is_reported(explore::Run& run) {
  base::Guarded<bool> passed{std::in_place, true};
  {
    OnTime ours({.deadline = seconds(2)});
    const auto obedient = job("s", [&](const base::StopToken& stop, base::Deadline deadline) {
      base::Monitor<bool> never;
      (void)never.wait(stop, base::Deadline::never(), [](bool value) { return value; });
      passed.with([&](bool& is) { is = deadline.passed(); });
      return std::vector<Candidate>{};
    });
    run.thread("assembly", [&] {
      run.require(ours.executor->run({}, {obedient}).at(0).how == How::kLate, "it was not late");
    });
    run.join();
    run.require(ours.failures("s") == 1, "the late one is not counted once");
    // Until it has returned: what it uses lives here.
    while (ours.executor->run({}, {proposing("s", "a")}).at(0).how == How::kSkipped) {
      base::schedule::point(base::schedule::Op::kYield, nullptr);
    }
  }
  run.require(passed.with([](bool is) { return is; }), "it was told before its deadline");
}

// --- what else an executor promises ---

void one_run_at_a_time(explore::Run& run) {
  Ours ours({.max_workers = 2});
  base::Guarded<int> inside;
  const auto alone = job("s", [&](const base::StopToken&, base::Deadline) {
    run.require(inside.with([](int& count) { return ++count; }) == 1, "two runs of one strategy");
    inside.with([](int& count) { --count; });
    return std::vector<Candidate>{};
  });
  for (int i = 0; i < 2; ++i) {
    run.thread("assembly", [&] {
      for (const auto& outcome : ours.executor->run({}, {alone, proposing("other", "a")})) {
        run.require(outcome.how == How::kProposed, "a strategy was not run");
      }
    });
  }
  run.join();
}

void a_stop_is_no_failure(explore::Run& run) {
  Ours ours({});
  base::StopSource stop;
  Door door;
  run.thread("assembly", [&] {
    const auto outcomes =
        ours.executor->run({}, {hanging("slow", door), proposing("s", "a")}, stop.token());
    run.require(outcomes.size() == 2, "a job has no outcome");
  });
  run.thread("stop", [&] { stop.request_stop(); });
  run.join();
  door.open();
  run.require(ours.circuit("slow").total_failures == 0, "a stop was counted as a failure");
}

void an_overdue_one_is_not_started_again(explore::Run& run) {
  Door door;
  {
    OnTime ours({.deadline = seconds(2), .longest_wait = base::Duration::max()});
    const Jobs jobs{hanging("s", door)};
    base::Guarded<std::uint64_t> late;
    for (int i = 0; i < 2; ++i) {
      run.thread("assembly", [&] {
        const How how = ours.executor->run({}, jobs).at(0).how;
        run.require(how == How::kLate || how == How::kSkipped, "it did not hang");
        if (how == How::kLate) late.with([](std::uint64_t& count) { ++count; });
      });
    }
    run.join();
    run.require(door.arrived() <= 1, "two threads are lost to one strategy");
    // Both are late if the first was given up before its thread had begun.
    run.require(ours.failures("s") == late.with([](std::uint64_t count) { return count; }),
                "a late one is not counted once");
  }
  // The executor and its clock are gone; the lost one comes back.
  door.open();
}

void who_waits_gets_the_turn_of_who_leaves(explore::Run& run) {
  Ours ours({});
  Door door;
  base::StopSource stop;
  run.thread("first", [&] { (void)ours.run(hanging("s", door)); });
  run.thread("leaving", [&] { (void)ours.run(proposing("s", "a"), stop.token()); });
  run.thread("waiting", [&] {
    run.require(ours.run(proposing("s", "a")).how == How::kProposed, "its turn did not come");
  });
  run.thread("end", [&] {
    stop.request_stop();
    door.open();
  });
  run.join();
}

TEST(ExecutorExplore, TheProposedOneNeverClosesAgain) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(kRandom, naive_stays_open));
}
TEST(ExecutorExplore, TheProposedOneLetsEverybodyIn) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(kRandom, naive_lets_all_in));
}
TEST(ExecutorExplore, TheProposedOneIsClosedByARunFromBefore) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(kRandom, naive_closes_late));
}
TEST(ExecutorExplore, TheProposedOneCountsTheLateTwice) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(kRandom, naive_counts_twice));
}

struct Case {
  const char* name;
  void (*body)(explore::Run&);
};

class ExecutorExploreOurs : public testing::TestWithParam<Case> {};

TEST_P(ExecutorExploreOurs, HoldsAtRandom) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, GetParam().body));
}
TEST_P(ExecutorExploreOurs, HoldsByPct) {
  EXPECT_NO_FAILURE(explore::explore(kPct, GetParam().body));
}
INSTANTIATE_TEST_SUITE_P(
    ExecutorExplore, ExecutorExploreOurs,
    testing::Values(Case{"ClosesAgain", ours_closes_again}, Case{"LetsOneIn", ours_lets_one_in},
                    Case{"StaysOpen", ours_stays_open}, Case{"CountsOnce", ours_counts_once},
                    Case{"IsReported", ours_is_reported}, Case{"OneRunAtATime", one_run_at_a_time},
                    Case{"AStopIsNoFailure", a_stop_is_no_failure},
                    Case{"AnOverdueOneIsNotStartedAgain", an_overdue_one_is_not_started_again},
                    Case{"WhoWaitsGetsTheTurnOfWhoLeaves", who_waits_gets_the_turn_of_who_leaves}),
    [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

}  // namespace
}  // namespace clever::context

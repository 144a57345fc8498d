#include "context/parallel_strategy_executor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>

#include "base/atomic.h"
#include "base/guarded.h"
#include "base/thread.h"
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
using std::chrono::seconds;

/// An executor on a clock that stands still; an assembly of its own thread, so that the test can
/// move the clock.
class ExecutorTest : public testing::Test {
 protected:
  static constexpr ExecutorOptions kOptions{.deadline = seconds(2)};

  void make(const ExecutorOptions& options) {
    executor_ = ParallelStrategyExecutor::make(clock_, random_, options);
  }
  ParallelStrategyExecutor& executor() {
    if (executor_ == nullptr) make(kOptions);
    return *executor_;
  }
  std::vector<StrategyOutcome> run(const Jobs& jobs, const base::StopToken& stop = {}) {
    return executor().run({.text = "what"}, jobs, stop);
  }
  /// Runs them while time passes as soon as `ready` and a caller waits for it.
  std::vector<StrategyOutcome> run_past(base::Duration by, const Jobs& jobs, const Door& ready,
                                        int arrivals = 1) {
    std::vector<StrategyOutcome> outcomes;
    base::Thread assembly("assembly", [&](const base::StopToken&) { outcomes = run(jobs); });
    ready.await_arrivals(arrivals);
    await_waiters(1);
    clock_.advance(by);
    assembly.join();
    return outcomes;
  }
  void await_waiters(std::size_t count) const {
    while (clock_.waiters() < count) std::this_thread::yield();
  }
  base::Circuit::View circuit(const std::string& name) {
    return executor().circuits().circuit(name)->view();
  }

  base::SimulatedClock clock_;
  base::SeededRandom random_{1};
  std::unique_ptr<ParallelStrategyExecutor> executor_;
};

TEST_F(ExecutorTest, NoJobsAreNoOutcomes) { EXPECT_TRUE(run({}).empty()); }

TEST_F(ExecutorTest, OutcomesComeInTheOrderOfTheJobs) {
  Jobs jobs;
  for (int i = 0; i < 20; ++i) {
    jobs.push_back(proposing("s" + std::to_string(i), "f" + std::to_string(i)));
  }
  const auto outcomes = run(jobs);
  ASSERT_EQ(outcomes.size(), 20U);
  for (int i = 0; i < 20; ++i) {
    const auto& outcome = outcomes[static_cast<std::size_t>(i)];
    EXPECT_EQ(outcome.strategy, "s" + std::to_string(i));
    EXPECT_EQ(outcome.how, How::kProposed);
    EXPECT_EQ(outcome.candidates.at(0).path, "f" + std::to_string(i));
  }
}

TEST_F(ExecutorTest, GivesTheStrategyItsQuestionAndBudget) {
  class Curious final : public Strategy {
   public:
    [[nodiscard]] std::string_view name() const override { return "curious"; }
    [[nodiscard]] double quality() const override { return 1; }
    [[nodiscard]] double confidence(const Question&) const override { return 1; }
    [[nodiscard]] base::Result<std::vector<Candidate>> propose(const Question& question,
                                                               std::size_t budget,
                                                               const base::StopToken&,
                                                               base::Deadline) override {
      return std::vector{Candidate{.path = question.text + std::to_string(budget)}};
    }
  };
  EXPECT_EQ(run({{std::make_shared<Curious>(), 42}}).at(0).candidates.at(0).path, "what42");
}

TEST_F(ExecutorTest, AFailureAffectsNoOtherStrategy) {
  const auto outcomes = run({failing("bad"), proposing("good", "a")});
  EXPECT_EQ(outcomes[0].how, How::kFailed);
  EXPECT_EQ(outcomes[0].remark, "no luck");
  EXPECT_EQ(outcomes[1].how, How::kProposed);
  EXPECT_EQ(circuit("bad").total_failures, 1U);
  EXPECT_EQ(circuit("good").total_failures, 0U);
}

TEST_F(ExecutorTest, AnyExceptionIsAFailure) {
  const auto outcomes =
      run({job("standard",
               [](const base::StopToken&, base::Deadline) -> TestStrategy::Proposed {
                 throw std::runtime_error("oh");
               }),
           job("odd",
               [](const base::StopToken&, base::Deadline) -> TestStrategy::Proposed { throw 7; })});
  EXPECT_EQ(outcomes[0].how, How::kFailed);
  EXPECT_EQ(outcomes[0].remark, "it threw: oh");
  EXPECT_EQ(outcomes[1].how, How::kFailed);
  EXPECT_EQ(outcomes[1].remark, "it threw an unknown exception");
  EXPECT_EQ(circuit("odd").total_failures, 1U);
}

TEST_F(ExecutorTest, FloodsAndLiesAreCut) {
  make({.most_candidates = 2});
  const auto outcomes = run({job("liar", [](const base::StopToken&, base::Deadline) {
    return std::vector<Candidate>{{.path = "../../etc/passwd", .relevance = 1},
                                  {.path = "a", .relevance = std::nan("")},
                                  {.path = "b", .relevance = 1e9},
                                  {.path = "c"}};
  })});
  ASSERT_EQ(outcomes[0].how, How::kProposed);
  ASSERT_EQ(outcomes[0].candidates.size(), 2U);
  EXPECT_EQ(outcomes[0].candidates[0].relevance, 0);
  EXPECT_EQ(outcomes[0].candidates[1].relevance, 1);
  EXPECT_EQ(outcomes[0].remark,
            "left out: 1 beyond the most that are taken; 1 with a path or range that cannot be");
}

TEST_F(ExecutorTest, EndsAtTheDeadlineWithWhatIsThere) {
  // One after the other: the quick one has answered when time passes.
  make({.max_workers = 1});
  Door door;
  const auto outcomes =
      run_past(seconds(2), {proposing("quick", "a"), hanging("slow", door)}, door);
  EXPECT_EQ(outcomes[0].how, How::kProposed);
  EXPECT_EQ(outcomes[1].how, How::kLate);
  EXPECT_EQ(outcomes[1].took, seconds(2));
  EXPECT_TRUE(outcomes[1].candidates.empty());
  EXPECT_EQ(circuit("slow").total_failures, 1U);
  door.open();
}

TEST_F(ExecutorTest, AnOverdueOneIsNotStartedAgainUntilItHasReturned) {
  Door door;
  const Jobs jobs{hanging("slow", door)};
  (void)run_past(seconds(2), jobs, door);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(jobs).at(0).how, How::kSkipped);
    EXPECT_EQ(run(jobs).at(0).remark, "an earlier run of it has not returned yet");
  }
  EXPECT_EQ(door.arrived(), 1);
  EXPECT_EQ(circuit("slow").total_failures, 1U) << "what was not run has not failed";

  door.open();
  while (run(jobs).at(0).how == How::kSkipped) std::this_thread::yield();
  EXPECT_EQ(door.arrived(), 2);
  EXPECT_EQ(circuit("slow").total_failures, 1U) << "it was counted when it was late";
}

TEST_F(ExecutorTest, ALateAnswerChangesNothing) {
  Door door;
  (void)run_past(seconds(2), {hanging("slow", door)}, door);
  door.open();
  door.await_passed(1);
  executor_.reset();
}

TEST_F(ExecutorTest, ALateOneIsAskedToStop) {
  Door door;
  base::Monitor<bool> reported;
  (void)run_past(seconds(2),
                 {job("polite",
                      [&](const base::StopToken& stop, base::Deadline deadline) {
                        base::Monitor<bool> never;
                        door.open();
                        door.pass();
                        (void)never.wait(stop, base::Deadline::never(),
                                         [](bool value) { return value; });
                        reported.update([&](bool& is) { is = deadline.passed(); });
                        return std::vector<Candidate>{};
                      })},
                 door);
  EXPECT_TRUE(reported.wait({}, base::Deadline::never(), [](bool is) { return is; }).ok());
  executor_.reset();
}

TEST_F(ExecutorTest, AStrategyThatSaysItIsLateIsLate) {
  const auto outcomes =
      run({job("honest", [](const base::StopToken&, base::Deadline) -> TestStrategy::Proposed {
        return base::deadline_exceeded("too much to do");
      })});
  EXPECT_EQ(outcomes[0].how, How::kLate);
  EXPECT_EQ(outcomes[0].remark, "too much to do");
}

TEST_F(ExecutorTest, AStrategyMayHaveATimeLimitOfItsOwn) {
  Door door;
  Jobs jobs{job(
      "patient",
      [door](const base::StopToken&, base::Deadline deadline) {
        EXPECT_EQ(deadline.remaining(), seconds(50));
        door.pass();
        return std::vector<Candidate>{};
      },
      seconds(50))};
  EXPECT_EQ(run_past(seconds(50), jobs, door).at(0).took, seconds(50));
  door.open();
}

TEST_F(ExecutorTest, AnEndlessDeadlineNeverComes) {
  make({.deadline = base::Duration::max(), .longest_wait = base::Duration::max()});
  const auto outcomes = run({job("calm", [](const base::StopToken&, base::Deadline deadline) {
    EXPECT_TRUE(deadline.is_never());
    return std::vector<Candidate>{};
  })});
  EXPECT_EQ(outcomes[0].how, How::kProposed);
}

TEST_F(ExecutorTest, OpensTheCircuitOfWhatFailsAndTriesItAgain) {
  make({.circuit = {.failure_threshold = 2, .cool_down = seconds(5), .jitter = 0}});
  base::Atomic<bool> broken{true};  // publishes nothing but itself
  const Jobs jobs{
      job("shaky", [&](const base::StopToken&, base::Deadline) -> TestStrategy::Proposed {
        if (broken.load()) return base::unavailable("down");
        return std::vector<Candidate>{};
      })};
  EXPECT_EQ(run(jobs).at(0).how, How::kFailed);
  EXPECT_EQ(run(jobs).at(0).how, How::kFailed);
  const auto skipped = run(jobs).at(0);
  EXPECT_EQ(skipped.how, How::kSkipped);
  EXPECT_EQ(skipped.remark, "it failed too often; it will be tried again later");
  broken.store(false);
  clock_.advance(seconds(5));
  EXPECT_EQ(run(jobs).at(0).how, How::kProposed);
  EXPECT_EQ(circuit("shaky").state, base::CircuitState::kClosed);
}

TEST_F(ExecutorTest, RunsAtMostSoManyOfAnAssemblyAtATime) {
  make({.max_workers = 2});
  base::Guarded<std::pair<int, int>> running;  // now, most
  Jobs jobs;
  for (int i = 0; i < 12; ++i) {
    jobs.push_back(job("s" + std::to_string(i), [&](const base::StopToken&, base::Deadline) {
      running.with([](auto& r) { r.second = std::max(r.second, ++r.first); });
      std::this_thread::yield();
      running.with([](auto& r) { --r.first; });
      return std::vector<Candidate>{};
    }));
  }
  for (const auto& outcome : run(jobs)) EXPECT_EQ(outcome.how, How::kProposed);
  EXPECT_LE(running.with([](auto r) { return r.second; }), 2);
}

TEST_F(ExecutorTest, TheNextBeginsWhenOneIsLate) {
  make({.max_workers = 1});
  Door door;
  const auto outcomes = run_past(seconds(2), {hanging("slow", door), proposing("next", "a")}, door);
  EXPECT_EQ(outcomes[0].how, How::kLate);
  EXPECT_EQ(outcomes[1].how, How::kProposed);
  door.open();
}

TEST_F(ExecutorTest, NoWorkersAndNoRunsMeanOne) {
  make({.max_workers = 0, .runs_per_strategy = 0});
  EXPECT_EQ(run({proposing("a", "a")}).at(0).how, How::kProposed);
}

TEST_F(ExecutorTest, TheSameStrategyTwiceTakesItsTurns) {
  const auto outcomes = run({proposing("twin", "a"), proposing("twin", "b")});
  EXPECT_EQ(outcomes[0].candidates.at(0).path, "a");
  EXPECT_EQ(outcomes[1].candidates.at(0).path, "b");
}

TEST_F(ExecutorTest, AStopEndsTheAssemblyAndIsNotAFailure) {
  Door door;
  base::StopSource stop;
  make({.max_workers = 1});
  std::vector<StrategyOutcome> outcomes;
  base::Thread assembly("assembly", [&](const base::StopToken&) {
    outcomes = run({hanging("slow", door), proposing("never", "a")}, stop.token());
  });
  door.await_arrivals(1);
  stop.request_stop();
  assembly.join();
  for (const auto& outcome : outcomes) {
    EXPECT_EQ(outcome.how, How::kSkipped);
    EXPECT_EQ(outcome.remark, "the assembly was stopped");
  }
  EXPECT_EQ(circuit("slow").total_failures, 0U);
  door.open();
}

TEST_F(ExecutorTest, AnotherPlanWaitsForItsTurn) {
  Door door;
  const Jobs jobs{hanging("shared", door)};
  std::vector<StrategyOutcome> first;
  std::vector<StrategyOutcome> second;
  base::Thread one("one", [&](const base::StopToken&) { first = run(jobs); });
  door.await_arrivals(1);
  base::Thread other("other", [&](const base::StopToken&) { second = run(jobs); });
  await_waiters(2);
  door.open();
  one.join();
  other.join();
  EXPECT_EQ(first.at(0).how, How::kProposed);
  EXPECT_EQ(second.at(0).how, How::kProposed);
}

TEST_F(ExecutorTest, AnotherPlanIsNotHeldUpByOneThatHangs) {
  Door door;
  const Jobs jobs{hanging("shared", door)};
  std::vector<StrategyOutcome> first;
  std::vector<StrategyOutcome> second;
  base::Thread one("one", [&](const base::StopToken&) { first = run(jobs); });
  door.await_arrivals(1);
  base::Thread other("other", [&](const base::StopToken&) { second = run(jobs); });
  await_waiters(2);
  clock_.advance(seconds(2));
  one.join();
  other.join();
  EXPECT_EQ(first.at(0).how, How::kLate);
  EXPECT_EQ(second.at(0).how, How::kSkipped);
  EXPECT_EQ(circuit("shared").total_failures, 1U);
  door.open();
}

TEST_F(ExecutorTest, ATurnIsNotAwaitedForEver) {
  make({.deadline = seconds(60), .longest_wait = seconds(10)});
  Door door;
  const Jobs jobs{hanging("shared", door)};
  base::Thread one("one", [&](const base::StopToken&) { (void)run(jobs); });
  door.await_arrivals(1);
  std::vector<StrategyOutcome> second;
  base::Thread other("other", [&](const base::StopToken&) { second = run(jobs); });
  await_waiters(2);
  clock_.advance(seconds(10));
  other.join();
  EXPECT_EQ(second.at(0).how, How::kSkipped);
  EXPECT_EQ(second.at(0).remark, "other plans were using it for too long");
  door.open();
  one.join();
}

TEST_F(ExecutorTest, AWaitForATurnCanBeStopped) {
  Door door;
  const Jobs jobs{hanging("shared", door)};
  base::Thread one("one", [&](const base::StopToken&) { (void)run(jobs); });
  door.await_arrivals(1);
  base::StopSource stop;
  std::vector<StrategyOutcome> second;
  base::Thread other("other", [&](const base::StopToken&) { second = run(jobs, stop.token()); });
  await_waiters(2);
  stop.request_stop();
  other.join();
  EXPECT_EQ(second.at(0).remark, "the assembly was stopped");
  door.open();
  one.join();
  EXPECT_EQ(run(jobs).at(0).how, How::kProposed);
}

TEST_F(ExecutorTest, SeveralRunsOfAStrategyIfSoConfigured) {
  make({.runs_per_strategy = 2});
  Door door;
  const Jobs jobs{hanging("twice", door), hanging("twice", door)};
  base::Thread assembly("assembly", [&](const base::StopToken&) { (void)run(jobs); });
  door.await_arrivals(2);
  door.open();
}

TEST_F(ExecutorTest, TheDestructorDoesNotWaitForALostRun) {
  Door door;
  std::optional<base::SimulatedClock> clock(std::in_place);
  std::optional<base::SeededRandom> random(std::in_place, 1);
  base::Monitor<bool> late;
  {
    auto executor = ParallelStrategyExecutor::make(*clock, *random, {.deadline = seconds(2)});
    const Jobs jobs{job("deaf", [&, door](const base::StopToken&, base::Deadline deadline) {
      door.pass();
      late.update([&](bool& is) { is = deadline.passed(); });
      return std::vector<Candidate>{};
    })};
    base::Thread assembly("assembly",
                          [&](const base::StopToken&) { (void)executor->run({}, jobs, {}); });
    door.await_arrivals(1);
    while (clock->waiters() == 0) std::this_thread::yield();
    clock->advance(seconds(2));
  }
  clock.reset();
  random.reset();
  door.open();
  EXPECT_TRUE(late.wait({}, base::Deadline::never(), [](bool is) { return is; }).ok());
}

TEST_F(ExecutorTest, SurvivesAFailingSelfDescription) {
  class Nameless final : public Strategy {
   public:
    explicit Nameless(bool standard) : standard_(standard) {}
    [[nodiscard]] std::string_view name() const override {
      if (standard_) throw std::runtime_error("no name");
      throw 7;
    }
    [[nodiscard]] double quality() const override { return 1; }
    [[nodiscard]] double confidence(const Question&) const override { return 1; }
    [[nodiscard]] base::Result<std::vector<Candidate>> propose(const Question&, std::size_t,
                                                               const base::StopToken&,
                                                               base::Deadline) override {
      return std::vector<Candidate>{};
    }

   private:
    const bool standard_;
  };
  const auto outcomes = run({{std::make_shared<Nameless>(true)},
                             {std::make_shared<Nameless>(false)},
                             {nullptr},
                             proposing("good", "a")});
  EXPECT_EQ(outcomes[0].remark, "it threw: no name");
  EXPECT_EQ(outcomes[1].remark, "it threw an unknown exception");
  EXPECT_EQ(outcomes[2].remark, "there is no strategy");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(outcomes[i].how, How::kFailed);
  EXPECT_EQ(outcomes[3].how, How::kProposed);
}

TEST_F(ExecutorTest, ExecutorsOfTheSameLanesShareThreadsButNoCircuits) {
  const auto lanes = make_strategy_lanes();
  base::Guarded<std::set<pid_t>> threads;
  const Jobs jobs = {job("same",
                         [&](const base::StopToken&, base::Deadline) {
                           threads.with([](auto& ids) { ids.insert(::gettid()); });
                           return std::vector{Candidate{.path = "a", .relevance = 0.5}};
                         }),
                     failing("shaky")};
  const auto other = ParallelStrategyExecutor::make(clock_, random_, kOptions, lanes);
  {
    const auto one = ParallelStrategyExecutor::make(clock_, random_, kOptions, lanes);
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(one->run({}, jobs)[0].how, How::kProposed);
    }
    EXPECT_EQ(one->circuits().circuit("shaky")->view().state, base::CircuitState::kOpen);
    EXPECT_EQ(other->run({}, jobs)[1].how, How::kFailed);
    EXPECT_EQ(threads.with([](const auto& ids) { return ids.size(); }), 1U);
  }
  EXPECT_EQ(other->run({}, jobs)[0].how, How::kProposed);
}

TEST_F(ExecutorTest, NamesThatNeverEndCostNoThreadEach) {
  Jobs jobs;
  for (int i = 0; i < 300; ++i) jobs.push_back(proposing("n" + std::to_string(i), "a"));
  const auto outcomes = run(jobs);
  EXPECT_EQ(outcomes.front().how, How::kProposed);
  EXPECT_EQ(outcomes.back().how, How::kSkipped);
  EXPECT_EQ(outcomes.back().remark, "there are too many strategies");
}

}  // namespace
}  // namespace clever::context

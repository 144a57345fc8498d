#include "worker/async_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "base/monitor.h"
#include "base/thread_pool.h"
#include "worker/testing/model_store.h"

namespace clever::worker {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AsyncWorkerTest : public ::testing::Test {
 protected:
  void start(AsyncWorker::Handler handler, AsyncWorker::Options options = {}) {
    worker_.emplace(store_, pool_, timers_, clock_, std::move(handler), options);
  }
  // Completes whatever comes.
  void start() {
    start([](const Job&, const base::StopToken&, Finish finish) { finish({}); });
  }
  // Keeps what comes until the test says how it ends.
  void start_keeping(AsyncWorker::Options options = {}) {
    start(
        [this](const Job& job, const base::StopToken& stop, Finish finish) {
          kept_.update([&](auto& kept) {
            kept.push_back(std::make_unique<Kept>(job.lease, stop, std::move(finish)));
          });
        },
        options);
  }
  template <class P>
  void wait_for(P predicate) {
    // The model has no monitor: every answer and every ending passes through this thread's turn.
    while (!store_.with(predicate)) settle_down();
  }
  // Lets the pools do something.
  void settle_down() {
    for (base::ThreadPool* pool : {&answers_, &pool_}) {
      base::Monitor<bool> done;
      pool->post([&] { done.update([](bool& d) { d = true; }); }).value();
      done.wait({}, base::Deadline::never(), [](bool d) { return d; }).value();
    }
  }
  std::unique_ptr<Finish> take_kept() {
    std::unique_ptr<Kept> one;
    kept_
        .update_when(
            {}, [](const auto& kept) { return !kept.empty(); },
            [&](auto& kept) {
              one = std::move(kept.front());
              kept.erase(kept.begin());
            })
        .value();
    stop_ = one->stop;
    lease_ = one->lease;
    return std::make_unique<Finish>(std::move(one->finish));
  }

  struct Kept {
    Lease lease;
    base::StopToken stop;
    Finish finish;
  };

  base::SimulatedClock clock_;
  base::ThreadPool answers_{{.name = "answers", .threads = 1}};
  base::ThreadPool pool_{{.name = "work", .threads = 2}};
  base::TimerQueue timers_{clock_};
  internal::ModelStore store_{answers_};
  base::Monitor<std::vector<std::unique_ptr<Kept>>> kept_;
  base::StopToken stop_;
  Lease lease_;
  std::optional<AsyncWorker> worker_;
};

TEST_F(AsyncWorkerTest, RunsAndCompletesEveryJob) {
  for (int i = 1; i <= 2000; ++i) store_.add(i);
  start();
  wait_for([](const auto& f) { return f.completed.size() == 2000; });
  store_.with([](const auto& f) {
    for (const auto& [id, times] : f.completed) EXPECT_EQ(times, 1);
    EXPECT_LE(f.most_claimed, 500U);
    EXPECT_GT(f.most_settled, 1U) << "completions are written in batches";
  });
}

TEST_F(AsyncWorkerTest, AJobThatIsGivenBackRunsAgain) {
  store_.add(1);
  start_keeping();
  take_kept()->give_back();
  const auto again = take_kept();
  (*again)({});
  wait_for([](const auto& f) { return f.completed.size() == 1; });
}

TEST_F(AsyncWorkerTest, WakesForNewWork) {
  start();
  wait_for([](const auto& f) { return f.exchanges > 0; });
  store_.add(1);
  store_.wake();
  wait_for([](const auto& f) { return f.completed.size() == 1; });
}

TEST_F(AsyncWorkerTest, LooksAgainAfterAWakeUp) {
  start();
  wait_for([](const auto& f) { return f.exchanges > 0; });
  settle_down();
  store_.add(1);
  clock_.advance(std::chrono::minutes{1});
  wait_for([](const auto& f) { return f.completed.size() == 1; });
}

TEST_F(AsyncWorkerTest, LooksForMoreWhileAJobTakesItsTime) {
  store_.add(1);
  start_keeping();
  auto finish = take_kept();
  settle_down();
  const auto before = store_.with([](const auto& f) { return f.exchanges; });
  clock_.advance(milliseconds{20});
  wait_for([&](const auto& f) { return f.exchanges > before; });
  (*finish)({});
}

TEST_F(AsyncWorkerTest, AnErrorFailsTheAttempt) {
  store_.add(1);
  start([](const Job&, const base::StopToken&, Finish finish) {
    finish(base::unavailable("the model does not answer"));
  });
  wait_for([](const auto& f) { return f.failed.size() == 1; });
  store_.with([](const auto& f) {
    EXPECT_EQ(f.failed[0].error, "the model does not answer (unavailable)");
    EXPECT_EQ(f.failed[0].retry_after, std::nullopt);
  });
}

TEST_F(AsyncWorkerTest, AHandlerMayPutAJobOff) {
  store_.add(1);
  start([](const Job&, const base::StopToken&, Finish finish) {
    finish.put_off("later", seconds{7});
  });
  wait_for([](const auto& f) { return f.failed.size() == 1; });
  store_.with([](const auto& f) { EXPECT_EQ(f.failed[0].retry_after, seconds{7}); });
}

TEST_F(AsyncWorkerTest, AnAnswerThatIsDroppedIsAFailure) {
  store_.add(1);
  start([](const Job&, const base::StopToken&, Finish) {});
  wait_for([](const auto& f) { return f.failed.size() == 1; });
}

TEST_F(AsyncWorkerTest, NoMoreThanAllowedRunAtATime) {
  for (int i = 1; i <= 10; ++i) store_.add(i);
  start_keeping({.owner = {}, .buffer = 6, .parallel = 3});
  wait_for([](const auto& f) { return f.running.size() == 6; });
  kept_.wait({}, base::Deadline::never(), [](const auto& kept) { return kept.size() >= 3; })
      .value();
  settle_down();
  EXPECT_THAT(kept_.read([](const auto& kept) { return kept.size(); }), 3U);
  (*take_kept())({});
  wait_for([](const auto& f) { return f.completed.size() == 1; });
  for (int i = 0; i < 9; ++i) (*take_kept())({});
  wait_for([](const auto& f) { return f.completed.size() == 10; });
}

TEST_F(AsyncWorkerTest, AJobThatWaitsLeavesItsSlotToAnother) {
  store_.add(1);
  store_.add(2);
  start_keeping({.owner = {}, .buffer = 1, .parallel = 1, .waiting = 1});
  const auto first = take_kept();
  const Slot slot = first->slot();
  EXPECT_TRUE(slot.give_up());
  const auto second = take_kept();
  EXPECT_FALSE(second->slot().give_up()) << "enough of them wait";
  base::Monitor<bool> again;
  slot.take_again([&] { again.update([](bool& has) { has = true; }); });
  settle_down();
  EXPECT_FALSE(again.read([](bool has) { return has; })) << "the other one has it";
  (*second)({});
  again.wait({}, base::Deadline::never(), [](bool has) { return has; }).value();
  store_.add(3);
  store_.wake();
  settle_down();
  EXPECT_TRUE(kept_.read([](const auto& kept) { return kept.empty(); })) << "no slot is free";
  (*first)({});
  (*take_kept())({});
  wait_for([](const auto& f) { return f.completed.size() == 3; });
}

TEST_F(AsyncWorkerTest, AJobMayEndWithoutItsSlot) {
  store_.add(1);
  store_.add(2);
  start_keeping({.owner = {}, .buffer = 1, .parallel = 1, .waiting = 8});
  const auto first = take_kept();
  EXPECT_TRUE(first->slot().give_up());
  const auto second = take_kept();
  const Slot slot = second->slot();
  first->slot().take_again([] { ADD_FAILURE() << "it had ended"; });
  (*first)({});
  (*second)({});
  EXPECT_TRUE(worker_->drain().ok());
  EXPECT_FALSE(slot.give_up()) << "it has none";
  EXPECT_THAT(store_.with([](const auto& f) { return f.completed; }), SizeIs(2));
}

TEST_F(AsyncWorkerTest, LeasesOfWaitingJobsAreRenewedAndStopsReachThem) {
  store_.add(1);
  start_keeping({.owner = {}, .buffer = 1, .parallel = 1, .waiting = 1});
  const auto finish = take_kept();
  EXPECT_TRUE(finish->slot().give_up());
  const auto before = store_.with([](const auto& f) { return f.renewals; });
  clock_.advance(seconds{10});
  wait_for([&](const auto& f) { return f.renewals == before + 1; });
  settle_down();
  EXPECT_FALSE(stop_.stop_requested());
  const base::StopCallback on_stop(stop_, [&] { finish->give_back(); });
  worker_.reset();
  EXPECT_THAT(store_.with([](const auto& f) { return f.waiting; }), SizeIs(1));
}

TEST_F(AsyncWorkerTest, DrainingGivesBackWhatHasNotStarted) {
  for (int i = 1; i <= 10; ++i) store_.add(i);
  start_keeping({.owner = {}, .parallel = 1});
  auto finish = take_kept();
  const auto impatient = base::Deadline::at(clock_, clock_.now());
  EXPECT_EQ(worker_->drain({}, impatient).error().code(), base::ErrorCode::kDeadlineExceeded);
  EXPECT_FALSE(stop_.stop_requested());
  (*finish)({});
  EXPECT_TRUE(worker_->drain().ok());
  store_.with([](const auto& f) {
    EXPECT_THAT(f.running, IsEmpty());
    EXPECT_THAT(f.waiting, SizeIs(9));
    EXPECT_THAT(f.completed, SizeIs(1));
  });
}

TEST_F(AsyncWorkerTest, ItsEndAsksWhatRunsToStop) {
  store_.add(1);
  start([](const Job&, const base::StopToken& stop, Finish finish) {
    base::Monitor<int> never;
    finish(never.wait(stop, base::Deadline::never(), [](int) { return false; }));
  });
  wait_for([](const auto& f) { return f.running.size() == 1; });
  settle_down();
  worker_.reset();
  EXPECT_THAT(store_.with([](const auto& f) { return f.running.size(); }), 0U);
}

TEST_F(AsyncWorkerTest, LeasesAreRenewed) {
  store_.add(1);
  start_keeping();
  auto finish = take_kept();
  const auto before = store_.with([](const auto& f) { return f.renewals; });
  clock_.advance(seconds{10});
  wait_for([&](const auto& f) { return f.renewals == before + 1; });
  settle_down();
  clock_.advance(seconds{10});
  wait_for([&](const auto& f) { return f.renewals == before + 2; });
  EXPECT_FALSE(stop_.stop_requested());
  (*finish)({});
}

TEST_F(AsyncWorkerTest, WorkWhoseLeaseIsLostIsStoppedAndDoesNotCount) {
  store_.add(1);
  start_keeping();
  auto finish = take_kept();
  store_.with([&](auto& f) { f.running.clear(); });
  base::Monitor<bool> stopped;
  const base::StopCallback on_stop(stop_, [&] { stopped.update([](bool& s) { s = true; }); });
  clock_.advance(seconds{10});
  stopped.wait({}, base::Deadline::never(), [](bool s) { return s; }).value();
  (*finish)({});
  EXPECT_TRUE(worker_->drain().ok());
  EXPECT_THAT(store_.with([](const auto& f) { return f.completed.size(); }), 0U);
}

TEST_F(AsyncWorkerTest, ACancelledJobIsStoppedAndSettled) {
  store_.add(1);
  start_keeping();
  auto finish = take_kept();
  store_.with([&](auto& f) { f.cancelled.insert(lease_); });
  base::Monitor<bool> stopped;
  const base::StopCallback on_stop(stop_, [&] { stopped.update([](bool& s) { s = true; }); });
  store_.tell_cancelled();
  stopped.wait({}, base::Deadline::never(), [](bool s) { return s; }).value();
  EXPECT_TRUE(store_.holds(lease_)) << "it still runs";
  (*finish)({});
  wait_for([](const auto& f) { return f.running.empty(); });
  EXPECT_THAT(store_.with([](const auto& f) { return f.completed.size(); }), 0U);
}

TEST_F(AsyncWorkerTest, ACancelledJobThatHasNotStartedNeverDoes) {
  store_.add(1);
  store_.add(2);
  start_keeping({.owner = {}, .parallel = 1});
  auto finish = take_kept();
  store_.with([](auto& f) { f.cancelled.insert(Lease{JobId{2}, AttemptNumber{1}, std::nullopt}); });
  store_.tell_cancelled();
  wait_for([](const auto& f) { return f.running.size() == 1; });
  (*finish)({});
  wait_for([](const auto& f) { return f.running.empty(); });
  settle_down();
  EXPECT_THAT(kept_.read([](const auto& kept) { return kept.size(); }), 0U);
}

TEST_F(AsyncWorkerTest, WhatCouldNotBeWrittenIsWrittenLater) {
  store_.add(1);
  start_keeping();
  auto finish = take_kept();
  store_.with([](auto& f) { f.errors_to_come = 2; });
  (*finish)({});
  for (int i = 0; i < 2; ++i) {
    wait_for([&](const auto& f) { return f.errors_to_come == 1 - i; });
    settle_down();
    clock_.advance(milliseconds{500});
  }
  wait_for([](const auto& f) { return f.completed.size() == 1; });
}

TEST_F(AsyncWorkerTest, WorkThatCouldNotBeRenewedForALeaseIsStopped) {
  store_.add(1);
  start_keeping({.owner = {}, .lease = seconds{3}, .pause = seconds{1}});
  auto finish = take_kept();
  store_.with([](auto& f) { f.renewal_errors_to_come = 1000; });
  base::Monitor<bool> stopped;
  const base::StopCallback on_stop(stop_, [&] { stopped.update([](bool& s) { s = true; }); });
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(stop_.stop_requested());
    const auto before = store_.with([](const auto& f) { return f.renewals; });
    clock_.advance(seconds{1});
    wait_for([&](const auto& f) { return f.renewals > before; });
    settle_down();
  }
  stopped.wait({}, base::Deadline::never(), [](bool s) { return s; }).value();
  (*finish)({});
}

TEST_F(AsyncWorkerTest, ItsEndDoesNotWaitForAStoreThatIsGone) {
  store_.add(1);
  start_keeping();
  auto finish = take_kept();
  store_.with([](auto& f) { f.errors_to_come = 1'000'000; });
  (*finish)({});
  worker_.reset();
  EXPECT_THAT(store_.with([](const auto& f) { return f.completed.size(); }), 0U);
}

TEST_F(AsyncWorkerTest, AFullExecutorIsTriedAgain) {
  base::ThreadPool narrow{{.name = "narrow", .threads = 1, .queue_limit = 1}};
  for (int i = 1; i <= 20; ++i) store_.add(i);
  base::Monitor<bool> open;
  worker_.emplace(
      store_, narrow, timers_, clock_,
      [&](const Job&, const base::StopToken&, Finish finish) {
        finish(open.wait({}, base::Deadline::never(), [](bool o) { return o; }));
      },
      AsyncWorker::Options{});
  wait_for([](const auto& f) { return f.running.size() == 20; });
  settle_down();
  open.update([](bool& o) { o = true; });
  while (store_.with([](const auto& f) { return f.completed.size() < 20; })) {
    clock_.advance(milliseconds{500});
    settle_down();
  }
  worker_.reset();
}

}  // namespace
}  // namespace clever::worker

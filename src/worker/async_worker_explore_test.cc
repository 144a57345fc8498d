#include <gtest/gtest.h>

#include <deque>
#include <optional>

#include "base/thread_pool.h"
#include "explore/explore.h"
#include "worker/async_worker.h"
#include "worker/testing/model_store.h"

namespace clever::worker {
namespace {

constexpr explore::Options kRandom{.strategy = explore::Strategy::kRandom, .schedules = 500};
constexpr explore::Options kPct{
    .strategy = explore::Strategy::kPct, .schedules = 500, .preemptions = 4};

// Which attempts were begun, and whether their lease held at that moment.
struct Begun {
  void begin(const internal::ModelStore& store, const Lease& lease) {
    if (!store.holds(lease)) without_lease.with([](int& n) { ++n; });
  }
  base::Guarded<int> without_lease;
};

void check_jobs(explore::Run& run, internal::ModelStore& store, const Begun& begun,
                std::size_t jobs) {
  store.with([&](const internal::ModelStore::Facts& f) {
    run.require(f.running.empty(), "a job was lost: no worker runs it or may claim it");
    run.require(f.completed.size() + f.waiting.size() == jobs, "a job vanished");
    for (const auto& [id, times] : f.completed) run.require(times == 1, "a job completed twice");
  });
  run.require(begun.without_lease.with([](int n) { return n; }) == 0,
              "work began on a job that had been given back");
}

// Looks whether it should stop, then begins: in between the job may have been given back.
class NaiveWorker {
 public:
  NaiveWorker(internal::ModelStore& store, Begun& begun) : store_(store), begun_(begun) {}

  void claim() {
    base::Monitor<bool> done;
    store_.exchange("default", {}, Claim{.limit = 2, .owner = {}}, [&](auto result) {
      for (auto& job : result->jobs) jobs_.push_back(job.lease);
      done.update([](bool& d) { d = true; });
    });
    done.wait({}, base::Deadline::never(), [](bool d) { return d; }).value();
  }
  void work() {
    for (const auto& lease : jobs_) {
      if (stopping_.read()) return;
      started_.with([&](auto& started) { started.insert(lease); });
      begun_.begin(store_, lease);
      settle({{lease}, {}, {}});
    }
  }
  void stop() {
    stopping_.write(true);
    std::vector<Lease> unstarted;
    for (const auto& lease : jobs_) {
      if (!started_.with([&](const auto& s) { return s.contains(lease); })) {
        unstarted.push_back(lease);
      }
    }
    if (!unstarted.empty()) settle({{}, {}, unstarted});
  }

 private:
  void settle(Settlement settlement) {
    base::Monitor<bool> done;
    store_.exchange("default", std::move(settlement), std::nullopt,
                    [&](auto) { done.update([](bool& d) { d = true; }); });
    done.wait({}, base::Deadline::never(), [](bool d) { return d; }).value();
  }

  internal::ModelStore& store_;
  Begun& begun_;
  std::vector<Lease> jobs_;
  explore::Racy<bool> stopping_;
  base::Guarded<std::set<Lease>> started_;
};

void naive_stop(explore::Run& run) {
  base::ThreadPool answers{{.name = "answers", .threads = 1}};
  internal::ModelStore store{answers};
  Begun begun;
  store.add(1);
  store.add(2);
  NaiveWorker worker(store, begun);
  worker.claim();
  run.thread("work", [&] { worker.work(); });
  run.thread("stop", [&] { worker.stop(); });
  run.join();
  check_jobs(run, store, begun, 2);
}

void our_stop(explore::Run& run) {
  base::SystemClock clock;
  base::ThreadPool answers{{.name = "answers", .threads = 1}};
  base::ThreadPool pool{{.name = "pool", .threads = 2}};
  base::TimerQueue timers{clock};
  internal::ModelStore store{answers};
  Begun begun;
  for (int id = 1; id <= 3; ++id) store.add(id);
  std::optional<AsyncWorker> worker;
  worker.emplace(
      store, pool, timers, clock,
      [&](const Job& job, const base::StopToken&, Finish finish) {
        begun.begin(store, job.lease);
        finish({});
      },
      AsyncWorker::Options{.owner = {}, .buffer = 2, .parallel = 2});
  run.thread("wake", [&] { store.wake(); });
  run.thread("stop", [&] { worker->drain().value(); });
  run.join();
  worker.reset();
  check_jobs(run, store, begun, 3);
}

// A lease is lost while its work is about to end.
void our_loss(explore::Run& run) {
  base::SystemClock clock;
  base::ThreadPool answers{{.name = "answers", .threads = 1}};
  base::ThreadPool pool{{.name = "pool", .threads = 1}};
  base::TimerQueue timers{clock};
  internal::ModelStore store{answers};
  store.add(1);
  std::optional<AsyncWorker> worker;
  worker.emplace(
      store, pool, timers, clock,
      [&](const Job&, const base::StopToken&, Finish finish) { finish({}); },
      AsyncWorker::Options{.owner = {}, .buffer = 2, .parallel = 2});
  run.thread("thief", [&] {
    store.with([](internal::ModelStore::Facts& f) {
      for (const auto& lease : f.running) f.cancelled.insert(lease);
    });
    store.tell_cancelled();
  });
  run.join();
  worker.reset();
  store.with([&](const internal::ModelStore::Facts& f) {
    run.require(f.running.empty(), "a cancelled job was never settled");
    run.require(f.completed.size() <= 1, "a job completed twice");
  });
}

// Counts the jobs that have a slot.
class Slots {
 public:
  explicit Slots(explore::Run& run) : run_(run) {}
  void take() {
    const int now = taken_.with([](int& taken) { return ++taken; });
    run_.require(now <= 1, "two jobs had the one slot");
  }
  void leave() {
    taken_.with([](int& taken) { --taken; });
  }

 private:
  explore::Run& run_;
  base::Guarded<int> taken_;
};

// One slot: the first job waits for something, others run meanwhile, and it goes on.
void our_wait(explore::Run& run) {
  base::SystemClock clock;
  base::ThreadPool answers{{.name = "answers", .threads = 1}};
  base::ThreadPool pool{{.name = "pool", .threads = 1}};
  base::TimerQueue timers{clock};
  internal::ModelStore store{answers};
  Slots slots(run);
  base::Monitor<std::shared_ptr<Finish>> waiting;
  for (int id = 1; id <= 2; ++id) store.add(id);
  std::optional<AsyncWorker> worker;
  worker.emplace(
      store, pool, timers, clock,
      [&](const Job& job, const base::StopToken&, Finish finish) {
        slots.take();
        slots.leave();
        if (job.lease.id != JobId{1}) return finish({});
        const Slot slot = finish.slot();
        run.require(slot.give_up(), "it kept its slot");
        waiting.update([&](auto& one) { one = std::make_shared<Finish>(std::move(finish)); });
      },
      AsyncWorker::Options{.owner = {}, .buffer = 1, .parallel = 1, .waiting = 1});
  run.thread("limit", [&] {
    waiting.wait({}, base::Deadline::never(), [](const auto& one) { return one != nullptr; })
        .value();
    const auto finish = waiting.read([](const auto& one) { return one; });
    finish->slot().take_again([&slots, finish] {
      slots.take();
      slots.leave();
      (*finish)({});
    });
  });
  run.join();
  worker->drain().value();
  worker.reset();
  store.with([&](const internal::ModelStore::Facts& f) {
    run.require(f.running.empty(), "a job was lost: no worker runs it or may claim it");
    run.require(f.completed.contains(JobId{1}), "the job that waited never ended");
  });
}

TEST(AsyncWorkerExplore, ACheckBeforeTheBeginningIsTooEarly) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(kRandom, naive_stop));
}

TEST(AsyncWorkerExplore, OursBeginsNothingThatItGaveBack) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, our_stop));
  EXPECT_NO_FAILURE(explore::explore(kPct, our_stop));
}

TEST(AsyncWorkerExplore, AWaitingJobHandsItsSlotOnAndGoesOn) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, our_wait));
  EXPECT_NO_FAILURE(explore::explore(kPct, our_wait));
}

TEST(AsyncWorkerExplore, ACancellationMeetsAnEnd) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, our_loss));
  EXPECT_NO_FAILURE(explore::explore(kPct, our_loss));
}

}  // namespace
}  // namespace clever::worker

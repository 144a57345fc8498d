#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/monitor.h"
#include "base/random.h"
#include "base/thread.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "storage/engines.h"
#include "worker/async_worker.h"
#include "worker/job_queue.h"

// Many workers on one database, who complete, fail, give back and forget jobs while time passes and
// leases end.
namespace clever::worker {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr std::size_t kWorkers = 16;
constexpr std::int64_t kJobs = 5000;
constexpr int kKeys = 20;

struct Seen {
  std::set<Lease> claimed;
  std::map<JobId, int> completed;
  std::vector<std::string> wrong;
};

class JobsStressTest : public storage::testing::EngineTest {
 protected:
  JobsStressTest() {
    // Another process would be an engine of its own.
    if (!in_memory()) other_ = database().open();
  }
  storage::Engine& engine_of(std::size_t worker) {
    return other_ && worker % 2 == 1 ? *other_ : engine();
  }

  void enqueue() {
    JobQueue jobs(engine(), clock(), random_);
    for (std::int64_t done = 0; done < kJobs; done += 500) {
      std::vector<NewJob> batch(500);
      for (auto& job : batch) {
        job.max_attempts = 1'000'000;
        job.priority = static_cast<Priority>(random_.below(kPriorities));
        if (random_.below(10) == 0) job.concurrency = std::to_string(random_.below(kKeys));
      }
      jobs.enqueue(batch).value();
    }
  }

  // What one worker does with a batch.
  Settlement decide(const std::vector<Job>& batch) {
    Settlement settlement;
    for (const auto& job : batch) {
      const auto chance = random_.below(100);
      if (chance < 80) {
        settlement.completed.push_back(job.lease);
      } else if (chance < 90) {
        settlement.failed.push_back({job.lease, "by chance", microseconds{random_.below(1000)}});
      } else if (chance < 98) {
        settlement.released.push_back(job.lease);
      }  // else forgotten: its lease will end
    }
    return settlement;
  }

  void note_claim(const std::vector<Job>& batch) {
    seen_.with([&](Seen& seen) {
      for (const auto& job : batch) {
        if (!seen.claimed.insert(job.lease).second) {
          seen.wrong.push_back("an attempt was handed out twice");
        }
      }
    });
  }

  void note_settlement(const Settlement& settlement, const std::vector<Lost>& refused) {
    std::set<Lease> lost;
    for (const auto& one : refused) lost.insert(one.lease);
    seen_.with([&](Seen& seen) {
      for (const auto& lease : settlement.completed) {
        if (!lost.contains(lease)) ++seen.completed[lease.id];
      }
    });
  }

  void check_lanes(storage::Engine& engine) {
    const auto crowded = engine
                             .query(
                                 "SELECT lane FROM job WHERE lane IS NOT NULL AND state IN (1, 4)"
                                 " GROUP BY lane HAVING count(*) > 1")
                             .value();
    if (crowded.empty()) return;
    seen_.with([](Seen& seen) { seen.wrong.emplace_back("two jobs of one key ran at a time"); });
  }

  bool all_done() {
    return seen_.with([](const Seen& seen) { return std::ssize(seen.completed) == kJobs; });
  }

  void work(std::size_t number) {
    JobQueue jobs(engine_of(number), clock(), random_);
    base::Ulid::Bytes name{};
    name.back() = static_cast<std::uint8_t>(number + 1);
    while (!all_done()) {
      const Claim claim{"default", 1 + random_.below(60), model::OwnerId(base::Ulid(name)),
                        seconds{30}};
      const auto batch = jobs.claim(claim).value();
      note_claim(batch);
      check_lanes(engine_of(number));
      const Settlement settlement = decide(batch);
      note_settlement(settlement, jobs.settle("default", settlement).value());
      if (batch.empty() || random_.below(20) == 0) advance(seconds{1});
    }
  }

  std::unique_ptr<storage::Engine> other_;
  base::SeededRandom random_{42};
  base::Guarded<Seen> seen_;
};

TEST_P(JobsStressTest, EveryJobIsCompletedExactlyOnce) {
  enqueue();
  {
    std::vector<std::unique_ptr<base::Thread>> workers;
    for (std::size_t i = 0; i < kWorkers; ++i) {
      workers.push_back(std::make_unique<base::Thread>(
          "worker" + std::to_string(i), [this, i](const base::StopToken&) { work(i); }));
    }
    for (auto& worker : workers) worker->join();
  }
  seen_.with([](const Seen& seen) {
    EXPECT_EQ(std::ssize(seen.completed), kJobs);
    for (const auto& [id, times] : seen.completed) EXPECT_EQ(times, 1);
    EXPECT_THAT(seen.wrong, ::testing::IsEmpty());
    EXPECT_GT(std::ssize(seen.claimed), kJobs) << "some must have been tried again";
  });
  EXPECT_EQ(engine().query("SELECT count(*) FROM job").value()[0].integer(0), 0);
  EXPECT_EQ(engine().query("SELECT count(*) FROM job_lane").value()[0].integer(0), 0);
}

// Four workers, of which one comes and goes.
TEST_P(JobsStressTest, AsyncWorkersShareAQueue) {
  enqueue();
  base::ThreadPool pool({.name = "pool", .threads = 4});
  base::TimerQueue timers(clock());
  JobQueue jobs(engine(), clock(), random_);
  JobQueue others(engine_of(1), clock(), random_);
  base::Monitor<std::map<JobId, int>> answered;  // that the work was done
  const auto handler = [&](const Job& job, const base::StopToken&, Finish finish) {
    if (random_.below(10) == 0) {
      finish.put_off("by chance", microseconds{0});
      return;
    }
    answered.update([&](auto& all) { ++all[job.lease.id]; });
    finish({});
  };
  const auto start = [&](std::uint8_t number) {
    base::Ulid::Bytes name{};
    name.back() = number;
    return std::make_unique<AsyncWorker>(
        number % 2 == 0 ? jobs : others, pool, timers, clock(), handler,
        AsyncWorker::Options{.owner = model::OwnerId(base::Ulid(name)),
                             .lease = std::chrono::hours{24},
                             .buffer = 50});
  };
  std::vector<std::unique_ptr<AsyncWorker>> workers;
  for (std::uint8_t i = 1; i <= 3; ++i) workers.push_back(start(i));
  for (std::uint8_t i = 4; i < 24; ++i) start(i);
  // Time passes for jobs that wait for it, but no lease ends.
  while (jobs.counts("default").value() != Counts{}) advance(std::chrono::milliseconds{1});
  workers.clear();
  answered.read([](const auto& all) {
    EXPECT_EQ(std::ssize(all), kJobs);
    for (const auto& [id, times] : all) EXPECT_EQ(times, 1);
  });
}

CLEVER_ALL_ENGINES(JobsStressTest);

}  // namespace
}  // namespace clever::worker

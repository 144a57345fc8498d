#include <gtest/gtest.h>

#include "base/atomic.h"
#include "base/thread_pool.h"
#include "engine/internal/idle_cache.h"
#include "explore/explore.h"

namespace clever::engine::internal {
namespace {

using explore::Run;
using explore::Strategy;

/// Blocks on one thread; its alarms ring at once.
class HastyScheduler final : public Scheduler {
 public:
  [[nodiscard]] std::unique_ptr<base::Executor> make_strand() override { return nullptr; }
  [[nodiscard]] base::Executor& blocking() override { return pool_; }
  [[nodiscard]] base::Clock& clock() override { return clock_; }
  [[nodiscard]] std::unique_ptr<Alarm> at(base::TimePoint /*due*/, base::Executor& executor,
                                          base::Task&& task) override {
    (void)executor.post(std::move(task));
    return std::make_unique<Alarm>();
  }

 private:
  base::SystemClock clock_;
  base::ThreadPool pool_{{.name = "work", .threads = 1}};
};

struct Seen {
  base::Atomic<int> open;    // how many there are now; publishes nothing else
  base::Atomic<int> opened;  // how often; publishes nothing else
};

/// There must never be two of it.
class Only {
 public:
  Only(Run& run, Seen& seen) : seen_(seen) {
    run.require(seen_.open.fetch_add(1) == 0, "it was open twice at a time");
    seen_.opened.fetch_add(1);
  }
  Only(const Only&) = delete;
  Only& operator=(const Only&) = delete;
  ~Only() {
    is_closed_.store(true);
    seen_.open.fetch_sub(1);
  }
  [[nodiscard]] bool is_closed() const { return is_closed_.load(); }

 private:
  Seen& seen_;
  base::Atomic<bool> is_closed_{false};  // publishes nothing else
};

// What is idle goes at once, so that closing meets every step of those who ask.
void they_come_and_go(Run& run) {
  HastyScheduler scheduler;
  Seen seen;
  {
    IdleCache<Only> cache(
        scheduler, {.idle = base::Duration::zero(), .most_idle = 0},
        [&](const std::string&, const base::StopToken&) {
          return base::Result<std::unique_ptr<Only>>(std::make_unique<Only>(run, seen));
        });
    for (const auto* name : {"one", "other"}) {
      run.thread(name, [&] {
        for (int i = 0; i < 2; ++i) {
          const auto got = cache.get("a");
          run.require(got.ok() && !(*got)->is_closed(), "it was closed while it was used");
        }
      });
    }
    run.join();
  }
  run.require(seen.open.load() == 0, "one was left open");
}

// The last user may go while the end waits for it.
void the_end_waits_for_the_last_user(Run& run) {
  HastyScheduler scheduler;
  Seen seen;
  std::shared_ptr<Only> used;
  {
    IdleCache<Only> cache(
        scheduler, {.idle = base::Duration::zero(), .most_idle = 1},
        [&](const std::string&, const base::StopToken&) {
          return base::Result<std::unique_ptr<Only>>(std::make_unique<Only>(run, seen));
        });
    used = cache.get("a").value();
    run.thread("user", [&] {
      run.require(!used->is_closed(), "it was closed while it was used");
      used.reset();
    });
  }
  run.join();
  run.require(seen.open.load() == 0 && seen.opened.load() == 1, "one was left open");
}

// Both open it when they find it closed.
void they_open_it_naively(Run& run) {
  Seen seen;
  explore::Racy<bool> there;
  for (const auto* name : {"one", "other"}) {
    run.thread(name, [&] {
      if (there.read()) return;
      there.write(true);
      const Only only(run, seen);
    });
  }
  run.join();
}

void keeps_one_open(const std::function<void(Run&)>& body) {
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kRandom, .schedules = 400}, body));
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kPct, .schedules = 400}, body));
}

TEST(IdleCacheExplore, ThereIsOneOfANameAndNoneIsClosedInUse) { keeps_one_open(they_come_and_go); }
TEST(IdleCacheExplore, TheEndWaitsForTheLastUser) {
  keeps_one_open(the_end_waits_for_the_last_user);
}
TEST(IdleCacheExplore, TwoAtATimeAreFound) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore({.strategy = Strategy::kExhaustive}, they_open_it_naively));
}

}  // namespace
}  // namespace clever::engine::internal

#pragma once
#include <cstddef>
#include <memory>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "engine/scheduler.h"

namespace clever::engine {

/// The scheduler of the program: a pool for strands, one for what blocks, a small one for the
/// store, and one thread for all alarms.
///
/// One per process, made by the composition root. Thread-safe. The destructor runs what was
/// accepted and joins; the clock must outlive it.
class ThreadScheduler final : public Scheduler {
 public:
  struct Options {
    /// Of strands; 0: as many as the machine has processors.
    unsigned strands = 0;
    /// Most tools, merges and snapshots at once.
    unsigned blocking = 16;
    unsigned storing = 2;
    std::size_t queue_limit = 262'144;
    std::size_t alarms = 1'000'000;
  };

  explicit ThreadScheduler(base::Clock& clock);
  ThreadScheduler(base::Clock& clock, const Options& options);

  [[nodiscard]] std::unique_ptr<base::Executor> make_strand() override;
  [[nodiscard]] base::Executor& blocking() override { return blocking_; }
  [[nodiscard]] base::Executor& storing() override { return storing_; }
  [[nodiscard]] base::Clock& clock() override { return clock_; }
  [[nodiscard]] std::unique_ptr<Alarm> at(base::TimePoint due, base::Executor& executor,
                                          base::Task&& task) override;

 private:
  base::Clock& clock_;
  base::ThreadPool strands_;
  base::ThreadPool blocking_;
  base::ThreadPool storing_;
  // Last: it hands over to the pools.
  base::TimerQueue timers_;
};

}  // namespace clever::engine

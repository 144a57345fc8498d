#pragma once
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/executor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "base/timer_queue.h"
#include "worker/job_store.h"

namespace clever::worker {

namespace internal {
class WorkerState;
}

/// The slot of an attempt: what it gives to other jobs while it waits for something. A value;
/// thread-safe. After the attempt's end its functions change nothing.
class Slot {
 public:
  Slot(std::shared_ptr<internal::WorkerState> state, const Lease& lease)
      : state_(std::move(state)), lease_(lease) {}

  /// The slot is free for another job; the lease goes on. False: too many attempts wait already, or
  /// this one has lost its job, and it keeps the slot.
  [[nodiscard]] bool give_up() const;
  /// Calls `go` once the attempt has a slot again, which it gets before jobs that have not begun:
  /// at once if one is free, else on any thread. `go` must not block.
  void take_again(std::function<void()> go) const;

 private:
  std::shared_ptr<internal::WorkerState> state_;
  Lease lease_;
};

/// Reports how an attempt ended; once, from any thread. Dropping it without a call fails its
/// attempt.
class [[nodiscard]] Finish {
 public:
  Finish(std::shared_ptr<internal::WorkerState> state, Lease lease);
  Finish(Finish&&) noexcept = default;
  Finish& operator=(Finish&&) = delete;
  ~Finish();

  /// An error fails the attempt: the job is retried later, or is dead.
  void operator()(base::Result<void> result);
  /// The job waits again, at least for so long; lists say why.
  void put_off(std::string why, std::chrono::microseconds delay);
  /// The job waits again, for any worker, and this attempt does not count against it.
  void give_back();

  [[nodiscard]] Slot slot() const { return {state_, lease_}; }

 private:
  std::shared_ptr<internal::WorkerState> state_;
  Lease lease_;
};

/// Runs the jobs of a queue: claims them in batches into a buffer, hands them to an executor, and
/// writes outcomes in batches, together with the next claim. Waits for work without polling. Renews
/// leases at a third of their duration; asks work to stop if its lease was lost or its job was
/// cancelled, and ignores its answer then.
///
/// Owned by the composition root. Thread-safe; no thread of its own. Holds at most `buffer` jobs at
/// a time, of which at most `parallel` are with the handler, and besides at most `waiting` that
/// gave up their slot. The store, the executor, the timers
/// and the clock must outlive it. Retries errors of the store after a pause.
class AsyncWorker {
 public:
  /// Runs on the executor. It may keep `finish` and return before the work is done: a waiting job
  /// needs no thread.
  using Handler = std::function<void(const Job& job, const base::StopToken& stop, Finish finish)>;

  struct Options {
    std::string queue = "default";
    model::OwnerId owner;
    std::chrono::microseconds lease = std::chrono::seconds{30};
    std::size_t buffer = 500;
    std::size_t parallel = 64;
    std::size_t waiting = 0;
    /// The jobs have shares, so that they are not in the order of their arrival: each claim looks
    /// everywhere.
    bool fair = false;
    /// After an error of the store.
    std::chrono::microseconds pause = std::chrono::milliseconds{500};
  };

  AsyncWorker(JobStore& store, base::Executor& executor, base::TimerQueue& timers,
              base::Clock& clock, Handler handler, Options options);
  /// Asks running jobs to stop, returns jobs that have not begun, and waits for both.
  ~AsyncWorker();
  AsyncWorker(const AsyncWorker&) = delete;
  AsyncWorker& operator=(const AsyncWorker&) = delete;

  /// Claims nothing more, and returns jobs that have not begun.
  void stop_claiming();
  /// stop_claiming(), and waits until running jobs have ended and everything is written.
  /// `deadline_exceeded` or `cancelled` if that comes first; it continues to drain.
  base::Result<void> drain(const base::StopToken& stop = {},
                           base::Deadline deadline = base::Deadline::never());

 private:
  std::shared_ptr<internal::WorkerState> state_;
  std::vector<std::unique_ptr<storage::Subscription>> subscriptions_;
};

}  // namespace clever::worker

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

/// Says how an attempt ended; once, from any thread. One that is dropped unsaid fails its attempt.
class [[nodiscard]] Finish {
 public:
  Finish(std::shared_ptr<internal::WorkerState> state, Lease lease);
  Finish(Finish&&) noexcept = default;
  Finish& operator=(Finish&&) = delete;
  ~Finish();

  /// An error fails the attempt: the job is tried again later, or is dead.
  void operator()(base::Result<void> result);
  /// Fails the attempt and says when to try again.
  void retry_after(base::Error error, std::chrono::microseconds delay);
  /// The job waits again, for any worker, and this attempt does not count against it.
  void give_back();

 private:
  std::shared_ptr<internal::WorkerState> state_;
  Lease lease_;
};

/// Runs the jobs of a queue: claims them in batches into a buffer, hands them to an executor, and
/// writes what became of them in batches, together with the next claim. Waits for work without
/// polling. Leases are renewed at a third of their duration; work whose lease was lost, or whose
/// job was cancelled, is asked to stop, and whatever it answers does not count.
///
/// Owned by the composition root. Thread-safe; no thread of its own. At most `buffer` jobs are held
/// at a time, and at most `parallel` of them are with the handler. The store, the executor, the
/// timers and the clock must outlive it. Errors of the store are tried again after a pause.
class AsyncWorker {
 public:
  /// Runs on the executor. It may keep `finish` and return before the work is done: a job that
  /// waits needs no thread.
  using Handler = std::function<void(const Job& job, const base::StopToken& stop, Finish finish)>;

  struct Options {
    std::string queue = "default";
    model::OwnerId owner;
    std::chrono::microseconds lease = std::chrono::seconds{30};
    std::size_t buffer = 500;
    std::size_t parallel = 64;
    /// The jobs have shares, so that they are not in the order of their arrival: each claim looks
    /// everywhere.
    bool fair = false;
    /// After an error of the store.
    std::chrono::microseconds pause = std::chrono::milliseconds{500};
  };

  AsyncWorker(JobStore& store, base::Executor& executor, base::TimerQueue& timers,
              base::Clock& clock, Handler handler, Options options);
  /// Asks what runs to stop, gives back what has not begun, and waits for both.
  ~AsyncWorker();
  AsyncWorker(const AsyncWorker&) = delete;
  AsyncWorker& operator=(const AsyncWorker&) = delete;

  /// Claims nothing more and gives back what has not begun.
  void stop_claiming();
  /// stop_claiming(), and waits until what runs has ended and
  /// all is written down. `deadline_exceeded` or `cancelled` if that comes first; it goes on
  /// draining.
  base::Result<void> drain(const base::StopToken& stop = {},
                           base::Deadline deadline = base::Deadline::never());

 private:
  std::shared_ptr<internal::WorkerState> state_;
  std::vector<std::unique_ptr<storage::Subscription>> subscriptions_;
};

}  // namespace clever::worker

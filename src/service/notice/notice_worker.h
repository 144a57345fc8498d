#pragma once
#include <cstddef>

#include "base/clock.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "model/id.h"
#include "service/models.h"
#include "service/notice/notice_targets.h"
#include "storage/engine.h"
#include "worker/async_worker.h"
#include "worker/job_queue.h"

namespace clever::service {

/// Delivers notices, at least once each: an attempt that fails is made again with growing pauses,
/// and after the last one the notice stays, dead, until a person retries it.
///
/// Owned by a worker of plans. What it is given outlives it. The destructor stops attempts and
/// waits for them.
class NoticeWorker {
 public:
  struct Parts {
    storage::Engine& engine;
    const NoticeTargets& targets;
    /// Its network is used when the first notice goes to an address.
    Models& models;
    base::Clock& clock;
    base::Random& random;
    base::TimerQueue& timers;
    /// Of the leases.
    model::OwnerId owner;
  };
  explicit NoticeWorker(const Parts& parts);

 private:
  void begin(const worker::Job& job, const base::StopToken& stop, worker::Finish finish);

  // Constant after construction.
  const Parts parts_;
  worker::JobQueue jobs_;
  // Those below use those above.
  base::ThreadPool pool_;
  worker::AsyncWorker worker_;
};

}  // namespace clever::service

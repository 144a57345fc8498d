#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "base/guarded.h"
#include "worker/internal/scan_hints.h"
#include "worker/internal/settle.h"
#include "worker/job_queue.h"

namespace clever::worker {

/// What a JobQueue remembers between claims; losing it costs time, never a job.
struct JobQueue::Hints {
  struct State {
    std::map<std::string, internal::ScanHints> queues;
    /// Leases that expired before this (by the database's clock) have been handled.
    std::int64_t swept = 0;
    base::TimePoint sweep_due{};
    base::TimePoint full_sweep_due{};
  };
  base::Guarded<State> state;

  void returned(const std::vector<internal::Returned>& jobs) {
    if (jobs.empty()) return;
    state.with([&](State& s) {
      for (const auto& job : jobs) s.queues[job.queue].returned(job.priority, job.ready);
    });
  }
};

}  // namespace clever::worker

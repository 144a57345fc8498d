#pragma once
#include <chrono>
#include <memory>
#include <vector>

#include "base/executor.h"
#include "base/timer_queue.h"
#include "provider/backend.h"

namespace clever::provider::internal {

/// One event of an attempt, after a delay.
struct AttemptStep {
  std::chrono::milliseconds delay{0};
  Delta delta;
};

/// The course of an attempt: the first byte after a while, the pieces, the end.
struct AttemptPlan {
  std::chrono::milliseconds first_byte{0};
  /// False: it ends before the first byte.
  bool begins = true;
  std::vector<AttemptStep> steps{};
  AttemptEnd end;
};

/// Plays a plan to a sink on `executor`. The sink gets its on_end() in every case, at the latest
/// when the timers or the executor are destroyed; on cancel() at once, on the canceller's thread
/// unless a callback is running.
[[nodiscard]] std::unique_ptr<Attempt> start_attempt(AttemptPlan plan,
                                                     std::shared_ptr<AttemptSink> sink,
                                                     base::TimerQueue& timers,
                                                     base::Executor& executor);

}  // namespace clever::provider::internal

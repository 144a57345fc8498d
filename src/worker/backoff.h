#pragma once
#include <chrono>

#include "base/random.h"
#include "worker/job.h"

namespace clever::worker {

/// How long a job waits after a failed attempt: longer each time, up to a limit, and never exactly
/// as long as another that failed at the same moment. A value.
struct Backoff {
  std::chrono::microseconds initial = std::chrono::seconds{1};
  std::chrono::microseconds limit = std::chrono::hours{1};
  double factor = 2;
  /// The share of the wait that is left to chance.
  double jitter = 0.5;

  [[nodiscard]] std::chrono::microseconds after(Attempt attempt, base::Random& random) const;
};

}  // namespace clever::worker

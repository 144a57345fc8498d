#pragma once
#include <chrono>

#include "base/random.h"
#include "worker/job.h"

namespace clever::worker {

/// How long a job waits after a failed attempt: longer each time, up to a limit, and randomised, so
/// that jobs that failed together do not return together. A value.
struct Backoff {
  std::chrono::microseconds initial = std::chrono::seconds{1};
  std::chrono::microseconds limit = std::chrono::hours{1};
  double factor = 2;
  /// The random share of the wait.
  double jitter = 0.5;

  [[nodiscard]] std::chrono::microseconds after(AttemptNumber attempt, base::Random& random) const;
};

}  // namespace clever::worker

#include "worker/backoff.h"

#include <algorithm>
#include <cmath>

namespace clever::worker {

std::chrono::microseconds Backoff::after(AttemptNumber attempt, base::Random& random) const {
  const auto exponent = static_cast<double>(std::max<std::int64_t>(number(attempt), 1) - 1);
  const double wished = static_cast<double>(initial.count()) * std::pow(factor, exponent);
  const double longest = std::min(wished, static_cast<double>(limit.count()));
  const double waited = longest * (1 - jitter * random.uniform());
  return std::chrono::microseconds{static_cast<std::int64_t>(waited)};
}

}  // namespace clever::worker

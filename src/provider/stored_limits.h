#pragma once
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "provider/governor/shared_limits.h"
#include "storage/rate_limits.h"

namespace clever::provider {

/// The limits shared by all processes on one store: slots are taken in runs, one write per run.
///
/// Thread-safe. The engine and the clock must outlive it and its pending answers.
class StoredLimits final : public SharedLimits {
 public:
  StoredLimits(storage::Engine& engine, base::Clock& clock) : rows_(engine), clock_(clock) {}

  void lease(const LaneKey& lane, const PerMetered<std::int64_t>& wanted, Done done) override;
  void report(const LaneKey& lane, const LaneNews& news) override;

 private:
  void learn(const LaneKey& lane, const PerMetered<std::optional<RateLimit>>& rates);

  storage::RateLimits rows_;
  base::Clock& clock_;
};

}  // namespace clever::provider

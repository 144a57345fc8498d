#pragma once
#include <map>
#include <memory>

#include "base/clock.h"
#include "base/guarded.h"
#include "provider/governor/shared_limits.h"
#include "storage/rate_limits.h"

namespace clever::provider {

/// The limits that all processes on one store share: slots are taken in runs, one write per run.
///
/// Thread-safe. The engine and the clock must outlive it and the answers on their way.
class StoredLimits final : public SharedLimits {
 public:
  StoredLimits(storage::Engine& engine, base::Clock& clock)
      : rows_(engine), clock_(clock), told_(std::make_shared<Told>()) {}

  void lease(const LaneKey& lane, const PerMetered<std::int64_t>& wanted, Done done) override;
  void report(const LaneKey& lane, const LaneNews& news) override;

 private:
  using Rates = PerMetered<std::optional<RateLimit>>;
  // What this process has told the store of each lane: the same again is no news.
  using Told = base::Guarded<std::map<LaneKey, Rates>>;

  void learn(const LaneKey& lane, const Rates& rates);

  storage::RateLimits rows_;
  base::Clock& clock_;
  // Shared with the answers on their way.
  const std::shared_ptr<Told> told_;
};

}  // namespace clever::provider

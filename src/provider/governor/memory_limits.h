#pragma once
#include <map>

#include "base/clock.h"
#include "base/guarded.h"
#include "provider/governor/shared_limits.h"

namespace clever::provider {

/// SharedLimits of several governors in one process: for tests, and as the model of a store.
///
/// Thread-safe; the clock must outlive it. Never fails.
class MemoryLimits final : public SharedLimits {
 public:
  explicit MemoryLimits(base::Clock& clock) : clock_(clock) {}

  void lease(const LaneKey& lane, const PerMetered<std::int64_t>& wanted, Done done) override;
  void report(const LaneKey& lane, const LaneNews& news) override;

  /// The number of leases so far.
  [[nodiscard]] std::int64_t leases() const;

 private:
  struct Row {
    bool known = false;
    PerMetered<std::optional<RateLimit>> rates{};
    PerMetered<base::TimePoint> next{};
    base::TimePoint paused_until{};
    std::optional<std::int64_t> window{};
  };
  struct Rows {
    std::map<LaneKey, Row> lanes;
    std::int64_t leases = 0;
  };
  static Lease take(Row& row, const PerMetered<std::int64_t>& wanted, base::TimePoint now);

  // Constant after construction.
  base::Clock& clock_;
  base::Guarded<Rows> rows_;
};

}  // namespace clever::provider

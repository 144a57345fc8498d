#pragma once
#include <algorithm>
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

inline Lease MemoryLimits::take(Row& row, const PerMetered<std::int64_t>& wanted,
                                base::TimePoint now) {
  Lease lease{row.known, row.rates, {}, row.paused_until, row.window};
  if (!row.known) {
    lease.runs[0] = take_slots(row.next[0], cold_pace(), 1, now);
    return lease;
  }
  for (std::size_t i = 0; i < kMeteredKinds; ++i) {
    if (!row.rates[i] || wanted[i] <= 0) continue;
    lease.runs[i] = take_slots(row.next[i], Pace::of(*row.rates[i]), wanted[i], now);
  }
  return lease;
}

inline void MemoryLimits::lease(const LaneKey& lane, const PerMetered<std::int64_t>& wanted,
                                Done done) {
  const base::TimePoint now = clock_.now();
  done(rows_.with([&](Rows& rows) {
    ++rows.leases;
    return take(rows.lanes[lane], wanted, now);
  }));
}

inline void MemoryLimits::report(const LaneKey& lane, const LaneNews& news) {
  rows_.with([&](Rows& rows) {
    Row& row = rows.lanes[lane];
    row.known = row.known || news.known;
    for (std::size_t i = 0; i < kMeteredKinds; ++i) {
      if (news.rates[i]) row.rates[i] = news.rates[i];
    }
    if (news.window) row.window = news.window;
    if (news.paused_until) row.paused_until = std::max(row.paused_until, *news.paused_until);
  });
}

inline std::int64_t MemoryLimits::leases() const {
  return rows_.with([](const Rows& rows) { return rows.leases; });
}

}  // namespace clever::provider

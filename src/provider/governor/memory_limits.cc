#include "provider/governor/memory_limits.h"

#include <algorithm>

namespace clever::provider {

Lease MemoryLimits::take(Row& row, const PerMetered<std::int64_t>& wanted, base::TimePoint now) {
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

void MemoryLimits::lease(const LaneKey& lane, const PerMetered<std::int64_t>& wanted, Done done) {
  const base::TimePoint now = clock_.now();
  done(rows_.with([&](Rows& rows) {
    ++rows.leases;
    return take(rows.lanes[lane], wanted, now);
  }));
}

void MemoryLimits::report(const LaneKey& lane, const LaneNews& news) {
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

std::int64_t MemoryLimits::leases() const {
  return rows_.with([](const Rows& rows) { return rows.leases; });
}

}  // namespace clever::provider

#include "provider/stored_limits.h"

#include <vector>

namespace clever::provider {
namespace {

using storage::RateLimits;
using storage::RateRow;

RateRow row(std::size_t unit, const std::optional<RateLimit>& rate) {
  RateRow row{.unit = static_cast<std::int64_t>(unit)};
  if (!rate) return row;
  const Pace pace = Pace::of(*rate);
  row.amount = rate->limit;
  row.span = rate->window;
  row.pace = pace.interval;
  row.grace = pace.grace;
  return row;
}

RateRow unknown() {
  const Pace pace = cold_pace();
  return {.unit = 0, .span = pace.interval, .pace = pace.interval, .grace = pace.grace};
}

// Stored beside the meters, in the same table. A reader that does not know this row ignores it:
// units from a database are checked.
constexpr auto kWindowUnit = static_cast<std::int64_t>(kMeteredKinds);

bool is_metered(const RateRow& row) {
  return row.unit >= 0 && static_cast<std::size_t>(row.unit) < kMeteredKinds;
}

std::optional<RateLimit> rate_of(const RateRow& row) {
  if (row.amount.value_or(0) <= 0) return std::nullopt;
  return RateLimit{*row.amount, row.span};
}

// `now` was read after the database reported its time, so that relative times come out late rather
// than early.
Lease lease_of(const RateLimits::Taken& taken, base::TimePoint now) {
  Lease lease{.known = taken.known};
  for (const RateLimits::Taken::Run& run : taken.runs) {
    if (!is_metered(run.row)) continue;
    const auto unit = static_cast<std::size_t>(run.row.unit);
    lease.rates[unit] = rate_of(run.row);
    lease.runs[unit] = {now + run.first, run.row.pace, run.row.grace, run.count};
  }
  for (const RateRow& other : taken.others) {
    if (other.unit == kWindowUnit) lease.window = other.amount;
    if (is_metered(other)) lease.rates[static_cast<std::size_t>(other.unit)] = rate_of(other);
  }
  if (taken.paused.count() > 0) lease.paused_until = now + taken.paused;
  return lease;
}

}  // namespace

void StoredLimits::lease(const LaneKey& lane, const PerMetered<std::int64_t>& wanted, Done done) {
  std::vector<RateLimits::Wanted> all;
  for (std::size_t unit = 0; unit < kMeteredKinds; ++unit) {
    all.push_back({static_cast<std::int64_t>(unit), wanted[unit]});
  }
  rows_.take(lane.text(), unknown(), all,
             [done = std::move(done), &clock = clock_](base::Result<RateLimits::Taken> taken) {
               if (!taken.ok()) return done(std::move(taken).error());
               done(lease_of(*taken, clock.now()));
             });
}

void StoredLimits::report(const LaneKey& lane, const LaneNews& news) {
  if (news.known) learn(lane, news.rates);
  if (news.window) {
    rows_.learn(lane.text(), {{.unit = kWindowUnit, .amount = news.window}},
                [](const base::Result<void>&) {});
  }
  if (!news.paused_until) return;
  const base::Duration length = *news.paused_until - clock_.now();
  if (length > base::Duration::zero()) rows_.pause(lane.text(), length, [](base::Result<void>) {});
}

void StoredLimits::learn(const LaneKey& lane, const PerMetered<std::optional<RateLimit>>& rates) {
  std::vector<RateRow> rows;
  for (std::size_t unit = 0; unit < kMeteredKinds; ++unit) rows.push_back(row(unit, rates[unit]));
  rows_.learn(lane.text(), rows, [](const base::Result<void>&) {});
}

}  // namespace clever::provider

#include "storage/rate_limits.h"

#include <algorithm>
#include <array>

#include "storage/row_digest.h"

namespace clever::storage {
namespace {

using std::chrono::nanoseconds;

// clever_now() counts microseconds; all values here are nanoseconds.
constexpr std::int64_t kNone = -1;
constexpr std::int64_t kUnknown = 0;

constexpr Sql kEnsureLane =
    "INSERT INTO rate_lane (lane, paused, leases) VALUES ($1, 0, 0) ON CONFLICT (lane) DO NOTHING";
constexpr Sql kEnterLane =
    "UPDATE rate_lane SET leases = leases + 1 WHERE lane = $1 "
    "RETURNING clever_now() * 1000, paused";
constexpr Sql kEnsureUnknown =
    "INSERT INTO rate_limit (lane, unit, amount, span, pace, grace, next, digest) "
    "SELECT $1, $2, 0, $3, $4, $5, 0, $6 "
    "WHERE NOT EXISTS (SELECT 1 FROM rate_limit WHERE lane = $1)";

// Takes $3 slots, or one if the limit is unknown. A next slot more than an hour ahead means that
// the clock was set back, and starts anew.
constexpr Sql kTakePlace{
    "UPDATE rate_limit SET next = CASE WHEN next > clever_now() * 1000 + 3600000000000 "
    "THEN clever_now() * 1000 ELSE max(next, clever_now() * 1000 - grace) END "
    "+ pace * CASE WHEN amount = 0 THEN 1 ELSE $3 END "
    "WHERE lane = $1 AND unit = $2 AND (amount = 0 OR (amount > 0 AND $3 > 0)) "
    "RETURNING unit, amount, span, pace, grace, next, CASE WHEN amount = 0 THEN 1 ELSE $3 END",
    "UPDATE rate_limit SET next = CASE WHEN next > clever_now() * 1000 + 3600000000000 "
    "THEN clever_now() * 1000 ELSE greatest(next, clever_now() * 1000 - grace) END "
    "+ pace * CASE WHEN amount = 0 THEN 1 ELSE $3 END "
    "WHERE lane = $1 AND unit = $2 AND (amount = 0 OR (amount > 0 AND $3 > 0)) "
    "RETURNING unit, amount, span, pace, grace, next, CASE WHEN amount = 0 THEN 1 ELSE $3 END"};
constexpr Sql kAllLimits =
    "SELECT unit, amount, span, pace, grace FROM rate_limit WHERE lane = $1 ORDER BY unit";

constexpr Sql kLearnLimit =
    "INSERT INTO rate_limit (lane, unit, amount, span, pace, grace, next, digest) "
    "VALUES ($1, $2, $3, $4, $5, $6, 0, $7) ON CONFLICT (lane, unit) DO UPDATE SET "
    "amount = excluded.amount, span = excluded.span, pace = excluded.pace, grace = excluded.grace, "
    "digest = excluded.digest "
    "WHERE excluded.amount > 0 OR rate_limit.amount = 0";

constexpr Sql kPauseLane{
    "UPDATE rate_lane SET paused = max(paused, clever_now() * 1000 + $2) WHERE lane = $1",
    "UPDATE rate_lane SET paused = greatest(paused, clever_now() * 1000 + $2) WHERE lane = $1"};

Blob limit_digest(const std::string& lane, const RateRow& row, std::int64_t amount) {
  return row_digest(std::array<Value, 6>{lane, row.unit, amount, row.span.count(), row.pace.count(),
                                         row.grace.count()});
}

RateRow row_of(const Row& row) {
  const std::int64_t amount = row.integer(1);
  return {.unit = row.integer(0),
          .amount = amount == kNone ? std::nullopt : std::optional(amount),
          .span = nanoseconds(row.integer(2)),
          .pace = nanoseconds(row.integer(3)),
          .grace = nanoseconds(row.integer(4))};
}

RateLimits::Taken::Run run_of(const Row& row, std::int64_t now) {
  const std::int64_t count = row.integer(6);
  const std::int64_t first = row.integer(5) - row.integer(3) * count;
  return {row_of(row), nanoseconds(first - now), count};
}

// Where the outcomes of a unit made by take() stand.
struct Places {
  std::size_t lane = 0;
  std::vector<std::size_t> runs{};
  std::size_t all = 0;
};

RateLimits::Taken read(const Receipt& receipt, const Places& places) {
  RateLimits::Taken taken;
  const Row lane = receipt.outcomes[places.lane].rows[0];
  const std::int64_t now = lane.integer(0);
  taken.paused = nanoseconds(lane.integer(1) - now);
  for (const std::size_t place : places.runs) {
    for (const Row& row : receipt.outcomes[place].rows) taken.runs.push_back(run_of(row, now));
  }
  for (const Row& row : receipt.outcomes[places.all].rows) {
    const RateRow other = row_of(row);
    taken.known = taken.known || other.amount != kUnknown;
    const auto is_same = [&](const RateLimits::Taken::Run& run) {
      return run.row.unit == other.unit;
    };
    if (std::ranges::none_of(taken.runs, is_same)) taken.others.push_back(other);
  }
  return taken;
}

}  // namespace

void RateLimits::take(const std::string& lane, const RateRow& unknown,
                      const std::vector<Wanted>& wanted, Done done) {
  UnitOfWork unit;
  Places places;
  unit.run(kEnsureLane, lane);
  places.lane = unit.run(kEnterLane, lane);
  unit.run(kEnsureUnknown, lane, unknown.unit, unknown.span.count(), unknown.pace.count(),
           unknown.grace.count(), limit_digest(lane, unknown, kUnknown));
  for (const Wanted& each : wanted)
    places.runs.push_back(unit.run(kTakePlace, lane, each.unit, each.count));
  places.all = unit.run(kAllLimits, lane);
  engine_.submit(std::move(unit), [places = std::move(places),
                                   done = std::move(done)](base::Result<Receipt> receipt) {
    if (!receipt.ok()) return done(std::move(receipt).error());
    done(read(*receipt, places));
  });
}

namespace {

Engine::Done reporting(std::function<void(base::Result<void>)> done) {
  return [done = std::move(done)](base::Result<Receipt> receipt) {
    done(receipt.ok() ? base::Result<void>() : base::Result<void>(std::move(receipt).error()));
  };
}

}  // namespace

void RateLimits::learn(const std::string& lane, const std::vector<RateRow>& rows,
                       std::function<void(base::Result<void>)> done) {
  UnitOfWork unit;
  unit.run(kEnsureLane, lane);
  unit.run(kEnterLane, lane);
  for (const RateRow& row : rows) {
    const std::int64_t amount = row.amount.value_or(kNone);
    unit.run(kLearnLimit, lane, row.unit, amount, row.span.count(), row.pace.count(),
             row.grace.count(), limit_digest(lane, row, amount));
  }
  engine_.submit(std::move(unit), reporting(std::move(done)));
}

void RateLimits::pause(const std::string& lane, nanoseconds length,
                       std::function<void(base::Result<void>)> done) {
  UnitOfWork unit;
  unit.run(kEnsureLane, lane);
  unit.run(kPauseLane, lane, length.count());
  engine_.submit(std::move(unit), reporting(std::move(done)));
}

}  // namespace clever::storage

#include "provider/governor/rate_limit.h"

#include <algorithm>

namespace clever::provider {
namespace {

// Slots may be used late by one part in this many of the window: the length of bursts after a rest.
constexpr int kGraceParts = 16;
// How much longer the network may take for one request than for another.
constexpr base::Duration kJitter = std::chrono::milliseconds(250);

}  // namespace

RateLimit stricter(const RateLimit& a, const RateLimit& b) noexcept {
  const double per_tick_a = static_cast<double>(a.limit) / static_cast<double>(a.window.count());
  const double per_tick_b = static_cast<double>(b.limit) / static_cast<double>(b.window.count());
  return per_tick_b < per_tick_a ? b : a;
}

Pace Pace::of(const RateLimit& rate) noexcept {
  const base::Duration grace = rate.window / kGraceParts;
  const base::Duration whole = rate.window + grace + std::min(grace, kJitter);
  const std::int64_t limit = std::max<std::int64_t>(rate.limit, 1);
  return {base::Duration((whole.count() + limit - 1) / limit), grace};
}

Pace cold_pace() noexcept { return {std::chrono::seconds(1), std::chrono::seconds(1)}; }

SlotRun take_slots(base::TimePoint& next, const Pace& pace, std::int64_t count,
                   base::TimePoint now) noexcept {
  const SlotRun run{std::max(next, now - pace.grace), pace.interval, pace.grace, count};
  next = run.first + count * pace.interval;
  return run;
}

}  // namespace clever::provider

#include "provider/governor/rate_limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace clever::provider {
namespace {

using namespace std::chrono_literals;
using base::Duration;
using base::TimePoint;

TEST(RateLimitTest, TheStricterIsTheSlower) {
  const RateLimit a_second{4, 1s};
  const RateLimit a_minute{239, 1min};
  EXPECT_EQ(stricter(a_second, a_minute), a_minute);
  EXPECT_EQ(stricter(a_minute, a_second), a_minute);
  EXPECT_EQ(stricter(a_second, a_second), a_second);
}

TEST(RateLimitTest, SlotsThatAreVoidAreSkipped) {
  const Pace pace = Pace::of({60, 1min});
  TimePoint next{};
  const TimePoint now{1h};
  const SlotRun run = take_slots(next, pace, 3, now);
  EXPECT_EQ(run.first, now - pace.grace);
  EXPECT_EQ(run.count, 3);
  EXPECT_EQ(next, run.first + 3 * pace.interval);
  EXPECT_EQ(take_slots(next, pace, 1, now).first, run.first + 3 * pace.interval);
}

TEST(RateLimitTest, ALimitBelowOneIsOne) { EXPECT_GT(Pace::of({0, 1min}).interval, 1min); }

// However the slots are used within their grace, and however the network delays the requests within
// its jitter, no window holds more than the limit.
TEST(RateLimitTest, NoWindowEverHoldsMoreThanTheLimit) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    base::SeededRandom random(seed);
    const RateLimit limit{1 + static_cast<std::int64_t>(random.below(50)),
                          random.below(2) == 0 ? Duration(1s) : Duration(1min)};
    const Pace pace = Pace::of(limit);
    const Duration jitter = std::min<Duration>(pace.grace, 250ms);
    const bool bursts = random.below(2) == 0;
    TimePoint next{};
    TimePoint now{1h};
    std::vector<TimePoint> arrivals;
    for (int i = 0; i < 400; ++i) {
      if (random.below(20) == 0)
        now += Duration(static_cast<Duration::rep>(
            random.below(static_cast<std::uint64_t>(limit.window.count()))));
      const SlotRun run = take_slots(next, pace, 1, now);
      const auto late = [&](Duration most) {
        return Duration(
            static_cast<Duration::rep>(static_cast<double>(most.count()) * random.uniform()));
      };
      const TimePoint earliest = std::max(now, run.first);
      now = bursts
                ? std::max(now, earliest)
                : std::max(earliest, std::min(run.first + run.grace, earliest + late(run.grace)));
      arrivals.push_back(now + late(jitter));
    }
    std::ranges::sort(arrivals);
    const auto size = static_cast<std::size_t>(limit.limit);
    for (std::size_t i = size; i < arrivals.size(); ++i) {
      ASSERT_GE(arrivals[i] - arrivals[i - size], limit.window) << "seed " << seed << " at " << i;
    }
  }
}

}  // namespace
}  // namespace clever::provider

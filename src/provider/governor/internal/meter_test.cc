#include "provider/governor/internal/meter.h"

#include <gtest/gtest.h>

namespace clever::provider::governor {
namespace {

using namespace std::chrono_literals;
using base::TimePoint;

constexpr TimePoint kNow{1h};
constexpr RateLimit kLimit{60, 1min};
const Pace kPace = Pace::of(kLimit);

TEST(MeterTest, WithoutALimitNothingWaits) {
  Meter meter;
  meter.take(1'000'000, kNow);
  EXPECT_FALSE(meter.limited());
  EXPECT_LE(meter.ready_at(), kNow);
}

TEST(MeterTest, SlotsAreAnIntervalApart) {
  Meter meter;
  meter.limit(kLimit);
  int at_once = 0;
  for (; meter.ready_at() <= kNow; ++at_once) meter.take(1, kNow);
  EXPECT_EQ(at_once, 1 + kPace.grace / kPace.interval);
  EXPECT_EQ(meter.ready_at(), kNow - kPace.grace + at_once * kPace.interval);
}

TEST(MeterTest, WhatWasTakenBeforeTheLimitWasKnownCounts) {
  Meter meter;
  meter.take(1, kNow);
  meter.limit(kLimit);
  EXPECT_EQ(meter.ready_at(), kNow + kPace.interval);
}

TEST(MeterTest, ALimitThatGoesIsGone) {
  Meter meter;
  meter.limit(kLimit);
  meter.take(100, kNow);
  meter.limit(std::nullopt);
  EXPECT_LE(meter.ready_at(), kNow);
}

TEST(MeterTest, ManyTokensDelayTheNext) {
  Meter meter;
  meter.limit(kLimit);
  meter.take(30, kNow);
  EXPECT_EQ(meter.ready_at(), kNow - kPace.grace + 30 * kPace.interval);
  meter.give_back(20);
  EXPECT_EQ(meter.ready_at(), kNow - kPace.grace + 10 * kPace.interval);
  meter.give_back(-5);
  EXPECT_EQ(meter.ready_at(), kNow - kPace.grace + 15 * kPace.interval);
}

TEST(MeterTest, AHoldIsKept) {
  Meter meter;
  meter.hold_until(kNow + 5s);
  meter.hold_until(kNow + 3s);
  EXPECT_EQ(meter.ready_at(), kNow + 5s);
  meter.release_hold();
  EXPECT_LE(meter.ready_at(), kNow);
}

Meter leased() {
  Meter meter(Meter::Source::kLeased);
  meter.limit(kLimit);
  return meter;
}
SlotRun run_at(TimePoint first, std::int64_t count) { return {first, 1s, 4s, count}; }

TEST(LeasedMeterTest, NeedsALeaseFirst) {
  EXPECT_EQ(leased().ready_at(), TimePoint::max());
  Meter cold(Meter::Source::kLeased);
  EXPECT_LE(cold.ready_at(), kNow);
  cold.cold(true);
  EXPECT_EQ(cold.ready_at(), TimePoint::max());
}

TEST(LeasedMeterTest, UsesItsSlotsInOrder) {
  Meter meter = leased();
  meter.add(run_at(kNow, 2));
  meter.add(run_at(kNow + 10s, 1));
  EXPECT_EQ(meter.ready_at(), kNow);
  meter.take(1, kNow);
  EXPECT_EQ(meter.ready_at(), kNow + 1s);
  meter.take(1, kNow + 1s);
  EXPECT_EQ(meter.ready_at(), kNow + 10s);
  EXPECT_EQ(meter.stock(), 1);
  meter.take(1, kNow + 10s);
  EXPECT_EQ(meter.ready_at(), TimePoint::max());
}

TEST(LeasedMeterTest, SlotsBecomeVoid) {
  Meter meter = leased();
  meter.add(run_at(kNow, 3));
  meter.add(run_at(kNow + 20s, 3));
  EXPECT_EQ(meter.expire(kNow + 4s), 0);
  EXPECT_EQ(meter.expire(kNow + 4s + 1ms), 1);
  EXPECT_EQ(meter.expire(kNow + 25s + 1ms), 4);
  EXPECT_EQ(meter.stock(), 1);
  EXPECT_EQ(meter.ready_at(), kNow + 22s);
}

TEST(LeasedMeterTest, TokensBeyondTheStockAreOwed) {
  Meter meter = leased();
  meter.add(run_at(kNow, 10));
  meter.take(25, kNow);
  EXPECT_EQ(meter.stock(), -15);
  EXPECT_EQ(meter.ready_at(), TimePoint::max());
  meter.add(run_at(kNow + 10s, 10));
  EXPECT_EQ(meter.ready_at(), TimePoint::max());
  meter.add(run_at(kNow + 20s, 10));
  EXPECT_EQ(meter.stock(), 5);
  EXPECT_EQ(meter.ready_at(), kNow + 25s);
}

TEST(LeasedMeterTest, WhatIsGivenBackMakesADebtSmaller) {
  Meter meter = leased();
  meter.add(run_at(kNow, 10));
  meter.take(30, kNow);
  meter.give_back(15);
  EXPECT_EQ(meter.stock(), -5);
  meter.give_back(15);
  EXPECT_EQ(meter.stock(), 0);
  meter.add(run_at(kNow, 3));
  meter.give_back(15);
  EXPECT_EQ(meter.stock(), 3);
  meter.give_back(-2);
  EXPECT_EQ(meter.stock(), 1);
}

}  // namespace
}  // namespace clever::provider::governor

#include "provider/testing/memory_limits.h"

#include <gtest/gtest.h>

namespace clever::provider {
namespace {

using namespace std::chrono_literals;

class MemoryLimitsTest : public testing::Test {
 protected:
  Lease lease(std::int64_t requests, std::int64_t tokens = 0) {
    Lease got;
    limits_.lease(kLane, {requests, tokens, 0, 0},
                  [&](base::Result<Lease> lease) { got = std::move(lease).value(); });
    return got;
  }
  const LaneKey kLane{"a", "a:key", "m"};
  base::SimulatedClock clock_;
  MemoryLimits limits_{clock_};
};

TEST_F(MemoryLimitsTest, AnUnknownLaneIsMetByOneAtATime) {
  const Lease first = lease(10, 10);
  EXPECT_FALSE(first.known);
  EXPECT_EQ(first.runs[0].count, 1);
  EXPECT_EQ(first.runs[1].count, 0);
  EXPECT_EQ(lease(10).runs[0].first - first.runs[0].first, cold_pace().interval);
}

TEST_F(MemoryLimitsTest, RunsFollowEachOther) {
  limits_.report(kLane, {true, {RateLimit{60, 1min}, RateLimit{6000, 1min}}, {}});
  const Lease first = lease(3, 100);
  EXPECT_TRUE(first.known);
  EXPECT_EQ(first.rates[0], (RateLimit{60, 1min}));
  EXPECT_EQ(first.runs[0].count, 3);
  EXPECT_EQ(first.runs[1].count, 100);
  EXPECT_EQ(lease(1).runs[0].first, first.runs[0].first + 3 * first.runs[0].interval);
}

TEST_F(MemoryLimitsTest, GivesNothingForUnlimitedMeters) {
  limits_.report(kLane, {true, {}, {}});
  EXPECT_TRUE(lease(5, 5).known);
  EXPECT_EQ(lease(5, 5).runs[0].count, 0);
  EXPECT_EQ(limits_.leases(), 2);
}

TEST_F(MemoryLimitsTest, ACallerWithoutALimitDoesNotRemoveIt) {
  limits_.report(kLane, {true, {RateLimit{60, 1min}}, {}});
  limits_.report(kLane, {true, {}, {}});
  EXPECT_EQ(lease(1).rates[0], (RateLimit{60, 1min}));
  limits_.report(kLane, {true, {RateLimit{90, 1min}}, {}});
  EXPECT_EQ(lease(1).rates[0], (RateLimit{90, 1min}));
}

TEST_F(MemoryLimitsTest, TheLongestPauseIsPassedOn) {
  limits_.report(kLane, {false, {}, clock_.now() + 20s});
  limits_.report(kLane, {false, {}, clock_.now() + 10s});
  EXPECT_EQ(lease(1).paused_until, clock_.now() + 20s);
}

}  // namespace
}  // namespace clever::provider

#include "storage/rate_limits.h"

#include <set>

#include "base/guarded.h"
#include "storage/engines.h"
#include "storage/late_answer.h"
#include "support/together.h"

namespace clever::storage {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using Taken = RateLimits::Taken;
using Wanted = RateLimits::Wanted;

class RateLimitsTest : public testing::EngineTest {
 protected:
  static constexpr RateRow kUnknown{.unit = 0, .span = 1s, .pace = 1s, .grace = 1s};
  static constexpr RateRow kFourASecond{
      .unit = 0, .amount = 4, .span = 1s, .pace = 250ms, .grace = 100ms};

  [[nodiscard]] Taken take(const std::vector<Wanted>& wanted) {
    LateAnswer<Taken> answer;
    RateLimits(engine()).take("lane", kUnknown, wanted, answer.taker());
    return answer.wait().value();
  }
  void learn(const std::vector<RateRow>& rows) {
    LateAnswer<void> answer;
    RateLimits(engine()).learn("lane", rows, answer.taker());
    ASSERT_TRUE(answer.wait().ok());
  }
  void pause(nanoseconds length) {
    LateAnswer<void> answer;
    RateLimits(engine()).pause("lane", length, answer.taker());
    ASSERT_TRUE(answer.wait().ok());
  }
};

TEST_P(RateLimitsTest, AnUnknownLaneGivesOneSlotAtATime) {
  const Taken first = take({{0, 50}});
  EXPECT_FALSE(first.known);
  ASSERT_EQ(first.runs.size(), 1U);
  EXPECT_EQ(first.runs[0].count, 1);
  EXPECT_EQ(first.runs[0].first, -1s);
  EXPECT_EQ(take({{0, 50}}).runs[0].first, 0s);
}

TEST_P(RateLimitsTest, RunsFollowEachOther) {
  learn({kFourASecond});
  const Taken first = take({{0, 8}});
  EXPECT_TRUE(first.known);
  ASSERT_EQ(first.runs.size(), 1U);
  EXPECT_EQ(first.runs[0].first, -100ms);
  EXPECT_EQ(first.runs[0].count, 8);
  EXPECT_EQ(first.runs[0].row, kFourASecond);
  EXPECT_EQ(take({{0, 1}}).runs[0].first, -100ms + 8 * 250ms);
}

TEST_P(RateLimitsTest, UnusedSlotsAreGone) {
  learn({kFourASecond});
  static_cast<void>(take({{0, 1}}));
  advance(1min);
  EXPECT_EQ(take({{0, 1}}).runs[0].first, -100ms);
}

TEST_P(RateLimitsTest, WhatWasTakenBeforeALimitWasKnownCounts) {
  static_cast<void>(take({{0, 1}}));
  static_cast<void>(take({{0, 1}}));
  learn({kFourASecond});
  EXPECT_EQ(take({{0, 1}}).runs[0].first, 1s);
}

TEST_P(RateLimitsTest, WhereThereIsNoLimitNothingIsTaken) {
  learn({{.unit = 0}, {.unit = 1, .amount = 100, .span = 1min, .pace = 600ms, .grace = 1s}});
  const Taken taken = take({{0, 5}, {1, 0}});
  EXPECT_TRUE(taken.known);
  EXPECT_TRUE(taken.runs.empty());
  ASSERT_EQ(taken.others.size(), 2U);
  EXPECT_FALSE(taken.others[0].amount.has_value());
  EXPECT_EQ(taken.others[1].amount, 100);
  EXPECT_EQ(take({{1, 5}}).runs[0].count, 5);
}

TEST_P(RateLimitsTest, AnAnswerThatSaysNothingLiftsNoLimit) {
  learn({kFourASecond});
  learn({{.unit = 0}});
  EXPECT_EQ(take({{0, 1}}).runs[0].row, kFourASecond);
}

TEST_P(RateLimitsTest, TheLongestPauseCounts) {
  pause(10s);
  pause(5s);
  EXPECT_EQ(take({}).paused, 10s);
  advance(11s);
  EXPECT_EQ(take({}).paused, -1s);
}

TEST_P(RateLimitsTest, AClockThatWasSetBackDoesNotStopEverything) {
  learn({kFourASecond});
  UnitOfWork unit;
  unit.run("UPDATE rate_limit SET next = clever_now() * 1000 + 7200000000000");
  ASSERT_TRUE(engine().commit(std::move(unit)).ok());
  EXPECT_EQ(take({{0, 1}}).runs[0].first, 0s);
}

TEST_P(RateLimitsTest, ManyTakersNeverGetTheSameSlot) {
  learn({kFourASecond});
  base::Guarded<std::set<nanoseconds>> slots;
  test::together(8, [&](int) {
    for (int i = 0; i < 20; ++i) {
      const Taken taken = take({{0, 3}});
      slots.with([&](auto& all) {
        for (std::int64_t k = 0; k < 3; ++k) all.insert(taken.runs[0].first + k * 250ms);
      });
    }
  });
  EXPECT_EQ(slots.with([](const auto& all) { return all.size(); }), 8U * 20U * 3U);
}

CLEVER_ALL_ENGINES(RateLimitsTest);

}  // namespace
}  // namespace clever::storage

#include "provider/governor/internal/lane_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::provider::governor {
namespace {

using namespace std::chrono_literals;
using base::Duration;
using base::TimePoint;
using testing::ElementsAre;

class LaneStateTest : public testing::Test {
 protected:
  void make(const LaneOptions& options = {}) {
    lane_.emplace(options, circuits_.circuit("lane"), random_);
  }
  LaneState& lane() {
    if (!lane_) make();
    return *lane_;
  }
  TimePoint now() { return clock_.now(); }

  base::Result<void> enter(std::uint64_t ticket, const PlaceRequest& like = {}) {
    PlaceRequest request = like;
    request.ticket = Ticket{ticket};
    if (request.flow.empty()) request.flow = "plan";
    const auto entered = lane().enter(request, now(), events_);
    poll();
    return entered;
  }
  void poll() {
    lane().poll(now(), events_);
    for (LaneEvent& event : std::exchange(events_, {})) {
      const auto ticket = static_cast<std::uint64_t>(event.ticket);
      if (std::holds_alternative<PlaceGiven>(event.what)) started_.push_back(ticket);
      if (std::holds_alternative<Withdrawal>(event.what)) withdrawn_.push_back(ticket);
      if (const auto* wait = std::get_if<Wait>(&event.what)) waits_.emplace_back(ticket, *wait);
    }
  }
  void settle(std::uint64_t ticket, const Settlement& settlement = {}) {
    lane().settle(Ticket{ticket}, settlement, now());
    poll();
  }
  void fail(std::uint64_t ticket, FailureKind kind,
            std::optional<std::chrono::milliseconds> retry_after = {}) {
    settle(ticket, {.failure = kind, .retry_after = retry_after});
  }
  void pass(Duration duration) {
    clock_.advance(duration);
    poll();
  }
  std::vector<std::uint64_t> started() { return std::exchange(started_, {}); }
  // Grows the window to `size`, with nothing running.
  void widen(std::int64_t size) {
    std::uint64_t ticket = 1'000'000;
    while (lane().window() < size) {
      const auto count = static_cast<std::uint64_t>(lane().window());
      for (std::uint64_t i = 0; i < count; ++i) ASSERT_TRUE(enter(ticket + i).ok());
      for (std::uint64_t i = 0; i < count; ++i) settle(ticket + i);
      ticket += count;
    }
    started_.clear();
  }
  static RateObservation observation(std::int64_t limit, std::int64_t remaining,
                                     std::chrono::milliseconds reset = 1s) {
    RateObservation rates;
    rates.requests = {limit, remaining, reset, 60s};
    return rates;
  }

  base::SimulatedClock clock_;
  base::SeededRandom random_{1};
  base::CircuitBreaker circuits_{clock_, random_};
  std::optional<LaneState> lane_;
  LaneEvents events_;
  std::vector<std::uint64_t> started_;
  std::vector<std::uint64_t> withdrawn_;
  std::vector<std::pair<std::uint64_t, Wait>> waits_;
};

TEST_F(LaneStateTest, OneGoesFirstAndTheOthersWaitForItsAnswer) {
  for (std::uint64_t i = 1; i <= 4; ++i) ASSERT_TRUE(enter(i).ok());
  EXPECT_THAT(started(), ElementsAre(1));
  EXPECT_EQ(lane().queued(), 3U);
  settle(1);
  EXPECT_THAT(started(), ElementsAre(2, 3));
}

TEST_F(LaneStateTest, TheHeadOfALongAnswerIsEnough) {
  for (std::uint64_t i = 1; i <= 4; ++i) ASSERT_TRUE(enter(i).ok());
  EXPECT_THAT(started(), ElementsAre(1));
  lane().begin(Ticket{1});
  poll();
  EXPECT_TRUE(started().empty()) << "limits may come with the end";
  lane().observe(Ticket{1}, {}, now());
  poll();
  EXPECT_THAT(started(), ElementsAre(2));
  lane().begin(Ticket{2});
  poll();
  EXPECT_THAT(started(), ElementsAre(3));
  settle(2);
  EXPECT_THAT(started(), ElementsAre(4)) << "counted once";
}

TEST_F(LaneStateTest, ALearnedLimitSpacesTheCalls) {
  ASSERT_TRUE(enter(1).ok());
  settle(1, {.rates = observation(60, 59)});
  started();
  const Pace pace = Pace::of({60, 1min});
  ASSERT_TRUE(enter(2).ok());
  EXPECT_TRUE(started().empty());
  EXPECT_EQ(lane().next_event(now()), now() + pace.interval);
  pass(pace.interval - 1ns);
  EXPECT_TRUE(started().empty());
  pass(1ns);
  EXPECT_THAT(started(), ElementsAre(2));
  EXPECT_EQ(lane().view().requests_per_minute, 60);
}

TEST_F(LaneStateTest, NothingLeftMeansWaitingUntilTheReset) {
  ASSERT_TRUE(enter(1).ok());
  settle(1, {.rates = observation(60'000, 0, 20s)});
  started();
  ASSERT_TRUE(enter(2).ok());
  pass(19s);
  EXPECT_TRUE(started().empty());
  pass(1s);
  EXPECT_THAT(started(), ElementsAre(2));
}

TEST_F(LaneStateTest, WhatTheHeadSaidIsNotHeldAgainstTheEnd) {
  ASSERT_TRUE(enter(1).ok());
  lane().observe(Ticket{1}, observation(60'000, 0, 20s), now());
  pass(5min);
  settle(1, {.rates = observation(60'000, 0, 20s)});
  ASSERT_TRUE(enter(2).ok());
  EXPECT_THAT(started(), ElementsAre(1, 2));
}

TEST_F(LaneStateTest, ASetLimitIsKeptThoughTheProviderAllowsMore) {
  make({.limits = {RateLimit{6, 1min}}});
  ASSERT_TRUE(enter(1).ok());
  settle(1, {.rates = observation(600, 599)});
  EXPECT_EQ(lane().view().requests_per_minute, 6);
  lane().configure({RateLimit{1000, 1min}}, 10);
  EXPECT_EQ(lane().view().requests_per_minute, 600);
}

TEST_F(LaneStateTest, TokensAreMeteredAndCorrected) {
  make({.limits = {std::nullopt, RateLimit{6000, 1min}}});
  widen(2);
  pass(1h);
  ASSERT_TRUE(enter(1, {.tokens = {1000, 2000}}).ok());
  ASSERT_TRUE(enter(2, {.tokens = {1000, 2000}}).ok());
  EXPECT_THAT(started(), ElementsAre(1));
  settle(1, {.used = TokenCount{100, 100}});
  const Duration interval = Pace::of({6000, 1min}).interval;
  pass(interval * 200);
  EXPECT_THAT(started(), ElementsAre(2));
}

TEST_F(LaneStateTest, AWallIsOneBackoffForAllThatRunIntoIt) {
  widen(8);
  for (std::uint64_t i = 1; i <= 8; ++i) ASSERT_TRUE(enter(i).ok());
  started();
  for (std::uint64_t i = 1; i <= 8; ++i) fail(i, FailureKind::kRateLimited);
  EXPECT_EQ(lane().window(), 4);
  const Duration pause = lane().view().paused_until - now();
  EXPECT_GE(pause, 500ms);
  EXPECT_LE(pause, 1s);
}

TEST_F(LaneStateTest, BackoffGrowsFromWallToWallAndEndsWithAnAnswer) {
  std::uint64_t ticket = 0;
  Duration pause{};
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(enter(++ticket).ok());
    fail(ticket, FailureKind::kRateLimited);
    pause = lane().view().paused_until - now();
    pass(31s + pause);
  }
  EXPECT_GE(pause, 30s);
  EXPECT_LE(pause, 60s);
  ASSERT_TRUE(enter(++ticket).ok());
  settle(ticket);
  ASSERT_TRUE(enter(++ticket).ok());
  pass(30s);
  fail(ticket, FailureKind::kRateLimited);
  EXPECT_LE(lane().view().paused_until - now(), 1s);
}

TEST_F(LaneStateTest, ARateLimitDoesNotOpenTheCircuit) {
  for (std::uint64_t i = 1; i <= 10; ++i) {
    ASSERT_TRUE(enter(i).ok());
    fail(i, FailureKind::kRateLimited);
    pass(2min);
  }
  EXPECT_EQ(lane().circuit_state(), base::CircuitState::kClosed);
  EXPECT_FALSE(lane().circuit_suspect());
}

TEST_F(LaneStateTest, WhileTheProviderIsDownOneAtATimeTries) {
  widen(8);
  for (std::uint64_t i = 1; i <= 8; ++i) ASSERT_TRUE(enter(i).ok());
  for (std::uint64_t i = 11; i <= 18; ++i) ASSERT_TRUE(enter(i).ok());
  started();
  for (std::uint64_t i = 1; i <= 8; ++i) fail(i, FailureKind::kOverloaded);
  EXPECT_TRUE(lane().unavailable_until(now()));
  pass(6s);
  EXPECT_THAT(started(), ElementsAre(11));
  pass(1min);
  EXPECT_TRUE(started().empty());
  fail(11, FailureKind::kConnection);
  pass(12s);
  EXPECT_THAT(started(), ElementsAre(12));
  lane().begin(Ticket{12});
  poll();
  EXPECT_THAT(started(), ElementsAre(13)) << "it is back: one more with each answer";
  EXPECT_FALSE(lane().circuit_suspect());
}

TEST_F(LaneStateTest, AnAbandonedProbeMakesRoomForTheNext) {
  widen(4);
  for (std::uint64_t i = 1; i <= 4; ++i) ASSERT_TRUE(enter(i).ok());
  for (std::uint64_t i = 1; i <= 4; ++i) fail(i, FailureKind::kConnection);
  started();
  for (std::uint64_t i = 11; i <= 12; ++i) ASSERT_TRUE(enter(i).ok());
  pass(6s);
  EXPECT_THAT(started(), ElementsAre(11));
  fail(11, FailureKind::kCancelled);
  EXPECT_THAT(started(), ElementsAre(12));
}

TEST_F(LaneStateTest, APermanentFailureShowsThatTheProviderIsWell) {
  widen(2);
  for (std::uint64_t i = 1; i <= 9; ++i) {
    ASSERT_TRUE(enter(i).ok());
    fail(i, i % 3 == 0 ? FailureKind::kBadRequest : FailureKind::kConnection);
    pass(10s);
  }
  EXPECT_EQ(lane().circuit_state(), base::CircuitState::kClosed);
}

TEST_F(LaneStateTest, WhoHasAnotherProviderLeavesWhenThisOneIsDown) {
  widen(3);
  for (std::uint64_t i = 1; i <= 3; ++i) ASSERT_TRUE(enter(i).ok());
  ASSERT_TRUE(enter(11, {.leaves_if_unavailable = true}).ok());
  ASSERT_TRUE(enter(12).ok());
  for (std::uint64_t i = 1; i <= 3; ++i) fail(i, FailureKind::kOverloaded);
  EXPECT_THAT(withdrawn_, ElementsAre(11));
  ASSERT_TRUE(enter(13, {.leaves_if_unavailable = true}).ok());
  EXPECT_THAT(withdrawn_, ElementsAre(11, 13));
  EXPECT_EQ(lane().queued(), 1U);
}

TEST_F(LaneStateTest, PatienceAndCancellingTakeOutOfTheQueue) {
  for (std::uint64_t i = 1; i <= 3; ++i) ASSERT_TRUE(enter(i, {.patience = now() + 10s}).ok());
  lane().cancel(Ticket{2}, events_);
  poll();
  EXPECT_THAT(withdrawn_, ElementsAre(2));
  lane().cancel(Ticket{1}, events_);
  lane().cancel(Ticket{2}, events_);
  lane().cancel(Ticket{99}, events_);
  poll();
  EXPECT_EQ(lane().next_event(now()), now() + 5s);
  pass(10s);
  EXPECT_THAT(withdrawn_, ElementsAre(2, 3));
  EXPECT_EQ(lane().queued(), 0U);
  EXPECT_EQ(lane().running(), 1U);
  EXPECT_EQ(lane().next_event(now()), TimePoint::max());
}

TEST_F(LaneStateTest, AFullQueueRefuses) {
  make({.queue_limit = 1});
  ASSERT_TRUE(enter(1).ok());
  ASSERT_TRUE(enter(2).ok());
  const auto refused = enter(3);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), base::ErrorCode::kResourceExhausted);
}

TEST_F(LaneStateTest, AResetForgetsTroubleAndPauses) {
  ASSERT_TRUE(enter(1).ok());
  fail(1, FailureKind::kRateLimited, 1h);
  ASSERT_TRUE(enter(2).ok());
  started();
  lane().reset();
  poll();
  EXPECT_THAT(started(), ElementsAre(2));
}

TEST_F(LaneStateTest, SettlingWhatDoesNotRunChangesNothing) {
  settle(5, {.failure = FailureKind::kOverloaded});
  lane().begin(Ticket{5});
  lane().observe(Ticket{5}, {}, now());
  EXPECT_EQ(lane().running(), 0U);
  EXPECT_EQ(lane().window(), 1);
}

// ---- what those who wait are told ---------------------------------------------------------------

TEST_F(LaneStateTest, ReportsAWaitForATurnAfterFiveSeconds) {
  ASSERT_TRUE(enter(1).ok());
  ASSERT_TRUE(enter(2).ok());
  pass(5s - 1ns);
  EXPECT_TRUE(waits_.empty());
  pass(1ns);
  ASSERT_EQ(waits_.size(), 1U);
  EXPECT_EQ(waits_[0].second, (Wait{WaitReason::kTurn, std::nullopt, {}}));
  EXPECT_EQ(lane().next_event(now()), now() + 30s);
}

TEST_F(LaneStateTest, TheTimeLeftFollowsFromThePace) {
  ASSERT_TRUE(enter(1).ok());
  settle(1, {.rates = observation(60, 59)});
  for (std::uint64_t i = 1; i <= 20; ++i) ASSERT_TRUE(enter(10 + i).ok());
  pass(5s);
  ASSERT_FALSE(waits_.empty());
  const auto& [ticket, wait] = waits_.back();
  EXPECT_EQ(wait.reason, WaitReason::kRate);
  ASSERT_TRUE(wait.until);
  EXPECT_GE(*wait.until - now(), 10s);
  EXPECT_LE(*wait.until - now(), 25s);
}

TEST_F(LaneStateTest, TheTimeLeftFollowsFromHowLongCallsTake) {
  ASSERT_TRUE(enter(1).ok());
  pass(10s);
  settle(1);
  for (std::uint64_t i = 1; i <= 5; ++i) ASSERT_TRUE(enter(10 + i).ok());
  pass(5s);
  ASSERT_FALSE(waits_.empty());
  EXPECT_EQ(waits_.back().second.reason, WaitReason::kTurn);
  EXPECT_EQ(*waits_.back().second.until, now() + 10s * 3 / 2);
}

TEST_F(LaneStateTest, AProbeUnderWayHasNoTimeLeft) {
  widen(3);
  for (std::uint64_t i = 1; i <= 3; ++i) ASSERT_TRUE(enter(i).ok());
  for (std::uint64_t i = 1; i <= 3; ++i) fail(i, FailureKind::kOverloaded);
  ASSERT_TRUE(enter(11).ok());
  ASSERT_TRUE(enter(12).ok());
  pass(6s);
  waits_.clear();
  pass(31s);
  ASSERT_FALSE(waits_.empty());
  EXPECT_EQ(waits_[0].second,
            (Wait{WaitReason::kUnavailable, std::nullopt, FailureKind::kOverloaded}));
}

// ---- leases -------------------------------------------------------------------------------------

class LeasedLaneTest : public LaneStateTest {
 protected:
  void SetUp() override { make({.leased = true}); }
  std::optional<std::int64_t> wanted() {
    const auto wanted = lane().take_lease_request(now());
    return wanted ? std::optional((*wanted)[0]) : std::nullopt;
  }
  void give(std::int64_t count, Duration from_now = {}, std::optional<RateLimit> limit = kLimit) {
    Lease lease;
    lease.known = true;
    lease.rates[0] = limit;
    lease.runs[0] = {now() + from_now, 1s, 4s, count};
    lane().leased(lease, now());
    poll();
  }
  static constexpr RateLimit kLimit{600, 1min};
};

TEST_F(LeasedLaneTest, AsksOnceAndStartsWithTheSlot) {
  EXPECT_EQ(wanted(), std::nullopt);
  ASSERT_TRUE(enter(1).ok());
  EXPECT_TRUE(started().empty());
  EXPECT_EQ(wanted(), 1);
  EXPECT_EQ(wanted(), std::nullopt);
  Lease cold;
  cold.runs[0] = {now() + 1s, 1s, 1s, 1};
  lane().leased(cold, now());
  poll();
  EXPECT_EQ(lane().next_event(now()), now() + 1s);
  pass(1s);
  EXPECT_THAT(started(), ElementsAre(1));
}

TEST_F(LeasedLaneTest, BatchesGrowWhileTheyAreUsedAndShrinkWhenLost) {
  ASSERT_TRUE(enter(1).ok());
  EXPECT_EQ(wanted(), 1);
  give(1);
  settle(1);
  ASSERT_TRUE(enter(2).ok());
  EXPECT_EQ(wanted(), 2);
  give(2);
  EXPECT_THAT(started(), ElementsAre(1, 2));
  settle(2);
  pass(1min);
  ASSERT_TRUE(enter(3).ok());
  EXPECT_EQ(wanted(), 4);
  give(4);
  settle(3);
  pass(1min);
  ASSERT_TRUE(enter(4).ok());
  EXPECT_EQ(wanted(), 8);
  give(8);
  settle(4);
  pass(1min);
  ASSERT_TRUE(enter(5).ok());
  EXPECT_EQ(wanted(), 8) << "most of the last was lost";
}

TEST_F(LeasedLaneTest, AStoreThatFailsIsAskedAgainLater) {
  ASSERT_TRUE(enter(1).ok());
  EXPECT_EQ(wanted(), 1);
  lane().leased(base::unavailable("no store"), now());
  EXPECT_EQ(wanted(), std::nullopt);
  EXPECT_EQ(lane().next_event(now()), now() + 1s);
  pass(1s);
  EXPECT_EQ(wanted(), 1);
  pass(4s);
  ASSERT_FALSE(waits_.empty());
  EXPECT_EQ(waits_[0].second.reason, WaitReason::kStore);
}

TEST_F(LeasedLaneTest, WithoutALimitNoLeaseIsNeeded) {
  ASSERT_TRUE(enter(1).ok());
  EXPECT_EQ(wanted(), 1);
  give(0, {}, std::nullopt);
  EXPECT_THAT(started(), ElementsAre(1));
  settle(1);
  ASSERT_TRUE(enter(2).ok());
  EXPECT_THAT(started(), ElementsAre(2));
  EXPECT_EQ(wanted(), std::nullopt);
}

TEST_F(LeasedLaneTest, SlotsThatComeTooLateAreAnsweredByAskingForMore) {
  ASSERT_TRUE(enter(1).ok());
  EXPECT_EQ(wanted(), 1);
  give(1, -5s);
  EXPECT_TRUE(started().empty());
  EXPECT_EQ(wanted(), 2);
  give(2, -6s);
  EXPECT_EQ(wanted(), 4);
  give(4, -5s);
  EXPECT_THAT(started(), ElementsAre(1));
}

TEST_F(LeasedLaneTest, ReportsTheLimitToAStoreThatLacksItWithoutALoop) {
  make({.leased = true, .limits = {kLimit}});
  ASSERT_TRUE(lane().take_news());
  ASSERT_TRUE(enter(1).ok());
  EXPECT_EQ(wanted(), 1);
  give(0, {}, std::nullopt);
  EXPECT_EQ(wanted(), std::nullopt);
  EXPECT_TRUE(lane().take_news());
  pass(1s);
  EXPECT_EQ(wanted(), 2);
}

TEST_F(LeasedLaneTest, TellsTheOthersWhatItLearns) {
  ASSERT_TRUE(enter(1).ok());
  EXPECT_EQ(wanted(), 1);
  Lease cold;
  cold.runs[0] = {now(), 1s, 1s, 1};
  lane().leased(cold, now());
  poll();
  EXPECT_FALSE(lane().take_news());
  settle(1, {.rates = observation(100, 99)});
  const auto news = lane().take_news();
  ASSERT_TRUE(news);
  EXPECT_TRUE(news->known);
  EXPECT_EQ(news->rates[0], (RateLimit{100, 60s}));
  EXPECT_FALSE(news->paused_until);
  EXPECT_FALSE(lane().take_news());
}

TEST_F(LeasedLaneTest, BeginsWithAsManyAsTheProviderBoreLast) {
  ASSERT_TRUE(enter(1).ok());
  EXPECT_EQ(wanted(), 1);
  Lease lease;
  lease.known = true;
  lease.window = 8;
  lane().leased(lease, now());
  poll();
  EXPECT_EQ(lane().window(), 8);
  for (std::uint64_t ticket = 2; ticket <= 10; ++ticket) ASSERT_TRUE(enter(ticket).ok());
  EXPECT_EQ(started().size(), 8U);
  settle(1);
  EXPECT_FALSE(lane().take_news().value_or(LaneNews{}).window) << "it is as it was";
  fail(2, FailureKind::kOverloaded);
  EXPECT_EQ(lane().take_news().value_or(LaneNews{}).window, 4);
}

TEST_F(LaneStateTest, BeginsWithAsManyAsAPersonSays) {
  make({.most_concurrent = 4, .first_concurrent = 4});
  for (std::uint64_t ticket = 1; ticket <= 5; ++ticket) ASSERT_TRUE(enter(ticket).ok());
  EXPECT_THAT(started(), ElementsAre(1, 2, 3, 4));
}

TEST_F(LeasedLaneTest, TellsAndKeepsPauses) {
  ASSERT_TRUE(enter(1).ok());
  EXPECT_EQ(wanted(), 1);
  give(1);
  fail(1, FailureKind::kRateLimited, 20s);
  const auto news = lane().take_news();
  ASSERT_TRUE(news && news->paused_until);
  EXPECT_GE(*news->paused_until, now() + 20s);
  ASSERT_TRUE(enter(2).ok());
  EXPECT_EQ(wanted(), std::nullopt) << "slots would be wasted";
  pass(23s);
  EXPECT_EQ(wanted(), 2);
  Lease lease;
  lease.known = true;
  lease.rates[0] = kLimit;
  lease.runs[0] = {now(), 1s, 4s, 2};
  lease.paused_until = now() + 10s;
  lane().leased(lease, now());
  poll();
  EXPECT_EQ(lane().view().paused_until, now() + 10s);
  EXPECT_FALSE(lane().take_news()) << "they know it already";
}

TEST_F(LeasedLaneTest, TokensAreLeasedWithTheRequests) {
  make({.leased = true, .limits = {RateLimit{600, 1min}, RateLimit{60'000, 1min}}});
  ASSERT_TRUE(lane().take_news()) << "a set limit is told at once";
  ASSERT_TRUE(enter(1, {.tokens = {300, 700}}).ok());
  const auto wanted = lane().take_lease_request(now());
  ASSERT_TRUE(wanted);
  EXPECT_EQ((*wanted)[0], 1);
  EXPECT_EQ((*wanted)[1], 1000);
  EXPECT_EQ((*wanted)[2], 0);
}

}  // namespace
}  // namespace clever::provider::governor

// Random histories of a lane, and what must hold in all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "provider/governor/internal/lane_state.h"
#include "provider/testing/memory_limits.h"

namespace clever::provider::governor {
namespace {

using namespace std::chrono_literals;
using base::Duration;
using base::TimePoint;

class History {
 public:
  explicit History(std::uint64_t seed)
      : random_(seed),
        limits_(clock_),
        limit_(random_.below(3) == 0 ? std::nullopt : std::optional(random_limit())),
        leased_(random_.below(2) == 0),
        lane_({.queue_limit = 200, .most_concurrent = 16, .leased = leased_, .limits = {limit_}},
              circuits_.circuit("lane"), random_) {}

  void run() {
    for (int i = 0; i < 400 && !testing::Test::HasFailure(); ++i) act();
    drain();
  }

 private:
  RateLimit random_limit() {
    return {1 + static_cast<std::int64_t>(random_.below(20)), random_.below(2) == 0 ? 1s : 60s};
  }
  TimePoint now() { return clock_.now(); }

  void act() {
    const std::uint64_t choice = random_.below(10);
    if (choice < 4) {
      enter();
    } else if (choice < 7) {
      settle(random_.below(3) == 0);
    } else if (choice == 7) {
      cancel();
    } else if (choice == 8) {
      clock_.advance(std::chrono::milliseconds(random_.below(3000)));
    } else {
      wait_for_event();
    }
    poll();
  }

  void enter() {
    PlaceRequest request;
    request.ticket = Ticket{++last_};
    request.flow = "plan-" + std::to_string(random_.below(4));
    request.tokens = {100, 100};
    request.again = random_.below(10) == 0;
    request.leaves_if_unavailable = random_.below(10) == 0;
    if (random_.below(3) == 0) request.patience = now() + std::chrono::seconds(random_.below(60));
    if (lane_.enter(request, now(), events_).ok()) queued_[request.ticket] = request.patience;
  }

  void settle(bool badly) {
    if (running_.empty()) return;
    const auto at =
        std::next(running_.begin(), static_cast<std::ptrdiff_t>(random_.below(running_.size())));
    Settlement settlement;
    if (badly) {
      settlement.failure = static_cast<FailureKind>(random_.below(14));
      if (random_.below(3) == 0)
        settlement.retry_after = std::chrono::milliseconds(random_.below(9000));
    } else if (random_.below(2) == 0) {
      lane_.begin(*at);
      lane_.observe(*at, {}, now());
    }
    if (settlement.failure == FailureKind::kRateLimited && settlement.retry_after) {
      asked_until_ = std::max(asked_until_, now() + *settlement.retry_after);
    }
    lane_.settle(*at, settlement, now());
    running_.erase(at);
  }

  void cancel() {
    if (last_ == 0) return;
    lane_.cancel(Ticket{1 + random_.below(last_)}, events_);
  }

  bool wait_for_event() {
    const TimePoint next = lane_.next_event(now());
    if (next == TimePoint::max()) return false;
    EXPECT_GT(next, now()) << "an event in the past would be waited for in a loop";
    clock_.advance(next - now());
    return true;
  }

  void poll() {
    lane_.poll(now(), events_);
    while (leased_) {
      if (const auto news = lane_.take_news()) limits_.report(kKey, *news);
      const auto wanted = lane_.take_lease_request(now());
      if (!wanted) break;
      limits_.lease(kKey, *wanted,
                    [&](const base::Result<Lease>& lease) { lane_.leased(lease, now()); });
      lane_.poll(now(), events_);
    }
    for (const LaneEvent& event : std::exchange(events_, {})) check(event);
    EXPECT_EQ(lane_.queued(), queued_.size());
    EXPECT_EQ(lane_.running(), running_.size());
  }

  void check(const LaneEvent& event) {
    ASSERT_TRUE(queued_.contains(event.ticket)) << "an event for what does not wait";
    if (std::holds_alternative<Wait>(event.what)) return;
    const TimePoint patience = queued_.at(event.ticket);
    queued_.erase(event.ticket);
    if (const auto* why = std::get_if<Withdrawal>(&event.what)) {
      EXPECT_TRUE(*why != Withdrawal::kPatience || patience <= now());
      return;
    }
    EXPECT_GT(patience, now()) << "started after its patience";
    EXPECT_GE(now(), asked_until_) << "started while the provider wants none";
    EXPECT_LT(static_cast<std::int64_t>(running_.size()), lane_.window()) << "above the window";
    if (lane_.circuit_state() == base::CircuitState::kHalfOpen) ++probes_;
    running_.insert(event.ticket);
    starts_.push_back(now());
    check_rate();
  }

  void check_rate() {
    if (!limit_) return;
    const auto size = static_cast<std::size_t>(limit_->limit);
    if (starts_.size() <= size) return;
    EXPECT_GE(starts_.back() - starts_[starts_.size() - 1 - size], limit_->window)
        << "above the limit";
  }

  // With nothing but its own events and answers all come to an end.
  void drain() {
    for (int i = 0; i < 5000 && (!queued_.empty() || !running_.empty()); ++i) {
      while (!running_.empty()) settle(false);
      poll();
      if (running_.empty() && !queued_.empty()) {
        ASSERT_TRUE(wait_for_event()) << queued_.size() << " wait for ever";
      }
      poll();
    }
    EXPECT_TRUE(queued_.empty());
    EXPECT_EQ(lane_.next_event(now()), TimePoint::max());
  }

  const LaneKey kKey{"a", "a", "m"};
  base::SimulatedClock clock_;
  base::SeededRandom random_;
  base::CircuitBreaker circuits_{clock_, random_};
  MemoryLimits limits_;
  std::optional<RateLimit> limit_;
  const bool leased_;
  LaneState lane_;
  LaneEvents events_;
  std::uint64_t last_ = 0;
  std::map<Ticket, TimePoint> queued_;
  std::set<Ticket> running_;
  std::vector<TimePoint> starts_;
  TimePoint asked_until_{};
  int probes_ = 0;
};

TEST(LaneProperties, HoldInRandomHistories) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    History(seed).run();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace clever::provider::governor

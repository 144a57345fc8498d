// A lane under the explorer: asking, cancelling, settling and the alarm at the same time.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/atomic.h"
#include "explore/explore.h"
#include "provider/governor/governor.h"
#include "provider/testing/memory_limits.h"
#include "sim/hand_alarms.h"

namespace clever::provider {
namespace {

using namespace std::chrono_literals;
using explore::Run;
using explore::Strategy;

// ---- what is found ------------------------------------------------------------------------------

/// Counts a waiter's callbacks, and whether two ever ran at once.
class RecordedWaiter final : public PlaceWaiter {
 public:
  explicit RecordedWaiter(base::Atomic<int>& running) : running_(running) {}
  void on_place() override {
    most = std::max(most, running_.fetch_add(1) + 1);
    tell(places);
  }
  void on_withdrawn(Withdrawal) override { tell(withdrawals); }
  void on_wait(const Wait&) override { tell(waits); }
  [[nodiscard]] int outcomes() const { return places.load() + withdrawals.load(); }

  base::Atomic<int> places{0};
  base::Atomic<int> withdrawals{0};
  base::Atomic<int> waits{0};
  base::Atomic<int> overlaps{0};
  int most = 0;

 private:
  void tell(base::Atomic<int>& counter) {
    if (inside_.exchange(true)) overlaps.fetch_add(1);
    if (counter.fetch_add(1) + 1 > 1 && &counter != &waits) overlaps.fetch_add(1);
    inside_.store(false);
  }
  base::Atomic<int>& running_;
  base::Atomic<bool> inside_{false};
};

// A lane of one place that looks first and acts then: each step has a lock, the two together none.
class NaiveLane final : public Lane {
 public:
  [[nodiscard]] const LaneKey& key() const noexcept override { return key_; }
  base::Result<void> acquire(PlaceRequest request, std::shared_ptr<PlaceWaiter> waiter) override {
    if (running_.read() == 0) {
      running_.write(1);
      waiter->on_place();
    } else {
      queue_.with([&](Queue& queue) { queue.emplace_back(request.ticket, std::move(waiter)); });
    }
    return {};
  }
  void cancel(Ticket ticket) override {
    const auto waiter = queue_.with([&](Queue& queue) {
      const auto found = std::ranges::find(queue, ticket, &Queue::value_type::first);
      return found == queue.end() ? nullptr : found->second;
    });
    if (waiter == nullptr) return;
    waiter->on_withdrawn(Withdrawal::kCancelled);
    queue_.with([&](Queue& queue) {
      std::erase_if(queue, [&](const auto& each) { return each.first == ticket; });
    });
  }
  void begin(Ticket) override {}
  void observe(Ticket, const RateObservation&) override {}
  void settle(Ticket, const Settlement&) override {
    running_.write(0);
    const auto waiter = queue_.with([](Queue& queue) {
      auto first = queue.empty() ? nullptr : queue.front().second;
      if (first != nullptr) queue.erase(queue.begin());
      return first;
    });
    if (waiter == nullptr) return;
    running_.write(1);
    waiter->on_place();
  }
  [[nodiscard]] std::optional<base::TimePoint> unavailable_until() const override { return {}; }
  [[nodiscard]] std::optional<Wait> long_wait() const override { return {}; }
  [[nodiscard]] LaneView view() const override { return {}; }

 private:
  using Queue = std::vector<std::pair<Ticket, std::shared_ptr<PlaceWaiter>>>;
  const LaneKey key_;
  explore::Racy<int> running_;
  base::Guarded<Queue> queue_;
};

struct GovernorWorld {
  explicit GovernorWorld(bool leased)
      : limits(clock), governor({clock, random, circuits, alarms, leased ? &limits : nullptr}) {}

  std::shared_ptr<RecordedWaiter> ask(std::uint64_t ticket) {
    auto reported = std::make_shared<RecordedWaiter>(running);
    PlaceRequest request;
    request.ticket = Ticket{ticket};
    request.flow = "plan";
    request.patience = clock.now() + 1h;
    EXPECT_TRUE(lane->acquire(request, reported).ok());
    return reported;
  }
  void settle(std::uint64_t ticket, const Settlement& settlement = {}) {
    running.fetch_sub(1);
    lane->settle(Ticket{ticket}, settlement);
  }

  base::SimulatedClock clock;
  base::SeededRandom random{1};
  base::CircuitBreaker circuits{clock, random};
  sim::HandAlarms alarms;
  MemoryLimits limits;
  Governor governor;
  std::shared_ptr<Lane> lane = governor.lane({"a", "a", "m"}, {});
  base::Atomic<int> running{0};  // how many places are given and not settled
};

void ask_cancel_settle_ring(Run& run, GovernorWorld& world, std::optional<FailureKind> failure) {
  const auto first = world.ask(1);
  std::shared_ptr<RecordedWaiter> second;
  run.thread("settles", [&] { world.settle(1, {.failure = failure}); });
  run.thread("asks", [&] { second = world.ask(2); });
  run.thread("cancels", [&] { world.lane->cancel(Ticket{2}); });
  run.thread("alarm", [&] { world.alarms.ring(); });
  run.join();
  // Whatever was paused is over now.
  world.clock.advance(10min);
  world.alarms.ring();
  run.require(first->outcomes() == 1 && second->outcomes() == 1, "each has exactly one outcome");
  run.require(first->overlaps.load() + second->overlaps.load() == 0, "one is told at a time");
  run.require(second->most <= 1, "no more run than the window allows");
  if (second->places.load() == 1) world.settle(2);
  run.require(world.lane->view().running == 0 && world.lane->view().queued == 0, "all is over");
}

void settle_naively(Run& run) {
  GovernorWorld world(false);
  world.lane = std::make_shared<NaiveLane>();
  ask_cancel_settle_ring(run, world, std::nullopt);
}

TEST(GovernorExplore, FindsTheRaceInANaiveLane) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore({.strategy = Strategy::kPct}, settle_naively));
}

TEST(GovernorExplore, FindsTheRaceInANaiveLaneAtRandom) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore({.strategy = Strategy::kRandom}, settle_naively));
}

void check_settling(bool leased, std::optional<FailureKind> failure) {
  const auto body = [&](Run& run) {
    GovernorWorld world(leased);
    ask_cancel_settle_ring(run, world, failure);
  };
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kExhaustive, .schedules = 2000}, body));
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kRandom, .schedules = 500}, body));
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kPct, .schedules = 500}, body));
}

TEST(GovernorExplore, EachHasOneOutcomeAndTheWindowHolds) { check_settling(false, std::nullopt); }
TEST(GovernorExplore, AlsoAfterAFailure) { check_settling(false, FailureKind::kRateLimited); }
TEST(GovernorExplore, AlsoWithLeases) { check_settling(true, std::nullopt); }

}  // namespace
}  // namespace clever::provider

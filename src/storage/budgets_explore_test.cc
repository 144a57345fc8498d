// A cap that is set while others spend. This models the transactions of a server to which many
// write, statement by statement, as the projection of budgets and Budgets::set_cap send them: what
// another has begun is not seen before its commit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/guarded.h"
#include "base/monitor.h"
#include "explore/explore.h"
#include "support/every_schedule.h"

namespace clever::storage {
namespace {

/// The lock that all transactions share, and that one which is alone has to itself.
class WritersLock {
 public:
  void share() {
    (void)state_.update_when(
        {}, [](const State& state) { return !state.alone; }, [](State& state) { ++state.sharing; });
  }
  void be_alone() {
    (void)state_.update_when(
        {}, [](const State& state) { return !state.alone && state.sharing == 0; },
        [](State& state) { state.alone = true; });
  }
  void let_go() {
    state_.update([](State& state) {
      if (!state.alone) --state.sharing;
      state.alone = false;
    });
  }

 private:
  struct State {
    int sharing = 0;
    bool alone = false;
  };
  base::Monitor<State> state_;
};

/// One scope, as it is committed; its row is locked from its first change to the commit.
class Scope {
 public:
  struct Rows {
    std::optional<int> cap{};
    int counted = 0;
    int shares = 0;
  };

  [[nodiscard]] Rows read() const {
    return rows_.with([](const Rows& rows) { return rows; });
  }
  template <class Change>
  void commit(Change change) {
    rows_.with([&](Rows& rows) { change(rows); });
  }
  void lock_row() {
    (void)is_locked_.update_when(
        {}, [](bool locked) { return !locked; }, [](bool& locked) { locked = true; });
  }
  void unlock_row() {
    is_locked_.update([](bool& locked) { locked = false; });
  }

 private:
  base::Guarded<Rows> rows_;
  base::Monitor<bool> is_locked_;
};

struct BudgetWorld {
  WritersLock writers{};
  Scope scope{};
};

constexpr int kCost = 2;
constexpr int kCap = 3;

void spend_share(BudgetWorld& world) {
  world.writers.share();
  // UPDATE budget …, where the scope has a cap.
  const bool is_counted = world.scope.read().cap.has_value();
  if (is_counted) world.scope.lock_row();
  // INSERT INTO budget_entry …, where it fits.
  const Scope::Rows seen = world.scope.read();
  if (!is_counted || seen.counted + kCost <= *seen.cap) {
    world.scope.commit([&](Scope::Rows& rows) {
      if (is_counted) rows.counted += kCost;
      rows.shares += kCost;
    });
  }
  if (is_counted) world.scope.unlock_row();
  world.writers.let_go();
}

enum class CapSetting : std::uint8_t { kAlone, kAmongOthers };

void set_cap(BudgetWorld& world, CapSetting how) {
  if (how == CapSetting::kAlone) {
    world.writers.be_alone();
  } else {
    world.writers.share();
  }
  world.scope.lock_row();
  // UPDATE budget SET cap = …, then reserved = (SELECT SUM(…) FROM budget_entry …).
  const int sum = world.scope.read().shares;
  world.scope.commit([&](Scope::Rows& rows) {
    rows.cap = kCap;
    rows.counted = sum;
  });
  world.scope.unlock_row();
  world.writers.let_go();
}

template <CapSetting kHow>
void cap_against_spenders(explore::Run& run) {
  BudgetWorld world;
  run.thread("first", [&] { spend_share(world); });
  run.thread("second", [&] { spend_share(world); });
  run.thread("person", [&] {
    set_cap(world, kHow);
    const int before = world.scope.read().shares;
    spend_share(world);
    run.require(world.scope.read().shares <= std::max(before, kCap), "the cap was passed");
  });
  run.join();
  const Scope::Rows end = world.scope.read();
  run.require(end.counted == end.shares, "what was spent is not what was counted");
}

TEST(BudgetsExplore, ACapSetAmongOthersForgetsWhatTheyHadStarted) {
  EXPECT_FINDS(
      explore::Failure::kCheck,
      explore::explore(test::kEverySchedule, cap_against_spenders<CapSetting::kAmongOthers>));
}

TEST(BudgetsExplore, ACapSetAloneCountsEverything) {
  test::expect_no_failing_schedule(cap_against_spenders<CapSetting::kAlone>);
}

}  // namespace
}  // namespace clever::storage

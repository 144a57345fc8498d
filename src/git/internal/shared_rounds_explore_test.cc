#include <gtest/gtest.h>

#include <algorithm>

#include "base/guarded.h"
#include "explore/explore.h"
#include "git/internal/shared_rounds.h"

namespace clever::git::internal {
namespace {

using explore::Failure;
using explore::Strategy;
using Rounds = SharedRounds<int, int>;

constexpr auto kOld = "an answer is older than its question";
constexpr auto kTwo = "two found out at the same time";

// What is asked about: a number that only grows.
class World {
 public:
  int change() {
    return value_.with([](int& value) { return ++value; });
  }
  [[nodiscard]] int look() const {
    return value_.with([](int value) { return value; });
  }

 private:
  base::Guarded<int> value_;
};

base::Result<Rounds::Answer> answer(int value) { return std::make_shared<const int>(value); }

int asked(Rounds& rounds, const Rounds::Make& make) {
  return *rounds.get(1, {}, base::Deadline::never(), make).value();
}

// As it would be written at first: whoever comes while somebody finds out takes what that one
// finds.
class JoinsWhatRuns {
 public:
  int get(const World& world) {
    const bool mine = state_.update([](State& state) {
      if (state.is_running) return false;
      state = {.is_running = true};
      return true;
    });
    if (mine) {
      const int found = world.look();
      state_.update([&](State& state) { state = {.is_running = false, .found = found}; });
      return found;
    }
    return state_
        .update_when(
            {}, [](const State& state) { return !state.is_running; },
            [](State& state) { return state.found; })
        .value();
  }

 private:
  struct State {
    bool is_running = false;
    int found = 0;
  };
  base::Monitor<State> state_;
};

TEST(SharedRoundsExplore, JoiningWhatRunsGivesOldAnswers) {
  EXPECT_FINDS(Failure::kCheck,
               explore::explore({.strategy = Strategy::kExhaustive}, [](explore::Run& run) {
                 World world;
                 JoinsWhatRuns naive;
                 for (const char* name : {"one", "other"}) {
                   run.thread(name, [&] {
                     const int mine = world.change();
                     run.require(naive.get(world) >= mine, kOld);
                   });
                 }
                 run.join();
               }));
}

TEST(SharedRoundsExplore, NoAnswerIsOlderThanItsQuestion) {
  std::size_t fewest = 100;
  const auto body = [&](explore::Run& run) {
    World world;
    Rounds rounds;
    base::Guarded<int> finding;
    base::Guarded<std::size_t> made;
    for (const char* name : {"one", "two", "three"}) {
      run.thread(name, [&] {
        const int mine = world.change();
        const int reported = asked(rounds, [&] {
          run.require(finding.with([](int& n) { return ++n; }) == 1, kTwo);
          made.with([](std::size_t& n) { ++n; });
          const int found = world.look();
          finding.with([](int& n) { --n; });
          return answer(found);
        });
        run.require(reported >= mine, kOld);
      });
    }
    run.join();
    fewest = std::min(fewest, made.with([](std::size_t n) { return n; }));
  };
  for (const auto strategy : {Strategy::kExhaustive, Strategy::kRandom, Strategy::kPct}) {
    EXPECT_NO_FAILURE(explore::explore({.strategy = strategy, .schedules = 2000}, body));
  }
  // Where all had asked before it began.
  EXPECT_EQ(fewest, 1U);
}

TEST(SharedRoundsExplore, AFailureReachesOneCallerAndStopsNoOther) {
  const auto body = [](explore::Run& run) {
    Rounds rounds;
    base::Guarded<int> made;
    base::Guarded<int> failures;
    for (const char* name : {"one", "two", "three"}) {
      run.thread(name, [&] {
        const auto reported = rounds.get(1, {}, base::Deadline::never(), [&] {
          const int number = made.with([](int& n) { return ++n; });
          return number == 1 ? base::unavailable("not now") : answer(number);
        });
        if (!reported.ok()) failures.with([](int& n) { ++n; });
      });
    }
    run.join();
    run.require(failures.with([](int n) { return n; }) == 1, "a failure was shared, or lost");
  };
  for (const auto strategy : {Strategy::kExhaustive, Strategy::kRandom, Strategy::kPct}) {
    EXPECT_NO_FAILURE(explore::explore({.strategy = strategy, .schedules = 2000}, body));
  }
}

TEST(SharedRounds, AStoppedWaiterDoesNotAffectTheOthers) {
  Rounds rounds;
  base::StopSource stop;
  stop.request_stop();
  const int reported = asked(rounds, [&] {
    // From inside a round there is one that runs: this would wait for ever.
    const auto stopped =
        rounds.get(1, stop.token(), base::Deadline::never(), [] { return answer(2); });
    EXPECT_EQ(stopped.error().code(), base::ErrorCode::kCancelled);
    EXPECT_EQ(**rounds.get(2, {}, base::Deadline::never(), [] { return answer(3); }), 3)
        << "keys share a round";
    return answer(1);
  });
  EXPECT_EQ(reported, 1);
}

TEST(SharedRounds, NothingIsKept) {
  Rounds rounds;
  const std::weak_ptr<const int> seen =
      *rounds.get(1, {}, base::Deadline::never(), [] { return answer(1); });
  EXPECT_TRUE(seen.expired());
  EXPECT_EQ(asked(rounds, [] { return answer(2); }), 2);
}

}  // namespace
}  // namespace clever::git::internal

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "base/ulid.h"
#include "explore/explore.h"

namespace clever::base {
namespace {

using explore::Failure;
using explore::Options;
using explore::Run;
using explore::Strategy;

// A generator without a lock: read the last id, add one, write it back.
class NaiveIds {
 public:
  std::uint64_t next() {
    const std::uint64_t id = last_.read() + 1;
    last_.write(id);
    return id;
  }

 private:
  explore::Racy<std::uint64_t> last_;
};

template <class Id>
void require_unique(Run& run, const std::vector<std::vector<Id>>& taken) {
  std::vector<Id> all;
  for (const auto& ids : taken) {
    run.require(std::ranges::adjacent_find(ids, std::greater_equal<>()) == ids.end(),
                "the ids of one thread increase");
    all.insert(all.end(), ids.begin(), ids.end());
  }
  std::ranges::sort(all);
  run.require(std::ranges::adjacent_find(all) == all.end(), "no id is handed out twice");
}

void take_naive_ids(Run& run) {
  NaiveIds ids;
  std::vector<std::vector<std::uint64_t>> taken(2);
  for (auto& mine : taken) {
    run.thread("taker", [&ids, &mine] {
      for (int i = 0; i < 2; ++i) mine.push_back(ids.next());
    });
  }
  run.join();
  require_unique(run, taken);
}

// Three threads take ids while the wall clock jumps back and forth.
void take_ulids(Run& run) {
  SimulatedClock clock;
  SeededRandom random(1);
  UlidGenerator generator(clock, random);
  std::vector<std::vector<Ulid>> taken(2);
  for (auto& mine : taken) {
    run.thread("taker", [&generator, &mine] {
      for (int i = 0; i < 2; ++i) mine.push_back(generator.next());
    });
  }
  run.thread("clock", [&clock] {
    clock.set_wall(clock.wall_now() - std::chrono::hours(1));
    clock.set_wall(clock.wall_now() + std::chrono::hours(2));
  });
  run.join();
  require_unique(run, taken);
}

TEST(UlidExplore, FindsTheRaceInANaiveGenerator) {
  EXPECT_FINDS(Failure::kCheck,
               explore::explore({.strategy = Strategy::kExhaustive}, take_naive_ids));
}

TEST(UlidExplore, FindsTheRaceInANaiveGeneratorAtRandom) {
  EXPECT_FINDS(Failure::kCheck, explore::explore({.strategy = Strategy::kRandom}, take_naive_ids));
}

TEST(UlidExplore, OursHoldsUnderEveryScheduleWithinTheBound) {
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = Strategy::kExhaustive, .schedules = 3000}, take_ulids));
}

TEST(UlidExplore, OursHoldsUnderRandomSchedules) {
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = Strategy::kRandom, .schedules = 500}, take_ulids));
}

TEST(UlidExplore, OursHoldsUnderPrioritySchedules) {
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kPct, .schedules = 500}, take_ulids));
}

}  // namespace
}  // namespace clever::base

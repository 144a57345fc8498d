#include <gtest/gtest.h>

#include "base/atomic.h"
#include "engine/actor/internal/background_cache.h"
#include "explore/explore.h"

namespace clever::engine::internal {
namespace {

using base::Deadline;
using explore::Failure;
using explore::Run;
using explore::Strategy;
using NumberCache = BackgroundCache<int>;

constexpr auto kMadeTwice = "the same was made twice";

void holds(const std::function<void(Run&)>& body) {
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kRandom, .schedules = 300}, body));
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kPct, .schedules = 300}, body));
}

NumberCache::Make making(int number, base::Atomic<int>& made) {
  return [number, &made](const base::StopToken&) -> base::Result<NumberCache::Value> {
    made.fetch_add(1);
    return std::make_shared<const int>(number);
  };
}

// Looks whether it is there, and makes it if it is not.
void make_naively(Run& run) {
  explore::Racy<bool> there;
  base::Atomic<int> made;  // how often; publishes nothing else
  for (const auto* name : {"one", "other"}) {
    run.thread(name, [&] {
      if (there.read()) return;
      made.fetch_add(1);
      there.write(true);
    });
  }
  run.join();
  run.require(made.load() == 1, kMadeTwice);
}

void both_want_it(Run& run) {
  base::ThreadPool pool{{.name = "pool", .threads = 2}};
  base::Atomic<int> made;  // how often; publishes nothing else
  NumberCache cache(pool, 2);
  for (const auto* name : {"one", "other"}) {
    run.thread(name, [&] {
      const auto got = cache.get("a", making(1, made), {}, Deadline::never());
      run.require(got.ok() && **got == 1, "it was made and not handed out");
    });
  }
  run.join();
  run.require(made.load() == 1, kMadeTwice);
}

// There is room for one: what one waits for must not go before it looks, or both make theirs for
// ever.
void there_is_room_for_one(Run& run) {
  base::ThreadPool pool{{.name = "pool", .threads = 2}};
  base::Atomic<int> made;  // how often; publishes nothing else
  NumberCache cache(pool, 1);
  for (const int number : {1, 2}) {
    run.thread(number == 1 ? "one" : "other", [&, number] {
      const auto got =
          cache.get(std::to_string(number), making(number, made), {}, Deadline::never());
      run.require(got.ok() && **got == number, "somebody got nothing, or another's");
    });
  }
  run.join();
}

// The end comes while something is being made: it is asked to stop, and waited for.
void it_ends(Run& run) {
  base::ThreadPool pool{{.name = "pool", .threads = 1}};
  base::Atomic<int> begun;  // publish nothing else
  base::Atomic<int> ended;
  {
    NumberCache cache(pool, 1);
    const auto make = [&](const base::StopToken& stop) -> base::Result<NumberCache::Value> {
      begun.fetch_add(1);
      base::Monitor<bool> never;
      const auto reported = never.wait(stop, Deadline::never(), [](bool value) { return value; });
      ended.fetch_add(1);
      return reported.error();
    };
    run.require(cache.prepare("a", make).ok(), "nobody makes it");
  }
  run.require(begun.load() == ended.load(), "it is being made after the end");
}

TEST(BackgroundCacheExplore, LookingAndThenMakingIsFound) {
  EXPECT_FINDS(Failure::kCheck,
               explore::explore({.strategy = Strategy::kExhaustive}, make_naively));
}

TEST(BackgroundCacheExplore, WhatTwoWantIsMadeOnce) { holds(both_want_it); }

TEST(BackgroundCacheExplore, AnAwaitedEntryStays) { holds(there_is_room_for_one); }

TEST(BackgroundCacheExplore, NothingIsMadeAfterTheEnd) { holds(it_ends); }

}  // namespace
}  // namespace clever::engine::internal

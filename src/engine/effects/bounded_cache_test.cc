#include "engine/effects/internal/bounded_cache.h"

#include <gtest/gtest.h>

#include "base/guarded.h"
#include "explore/explore.h"
#include "support/every_schedule.h"

namespace clever::engine::internal {
namespace {

using BoundedNumbers = BoundedCache<int, int>;

base::Result<std::shared_ptr<int>> made_number(int value) { return std::make_shared<int>(value); }

TEST(BoundedCache, OpensOnce) {
  BoundedNumbers cache(2);
  int openings = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(**cache.get(1, [&] { return made_number(++openings); }), 1);
  }
}

TEST(BoundedCache, AFailureIsTriedAgain) {
  BoundedNumbers cache(2);
  EXPECT_FALSE(cache.get(1, [] { return base::unavailable("not now"); }).ok());
  EXPECT_EQ(cache.size(), 0U);
  EXPECT_EQ(**cache.get(1, [] { return made_number(7); }), 7);
}

TEST(BoundedCache, DropsWhatWasUsedLongestAgo) {
  BoundedNumbers cache(2);
  for (const int key : {1, 2, 1, 3}) (void)cache.get(key, [&] { return made_number(key); });
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(**cache.get(1, [] { return made_number(-1); }), 1);
  EXPECT_EQ(**cache.get(2, [] { return made_number(-1); }), -1);
}

TEST(BoundedCache, KeepsWhatIsInUse) {
  BoundedNumbers cache(1);
  const auto held = cache.get(1, [] { return made_number(1); }).value();
  (void)cache.get(2, [] { return made_number(2); });
  EXPECT_EQ(cache.get(1, [] { return made_number(-1); }).value(), held);
}

TEST(BoundedCache, WhatIsTakenIsOpenedAgain) {
  BoundedNumbers cache(2);
  const auto first = cache.get(1, [] { return made_number(1); }).value();
  const int other = 0;
  EXPECT_EQ(cache.take(1, &other), nullptr);
  EXPECT_EQ(cache.take(1, first.get()), first);
  EXPECT_EQ(cache.take(1), nullptr);
  EXPECT_EQ(**cache.get(1, [] { return made_number(2); }), 2);
}

// As it would be written at first: looks, and opens what is not there.
class NaiveCache {
 public:
  std::shared_ptr<int> get(const std::function<std::shared_ptr<int>()>& open) {
    auto found = value_.with([](const auto& value) { return value; });
    if (found != nullptr) return found;
    auto opened = open();
    value_.with([&](auto& value) { value = opened; });
    return opened;
  }

 private:
  base::Guarded<std::shared_ptr<int>> value_;
};

TEST(BoundedCacheExplore, LookingFirstOpensTwice) {
  EXPECT_FINDS(
      explore::Failure::kCheck, explore::explore(test::kEverySchedule, [](explore::Run& run) {
        NaiveCache cache;
        base::Guarded<int> openings;
        for (const char* name : {"one", "other"}) {
          run.thread(name, [&] {
            (void)cache.get(
                [&] { return std::make_shared<int>(openings.with([](int& n) { return ++n; })); });
          });
        }
        run.join();
        run.require(openings.with([](int n) { return n; }) == 1, "opened twice");
      }));
}

TEST(BoundedCacheExplore, AllGetTheSameUntilItIsTaken) {
  const auto body = [](explore::Run& run) {
    BoundedNumbers cache(1);
    base::Guarded<int> openings;
    std::shared_ptr<int> got[2];
    for (int i = 0; i < 2; ++i) {
      run.thread("asks", [&, i] {
        got[i] =
            cache.get(1, [&] { return made_number(openings.with([](int& n) { return ++n; })); })
                .value();
      });
    }
    run.join();
    run.require(got[0] == got[1] && *got[0] == 1, "not one for both");
  };
  test::expect_no_failing_schedule(body);
}

TEST(BoundedCacheExplore, OneWhoWaitedForAFailureTriesHimself) {
  const auto body = [](explore::Run& run) {
    BoundedNumbers cache(1);
    base::Guarded<int> openings;
    base::Guarded<int> failures;
    for (const char* name : {"one", "other"}) {
      run.thread(name, [&] {
        const auto got = cache.get(1, [&]() -> base::Result<std::shared_ptr<int>> {
          if (openings.with([](int& n) { return ++n; }) == 1) return base::unavailable("no");
          return made_number(2);
        });
        if (!got.ok()) failures.with([](int& n) { ++n; });
      });
    }
    run.join();
    run.require(failures.with([](int n) { return n; }) == 1, "a failure was shared");
    run.require(cache.size() == 1, "it is not kept");
  };
  EXPECT_NO_FAILURE(explore::explore(test::kEverySchedule, body));
}

TEST(BoundedCacheExplore, TakingMeetsOpeningAndUsing) {
  const auto body = [](explore::Run& run) {
    BoundedNumbers cache(1);
    std::shared_ptr<int> got;
    run.thread("asks", [&] { got = cache.get(1, [] { return made_number(1); }).value(); });
    run.thread("takes", [&] { (void)cache.take(1); });
    run.thread("crowds", [&] { (void)cache.get(2, [] { return made_number(2); }); });
    run.join();
    run.require(got != nullptr && *got == 1, "lost while it was used");
  };
  EXPECT_NO_FAILURE(explore::explore(test::kEverySchedule, body));
}

}  // namespace
}  // namespace clever::engine::internal

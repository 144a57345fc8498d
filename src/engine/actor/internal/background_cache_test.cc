#include "engine/actor/internal/background_cache.h"

#include <gtest/gtest.h>

#include "base/atomic.h"
#include "base/clock.h"

namespace clever::engine::internal {
namespace {

using NumberCache = BackgroundCache<int>;

class BackgroundCacheTest : public testing::Test {
 protected:
  NumberCache::Make making(int number) {
    return [this, number](const base::StopToken&) -> base::Result<NumberCache::Value> {
      made_.fetch_add(1);
      return std::make_shared<const int>(number);
    };
  }
  // Does not come to an end before it is let go.
  NumberCache::Make held(int number) {
    return [this, number](const base::StopToken& stop) -> base::Result<NumberCache::Value> {
      CLEVER_TRY(open_.wait(stop, base::Deadline::never(), [](bool open) { return open; }));
      return std::make_shared<const int>(number);
    };
  }
  base::Result<NumberCache::Value> get(const std::string& key, NumberCache::Make make) {
    return cache_.get(key, std::move(make), {}, base::Deadline::never());
  }

  base::SystemClock clock_;
  base::Atomic<int> made_{0};
  base::Monitor<bool> open_;
  base::ThreadPool pool_{{.name = "test", .threads = 2, .queue_limit = 1}};
  NumberCache cache_{pool_, 2};
};

TEST_F(BackgroundCacheTest, WhatIsThereIsNotMadeAgain) {
  EXPECT_EQ(**get("a", making(1)), 1);
  EXPECT_EQ(**get("a", making(2)), 1);
  EXPECT_EQ(made_.load(), 1);
  EXPECT_EQ(*cache_.find("a"), 1);
  EXPECT_EQ(cache_.find("b"), nullptr);
}

TEST_F(BackgroundCacheTest, WaitingEndsAtTheDeadlineAndTheMakingContinues) {
  const auto late =
      cache_.get("a", held(1), {}, base::Deadline::after(clock_, std::chrono::milliseconds(1)));
  EXPECT_EQ(late.error().code(), base::ErrorCode::kDeadlineExceeded);
  open_.update([](bool& open) { open = true; });
  EXPECT_EQ(**get("a", making(2)), 1);
}

TEST_F(BackgroundCacheTest, WhatFailedIsReportedAndMadeAgain) {
  const auto failed = get("a", [](const base::StopToken&) { return base::unavailable("no disk"); });
  EXPECT_EQ(failed.error().message(), "no disk");
  EXPECT_EQ(**get("a", making(2)), 2);
}

TEST_F(BackgroundCacheTest, TheLeastRecentlyUsedGoes) {
  (void)get("a", making(1));
  (void)get("b", making(2));
  (void)cache_.find("a");
  (void)get("c", making(3));
  EXPECT_NE(cache_.find("a"), nullptr);
  EXPECT_EQ(cache_.find("b"), nullptr);
}

TEST_F(BackgroundCacheTest, TooMuchToDoIsRefused) {
  bool refused = false;
  for (int i = 0; i < 8 && !refused; ++i) {
    refused = !cache_.prepare("held " + std::to_string(i), held(i)).ok();
  }
  EXPECT_TRUE(refused);
  open_.update([](bool& open) { open = true; });
}

TEST_F(BackgroundCacheTest, TheEndStopsWhatIsBeingMade) {
  base::ThreadPool pool{{.name = "test", .threads = 1}};
  base::Monitor<bool> begun;
  const auto is_true = [](bool value) { return value; };
  base::Result<void> ended;
  {
    NumberCache cache(pool, 2);
    const auto make = [&](const base::StopToken& stop) -> base::Result<NumberCache::Value> {
      begun.update([](bool& value) { value = true; });
      ended = open_.wait(stop, base::Deadline::never(), is_true);
      return ended.error();
    };
    ASSERT_TRUE(cache.prepare("a", make).ok());
    ASSERT_TRUE(begun.wait({}, base::Deadline::never(), is_true).ok());
  }
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code(), base::ErrorCode::kCancelled);
}

}  // namespace
}  // namespace clever::engine::internal

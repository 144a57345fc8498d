#include "base/lock_rank.h"

#include <gtest/gtest.h>

#include "base/guarded.h"
#include "base/thread.h"

namespace clever::base {
namespace {

TEST(LockRank, GreaterRanksMayBeTakenUnderLesserOnes) {
  Guarded<int, LockRank::kService> service;
  Guarded<int, LockRank::kComponent> component;
  Guarded<int> leaf;
  const int seen = service.with([&](int&) {
    return component.with([&](int&) { return leaf.with([](int& value) { return ++value; }); });
  });
  EXPECT_EQ(seen, 1);
}

TEST(LockRank, OneAfterTheOtherNeedsNoOrder) {
  Guarded<int> first;
  Guarded<int> second;
  second.with([](int&) {});
  first.with([](int&) {});
  EXPECT_EQ(second.with([](int& value) { return ++value; }), 1);
}

TEST(LockRank, BelongsToItsThread) {
  Guarded<int> mine;
  Guarded<int> other;
  int seen = 0;
  Thread thread("other", [&](StopToken) { seen = other.with([](int& value) { return ++value; }); });
  thread.join();
  EXPECT_EQ(mine.with([&](int&) { return seen; }), 1);
}

TEST(LockRank, MayBeReleasedInAnyOrder) {
  lock_rank::push(LockRank::kService);
  lock_rank::push(LockRank::kComponent);
  lock_rank::push(LockRank::kLeaf);
  lock_rank::pop(LockRank::kService);
  lock_rank::pop(LockRank::kLeaf);
  lock_rank::push(LockRank::kLeaf);
  lock_rank::pop(LockRank::kLeaf);
  lock_rank::pop(LockRank::kComponent);
  lock_rank::require_none("checking that all were released");
}

TEST(LockRank, ALockObtainedWithoutWaitingNeedsNoOrder) {
  Mutex first;
  Mutex second;
  const MutexLock lock(first);
  const bool locked = second.try_lock();
  EXPECT_TRUE(locked);
  if (locked) second.unlock();
}

TEST(LockRank, OneLockIsToleratedWhereOneIsReleasedByWaiting) {
  lock_rank::require_at_most_one("waiting without a lock");
  lock_rank::push(LockRank::kLeaf);
  lock_rank::require_at_most_one("waiting");
  lock_rank::pop(LockRank::kLeaf);
}

TEST(LockRankDeathTest, EnteringALockTwiceAborts) {
  Guarded<int> guarded;
  EXPECT_DEATH(guarded.with([&](int&) { guarded.with([](int&) {}); }),
               "lock order: taking rank 300 while holding rank 300");
}

TEST(LockRankDeathTest, TwoLeavesDoNotNest) {
  Guarded<int> first;
  Guarded<int> second;
  EXPECT_DEATH(first.with([&](int&) { second.with([](int&) {}); }),
               "taking rank 300 while holding");
}

TEST(LockRankDeathTest, TheMessageNamesBothRanksAndTheCure) {
  Guarded<int, LockRank::kComponent> component;
  Guarded<int> leaf;
  EXPECT_DEATH(leaf.with([&](int&) { component.with([](int&) {}); }),
               "taking rank 200 while holding rank 300; take the lower rank first, or leave the "
               "first lock before the second");
}

TEST(LockRankDeathTest, ATriedLockStillCountsForThoseTakenUnderIt) {
  Guarded<int, LockRank::kComponent> component;
  lock_rank::push_unordered(LockRank::kLeaf);
  EXPECT_DEATH(component.with([](int&) {}), "taking rank 200 while holding rank 300");
  lock_rank::pop(LockRank::kLeaf);
}

TEST(LockRankDeathTest, RequireNoneNamesWhatWasDone) {
  EXPECT_DEATH(
      {
        lock_rank::push(LockRank::kLeaf);
        lock_rank::require_none("writing a file");
      },
      "under a lock of rank 300: writing a file");
}

TEST(LockRankDeathTest, WaitingUnderASecondLockAborts) {
  EXPECT_DEATH(
      {
        lock_rank::push(LockRank::kComponent);
        lock_rank::push(LockRank::kLeaf);
        lock_rank::require_at_most_one("waiting");
      },
      "under a lock of rank 200: waiting");
}

TEST(LockRankDeathTest, ReleasingWhatIsNotHeldAborts) {
  EXPECT_DEATH(lock_rank::pop(LockRank::kLeaf), "released a lock this thread does not hold");
}

TEST(LockRankDeathTest, MoreLocksThanAnyCodeNeedsAbort) {
  EXPECT_DEATH(
      {
        for (int i = 0; i < 17; ++i) lock_rank::push_unordered(LockRank::kLeaf);
      },
      "more than 16 locks");
}

}  // namespace
}  // namespace clever::base

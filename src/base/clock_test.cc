#include "base/clock.h"

#include <gtest/gtest.h>

#include "base/deadline.h"
#include "base/thread.h"

namespace clever::base {
namespace {

using std::chrono::seconds;

TEST(SystemClock, MovesForward) {
  const SystemClock clock;
  const TimePoint before = clock.now();
  EXPECT_GE(clock.now(), before);
  EXPECT_GT(clock.wall_now(), WallTime{} + std::chrono::years(50));
}

TEST(SystemClock, AWaitEndsAtItsTime) {
  SystemClock clock;
  Mutex mutex;
  CondVar changed;
  const TimePoint until = clock.now() + std::chrono::milliseconds(2);
  const MutexLock lock(mutex);
  while (clock.now() < until) clock.wait_until(changed, mutex, until);
  EXPECT_GE(clock.now(), until);
}

TEST(SimulatedClock, StandsStillUntilAdvanced) {
  SimulatedClock clock;
  const TimePoint start = clock.now();
  const WallTime wall = clock.wall_now();
  EXPECT_EQ(clock.now(), start);
  clock.advance(seconds(3));
  EXPECT_EQ(clock.now() - start, seconds(3));
  EXPECT_EQ(clock.wall_now() - wall, seconds(3));
}

TEST(SimulatedClock, TheWallClockMayGoBackwards) {
  SimulatedClock clock;
  const TimePoint start = clock.now();
  clock.set_wall(clock.wall_now() - seconds(60));
  EXPECT_EQ(clock.now(), start);
}

TEST(SimulatedClock, AdvanceWakesOnlyWhatIsDue) {
  SimulatedClock clock;
  Mutex mutex;
  CondVar changed;
  int woken = 0;
  const TimePoint start = clock.now();
  const auto wait_for = [&](Duration time) {
    return [&, until = start + time](const StopToken&) {
      const MutexLock lock(mutex);
      while (clock.now() < until) clock.wait_until(changed, mutex, until);
      ++woken;
    };
  };
  Thread near("near", wait_for(seconds(1)));
  Thread far("far", wait_for(seconds(100)));
  while (clock.waiters() < 2) std::this_thread::yield();
  clock.advance(seconds(1));
  near.join();
  {
    const MutexLock lock(mutex);
    EXPECT_EQ(woken, 1);
  }
  clock.advance(seconds(99));
  far.join();
  EXPECT_EQ(clock.waiters(), 0U);
}

TEST(SimulatedClock, AWaitForThePastReturnsAtOnce) {
  SimulatedClock clock;
  Mutex mutex;
  CondVar changed;
  const MutexLock lock(mutex);
  clock.wait_until(changed, mutex, clock.now());
  EXPECT_EQ(clock.waiters(), 0U);
}

}  // namespace
}  // namespace clever::base

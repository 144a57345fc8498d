#include "base/deadline.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/thread.h"

namespace clever::base {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class DeadlineTest : public testing::Test {
 protected:
  SimulatedClock clock_;
};

TEST_F(DeadlineTest, NeverDoesNotPass) {
  const Deadline never = Deadline::never();
  clock_.advance(std::chrono::hours(1'000'000));
  EXPECT_TRUE(never.is_never());
  EXPECT_FALSE(never.passed());
  EXPECT_EQ(never.remaining(), Duration::max());
}

TEST_F(DeadlineTest, PassesAtItsTime) {
  const Deadline deadline = Deadline::after(clock_, seconds(5));
  EXPECT_FALSE(deadline.is_never());
  clock_.advance(seconds(5) - Duration(1));
  EXPECT_FALSE(deadline.passed());
  clock_.advance(Duration(1));
  EXPECT_TRUE(deadline.passed());
}

TEST_F(DeadlineTest, CountsDownToZeroAndNoFurther) {
  const Deadline deadline = Deadline::after(clock_, seconds(5));
  EXPECT_EQ(deadline.remaining(), seconds(5));
  clock_.advance(seconds(2));
  EXPECT_EQ(deadline.remaining(), seconds(3));
  clock_.advance(seconds(9));
  EXPECT_EQ(deadline.remaining(), Duration::zero());
}

TEST_F(DeadlineTest, ADurationInThePastHasPassed) {
  clock_.advance(seconds(10));
  EXPECT_TRUE(Deadline::after(clock_, seconds(-1)).passed());
  EXPECT_TRUE(Deadline::after(clock_, Duration::zero()).passed());
}

TEST_F(DeadlineTest, ADurationBeyondTheEndOfTimeIsNever) {
  clock_.advance(seconds(10));
  EXPECT_TRUE(Deadline::after(clock_, Duration::max()).is_never());
}

TEST_F(DeadlineTest, AtNamesAPointOfItsClock) {
  const Deadline deadline = Deadline::at(clock_, clock_.now() + milliseconds(7));
  EXPECT_EQ(deadline.remaining(), milliseconds(7));
}

TEST_F(DeadlineTest, TheEarlierOfTwo) {
  const Deadline soon = Deadline::after(clock_, seconds(1));
  const Deadline late = Deadline::after(clock_, seconds(2));
  EXPECT_EQ(soon.earlier(late).remaining(), seconds(1));
  EXPECT_EQ(late.earlier(soon).remaining(), seconds(1));
  EXPECT_EQ(Deadline::never().earlier(late).remaining(), seconds(2));
  EXPECT_EQ(late.earlier(Deadline::never()).remaining(), seconds(2));
  EXPECT_TRUE(Deadline::never().earlier(Deadline::never()).is_never());
}

TEST_F(DeadlineTest, MovingTheWallClockChangesNothing) {
  const Deadline deadline = Deadline::after(clock_, seconds(5));
  clock_.set_wall(clock_.wall_now() + std::chrono::hours(24));
  EXPECT_EQ(deadline.remaining(), seconds(5));
}

TEST_F(DeadlineTest, WaitingEndsWhenItPasses) {
  Mutex mutex;
  CondVar changed;
  const Deadline deadline = Deadline::after(clock_, seconds(5));
  Thread waiter("waiter", [&](StopToken) {
    const MutexLock lock(mutex);
    while (!deadline.passed()) deadline.wait(changed, mutex);
  });
  while (clock_.waiters() == 0) std::this_thread::yield();
  clock_.advance(seconds(5));
  waiter.join();
  EXPECT_TRUE(deadline.passed());
}

TEST_F(DeadlineTest, WaitingForNeverEndsWithANotification) {
  Mutex mutex;
  CondVar changed;
  bool ready = false;
  bool seen = false;
  Thread waiter("waiter", [&](StopToken) {
    const MutexLock lock(mutex);
    while (!ready) Deadline::never().wait(changed, mutex);
    seen = true;
  });
  {
    const MutexLock lock(mutex);
    ready = true;
    changed.notify_all();
  }
  waiter.join();
  EXPECT_TRUE(seen);
}

}  // namespace
}  // namespace clever::base

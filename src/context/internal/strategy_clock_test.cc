#include "context/internal/strategy_clock.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/deadline.h"
#include "base/monitor.h"

namespace clever::context::internal {
namespace {

using std::chrono::seconds;

TEST(StrategyClock, IsTheExecutorsClock) {
  base::SimulatedClock real;
  const StrategyClock clock(real);
  real.advance(seconds(5));
  EXPECT_EQ(clock.now(), real.now());
  EXPECT_EQ(clock.wall_now(), real.wall_now());
}

TEST(StrategyClock, SaysThatItIsLateOnceItIsClosed) {
  std::optional<base::SimulatedClock> real(std::in_place);
  StrategyClock clock(*real);
  const auto deadline = base::Deadline::after(clock, seconds(1000));
  EXPECT_FALSE(deadline.passed());
  clock.close();
  real.reset();
  EXPECT_TRUE(deadline.passed());
  EXPECT_EQ(deadline.remaining(), base::Duration::zero());
  EXPECT_GT(clock.wall_now(), base::WallTime{});
}

TEST(StrategyClock, WaitsUntilItsDeadline) {
  base::SystemClock real;
  StrategyClock clock(real);
  base::Monitor<bool> never;
  const auto waited = never.wait({}, base::Deadline::after(clock, std::chrono::milliseconds(25)),
                                 [](bool value) { return value; });
  EXPECT_EQ(waited.error().code(), base::ErrorCode::kDeadlineExceeded);
}

TEST(StrategyClock, DoesNotWaitForWhatHasPassed) {
  base::SimulatedClock real;
  StrategyClock clock(real);
  base::Mutex mutex;
  base::CondVar changed;
  const base::MutexLock lock(mutex);
  clock.wait_until(changed, mutex, real.now());
}

}  // namespace
}  // namespace clever::context::internal

#include "base/thread.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/guarded.h"
#include "base/monitor.h"

namespace clever::base {
namespace {

TEST(Thread, TheDestructorStopsAndJoins) {
  bool stopped = false;
  {
    Monitor<bool> never;
    Thread thread("worker", [&](const StopToken& stop) {
      stopped = !never.wait(stop, Deadline::never(), [](bool value) { return value; }).ok();
    });
  }
  EXPECT_TRUE(stopped);
}

TEST(Thread, JoinWaitsAndMayBeRepeated) {
  int result = 0;
  Thread thread("a name of more than fifteen characters", [&](const StopToken&) { result = 5; });
  thread.join();
  EXPECT_EQ(result, 5);
  thread.join();
}

TEST(Thread, RequestStopReachesTheBody) {
  Thread thread("spinner", [](const StopToken& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
  });
  thread.request_stop();
  thread.join();
}

TEST(Thread, DestroysCapturesBeforeJoinReturns) {
  auto shared = std::make_shared<int>(1);
  Thread thread("holder", [held = shared](const StopToken&) {});
  thread.join();
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(ThreadDeathTest, JoiningUnderALockAborts) {
  EXPECT_DEATH(
      {
        Guarded<int> value;
        Thread thread("worker", [](const StopToken&) {});
        value.with([&](int&) { thread.join(); });
      },
      "joining a thread");
}

}  // namespace
}  // namespace clever::base

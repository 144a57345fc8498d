#include "io/process_mutex.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/monitor.h"
#include "base/thread.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using base::ErrorCode;

class ProcessMutexTest : public ::testing::Test {
 protected:
  [[nodiscard]] ProcessMutex open() const { return ProcessMutex::open(folder_ / "lock").value(); }
  test::TemporaryDirectory folder_;
};

TEST_F(ProcessMutexTest, IsTakenAndReleasedManyTimes) {
  auto mutex = open();
  for (int i = 0; i < 3; ++i) {
    mutex.lock({}).value();
    mutex.unlock();
  }
}

TEST_F(ProcessMutexTest, AFileThatCannotBeMadeIsAnError) {
  EXPECT_EQ(ProcessMutex::open(folder_ / "none/lock").error().code(), ErrorCode::kNotFound);
}

TEST_F(ProcessMutexTest, AWaiterGetsItWhenTheHolderReleasesIt) {
  auto holder = open();
  holder.lock({}).value();
  base::Monitor<bool> locked;
  base::Thread waiter("waiter", [&](const base::StopToken&) {
    auto mutex = open();
    mutex.lock({}).value();
    locked.update([](bool& held) { held = true; });
    mutex.unlock();
  });
  EXPECT_FALSE(locked.read([](bool held) { return held; }));
  holder.unlock();
  waiter.join();
  EXPECT_TRUE(locked.read([](bool held) { return held; }));
}

TEST_F(ProcessMutexTest, TheDeathOfTheHolderReleasesIt) {
  test::in_child([&] {
    auto mutex = open();
    mutex.lock({}).value();
    std::raise(SIGKILL);
    return 0;
  });
  open().lock({}).value();
}

TEST_F(ProcessMutexTest, AStopEndsTheWait) {
  auto holder = open();
  holder.lock({}).value();
  for (int i = 0; i < 50; ++i) {
    base::StopSource stop;
    base::Monitor<bool> begun;
    ErrorCode answer = ErrorCode::kInternal;
    base::Thread waiter("waiter", [&](const base::StopToken&) {
      auto mutex = open();
      begun.update([](bool& value) { value = true; });
      answer = mutex.lock(stop.token()).error().code();
    });
    begun.wait({}, base::Deadline::never(), [](bool value) { return value; }).value();
    stop.request_stop();
    waiter.join();
    EXPECT_EQ(answer, ErrorCode::kCancelled);
  }
}

TEST_F(ProcessMutexTest, AStopThatCameBeforeEndsTheWaitToo) {
  auto holder = open();
  holder.lock({}).value();
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(open().lock(stop.token()).error().code(), ErrorCode::kCancelled);
}

TEST_F(ProcessMutexTest, AFreeLockWinsOverAStop) {
  base::StopSource stop;
  stop.request_stop();
  EXPECT_TRUE(open().lock(stop.token()).ok());
}

}  // namespace
}  // namespace clever::io

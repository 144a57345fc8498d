#include "base/crash_point.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "support/child_process.h"

namespace clever::base {
namespace {

TEST(CrashPointDeathTest, DoesNothingUnlessConfigured) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::unsetenv("CLEVER_CRASH_AT");
        crash_point("here");
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(CrashPointDeathTest, KillsAtTheNthPass) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::setenv("CLEVER_CRASH_AT", "here:3", 1);
        crash_point("here");
        crash_point("elsewhere");
        crash_point("here");
        ::write(2, "two", 3);
        crash_point("here");
        std::exit(0);
      },
      testing::KilledBySignal(SIGKILL), "two");
}

TEST(CrashPointTest, StopsWhereverANameBeginsSo) {
  test::ChildProcess child([] {
    ::setenv("CLEVER_STOP_AT", "here", 1);
    crash_point("here.1");
    crash_point("elsewhere");
    crash_point("here.2");
    return 7;
  });
  for (int stop = 0; stop < 2; ++stop) {
    ASSERT_TRUE(child.stops());
    child.go_on();
  }
  EXPECT_FALSE(child.stops());
  EXPECT_EQ(child.wait(), 7);
}

}  // namespace
}  // namespace clever::base

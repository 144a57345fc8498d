#include "base/crash_point.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace clever::base {
namespace {

TEST(CrashPointDeathTest, DoesNothingUnlessToldSo) {
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

}  // namespace
}  // namespace clever::base

#include "base/check.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

namespace clever::base {
namespace {

TEST(Check, LetsATrueConditionPass) {
  int evaluations = 0;
  CLEVER_CHECK(++evaluations == 1, "evaluated once");
  EXPECT_EQ(evaluations, 1);
}

TEST(Check, DoesNotBuildTheMessageOfATrueCondition) {
  bool built = false;
  const auto message = [&built] {
    built = true;
    return std::string("message");
  };
  CLEVER_CHECK(true, message());
  EXPECT_FALSE(built);
}

TEST(CheckDeathTest, AFalseConditionAbortsAndSaysWhatAndWhere) {
  const int two = 2;
  EXPECT_DEATH(CLEVER_CHECK(two == 3, "two is not three"),
               "CHECK failed: two is not three \\(two == 3\\) at .*check_test\\.cc:[0-9]+");
}

TEST(CheckDeathTest, AbortsWithTheSignalThatDebuggersCatch) {
  EXPECT_EXIT(CLEVER_CHECK(false, "x"), testing::KilledBySignal(SIGABRT), "x");
}

TEST(CheckDeathTest, StandsWhereOneStatementMayStand) {
  const auto check = [](bool holds) {
    if (holds)
      CLEVER_CHECK(holds, "unreachable");
    else
      CLEVER_CHECK(holds, "the other branch");
  };
  check(true);
  EXPECT_DEATH(check(false), "the other branch");
}

}  // namespace
}  // namespace clever::base

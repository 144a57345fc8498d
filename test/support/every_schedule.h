#pragma once
// Searches of the schedule explorer that are meant to reach every schedule.
#include <gtest/gtest.h>

#include <functional>

#include "explore/explore.h"

namespace clever::test {

/// Far more schedules than a body of a test has: whoever needs them all asks Outcome::complete.
inline constexpr explore::Options kEverySchedule{.strategy = explore::Strategy::kExhaustive,
                                                 .schedules = 200'000};

/// Fails the test unless the search ended, and none of the schedules failed.
inline void expect_no_failing_schedule(const std::function<void(explore::Run&)>& body,
                                       const explore::Options& options = kEverySchedule) {
  const auto outcome = explore::explore(options, body);
  EXPECT_FALSE(outcome.failed()) << outcome;
  EXPECT_TRUE(outcome.complete) << outcome;
}

}  // namespace clever::test

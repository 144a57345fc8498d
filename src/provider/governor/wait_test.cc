#include "provider/governor/wait.h"

#include <gtest/gtest.h>

namespace clever::provider {
namespace {

using namespace std::chrono_literals;

TEST(WaitTest, DurationsAreSaidInTwoUnitsAtMost) {
  const auto check = [](base::Duration duration, const char* text) {
    EXPECT_EQ(duration_text(duration), text);
  };
  check(-1s, "0 s");
  check(0s, "0 s");
  check(1ms, "1 s");
  check(59s, "59 s");
  check(60s, "1 min");
  check(200s, "3 min 20 s");
  check(2h, "2 h");
  check(2h + 5min + 3s, "2 h 5 min");
}

TEST(WaitTest, SaysWhoWhyAndHowLong) {
  const base::TimePoint now{1h};
  const auto check = [&](const Wait& wait, const char* text) {
    EXPECT_EQ(wait.sentence("a/m", now), text);
  };
  check({WaitReason::kTurn, {}, {}}, "a/m: other calls are ahead");
  check({WaitReason::kTurn, now + 10s, {}}, "a/m: other calls are ahead; about 10 s left");
  check({WaitReason::kRate, now + 7s, {}},
        "a/m: the rate limit is used up for now; about 7 s left");
  check({WaitReason::kStore, {}, {}}, "a/m: waiting for the database that shares the limits");
  check({WaitReason::kAskedTo, now + 60s, {}}, "a/m asked to wait; next try in 1 min");
  check({WaitReason::kUnavailable, {}, {}}, "a/m is unavailable");
  const auto caused = [&](FailureKind kind, const char* text) {
    check({WaitReason::kUnavailable, now + 40s, kind}, text);
  };
  caused(FailureKind::kRateLimited, "a/m limits the rate; next try in 40 s");
  caused(FailureKind::kOverloaded, "a/m is overloaded; next try in 40 s");
  caused(FailureKind::kConnection, "a/m cannot be reached; next try in 40 s");
  caused(FailureKind::kTimeout, "a/m does not answer in time; next try in 40 s");
  caused(FailureKind::kCut, "a/m cut an answer off; next try in 40 s");
  caused(FailureKind::kMalformed, "a/m sent an answer that cannot be read; next try in 40 s");
}

TEST(WaitTest, ReasonsHaveNames) {
  EXPECT_EQ(to_string(WaitReason::kTurn), "turn");
  EXPECT_EQ(to_string(WaitReason::kRate), "rate");
  EXPECT_EQ(to_string(WaitReason::kAskedTo), "asked_to");
  EXPECT_EQ(to_string(WaitReason::kUnavailable), "unavailable");
  EXPECT_EQ(to_string(WaitReason::kStore), "store");
}

}  // namespace
}  // namespace clever::provider

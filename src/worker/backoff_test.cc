#include "worker/backoff.h"

#include <gtest/gtest.h>

#include <set>

namespace clever::worker {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

TEST(Backoff, DoublesWithEachAttempt) {
  base::SeededRandom random(1);
  const Backoff exact{.jitter = 0};
  EXPECT_EQ(exact.after(AttemptNumber{1}, random), seconds{1});
  EXPECT_EQ(exact.after(AttemptNumber{2}, random), seconds{2});
  EXPECT_EQ(exact.after(AttemptNumber{5}, random), seconds{16});
}

TEST(Backoff, StopsGrowingAtItsLimit) {
  base::SeededRandom random(1);
  const Backoff exact{.limit = seconds{10}, .jitter = 0};
  EXPECT_EQ(exact.after(AttemptNumber{5}, random), seconds{10});
  EXPECT_EQ(exact.after(AttemptNumber{1'000'000}, random), seconds{10});
}

TEST(Backoff, OfAnAttemptThatNeverBeganIsTheFirst) {
  base::SeededRandom random(1);
  EXPECT_EQ((Backoff{.jitter = 0}.after(AttemptNumber{0}, random)), seconds{1});
}

TEST(Backoff, JitterSpreadsWithinItsShare) {
  base::SeededRandom random(1);
  std::set<microseconds> seen;
  for (int i = 0; i < 100; ++i) {
    const auto wait = Backoff{}.after(AttemptNumber{3}, random);
    EXPECT_LE(wait, seconds{4});
    EXPECT_GE(wait, seconds{2});
    seen.insert(wait);
  }
  EXPECT_GT(seen.size(), 90U);
}

}  // namespace
}  // namespace clever::worker

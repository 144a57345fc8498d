#include "worker/internal/scan_hints.h"

#include <gtest/gtest.h>

namespace clever::worker::internal {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Depth = ScanHints::Depth;

constexpr base::TimePoint at(base::Duration since) { return base::TimePoint{} + since; }
constexpr std::size_t kNormal = static_cast<std::size_t>(Priority::kNormal);

// Has looked everywhere at time 0, which took this long.
ScanHints begun(base::Duration took = {}) {
  ScanHints hints;
  hints.scanned(Depth::kAll, at(seconds{0}), at(took));
  return hints;
}

TEST(ScanHints, TheFirstClaimLooksEverywhere) {
  EXPECT_EQ(ScanHints().next(at(seconds{0}), false), Depth::kAll);
}

TEST(ScanHints, TheNextBeginsAtTheLastJobClaimed) {
  auto hints = begun();
  hints.claimed(Priority::kNormal, 50);
  hints.claimed(Priority::kNormal, 40);
  EXPECT_EQ(hints.next(at(milliseconds{1}), false), Depth::kTop);
  EXPECT_EQ(hints.floors(Depth::kTop)[kNormal], 50);
  EXPECT_EQ(hints.floors(Depth::kTop)[0], 0);
}

TEST(ScanHints, AnEmptyScanLooksDeeper) {
  EXPECT_EQ(begun().next(at(milliseconds{1}), true), Depth::kRecent);
}

TEST(ScanHints, AtTimesEveryoneLooksDeeper) {
  EXPECT_EQ(begun().next(at(milliseconds{250}), false), Depth::kRecent);
  EXPECT_EQ(begun().next(at(seconds{60}), false), Depth::kAll);
}

TEST(ScanHints, ADeepLookThatWasDearIsRare) {
  const auto hints = begun(seconds{1});
  EXPECT_EQ(hints.next(at(seconds{20}), true), Depth::kTop);
  EXPECT_EQ(hints.look_again(at(seconds{20}), Depth::kTop), at(seconds{21}));
  EXPECT_EQ(hints.next(at(seconds{21}), true), Depth::kRecent);
  EXPECT_EQ(hints.next(at(seconds{100}), true), Depth::kRecent);
  EXPECT_EQ(hints.next(at(seconds{101}), true), Depth::kAll);
}

TEST(ScanHints, TheUsualTimeOfAClaimDoesNotDelayADeepOne) {
  auto hints = begun();
  for (int i = 0; i < 100; ++i) hints.scanned(Depth::kTop, at(seconds{0}), at(milliseconds{80}));
  hints.scanned(Depth::kRecent, at(seconds{0}), at(milliseconds{80}));
  EXPECT_EQ(hints.next(at(milliseconds{120}), true), Depth::kRecent);
}

TEST(ScanHints, TheRecentIsHalfAMinuteOld) {
  ScanHints hints;
  for (int second = 0; second <= 200; ++second) {
    hints.claimed(Priority::kNormal, second);
    hints.scanned(Depth::kTop, at(seconds{1000 + second}), at(seconds{1000 + second}));
    const auto floor = hints.floors(Depth::kRecent)[kNormal];
    EXPECT_LE(floor, std::max(0, second - 30));
    EXPECT_GE(floor, second - 61);
  }
}

TEST(ScanHints, AJobThatReturnedIsSeenAtEveryDepth) {
  auto hints = begun();
  hints.claimed(Priority::kNormal, 50);
  hints.returned(Priority::kNormal, 20);
  EXPECT_EQ(hints.floors(Depth::kTop)[kNormal], 20);
  EXPECT_LE(hints.floors(Depth::kRecent)[kNormal], 20);
  EXPECT_EQ(hints.floors(Depth::kAll)[kNormal], 0);
}

TEST(ScanHints, AfterADeepLookThatFoundNothingTheNextIsTheDeepest) {
  EXPECT_EQ(begun().look_again(at(seconds{1}), Depth::kRecent), at(seconds{60}));
  EXPECT_EQ(begun().look_again(at(seconds{70}), Depth::kRecent), at(seconds{70}));
}

}  // namespace
}  // namespace clever::worker::internal

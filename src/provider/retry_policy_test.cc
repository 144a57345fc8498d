#include "provider/retry_policy.h"

#include <gtest/gtest.h>

namespace clever::provider {
namespace {

// "again again next": what follows each of `times` failures of a kind.
std::string steps(FailureKind kind, bool began, int times) {
  RetryPolicy policy;
  std::string text;
  for (int i = 0; i < times; ++i) {
    const NextStep next = policy.after(kind, began);
    text += next == NextStep::kTryAgain ? "again "
            : next == NextStep::kReport ? "report "
                                        : "next ";
  }
  return text;
}

TEST(RetryPolicyTest, IsTheTable) {
  const auto check = [](FailureKind kind, bool began, const char* expected) {
    EXPECT_EQ(steps(kind, began, 6), expected) << to_string(kind);
  };
  constexpr const char* kAlways = "again again again again again again ";
  constexpr const char* kNext = "next next next next next next ";
  constexpr const char* kNever = "report report report report report report ";
  check(FailureKind::kRateLimited, false, kAlways);
  check(FailureKind::kOverloaded, true, kAlways);
  check(FailureKind::kConnection, false, kAlways);
  check(FailureKind::kTimeout, false, kAlways);
  check(FailureKind::kTimeout, true, "again again again again next next ");
  check(FailureKind::kCut, true, "again again again again next next ");
  check(FailureKind::kMalformed, true, "again again next next next next ");
  for (const FailureKind kind :
       {FailureKind::kQuota, FailureKind::kBadKey, FailureKind::kUnknownModel,
        FailureKind::kContextTooLong, FailureKind::kMisconfigured}) {
    check(kind, false, kNext);
  }
  for (const FailureKind kind :
       {FailureKind::kBadRequest, FailureKind::kRefused, FailureKind::kCancelled,
        FailureKind::kGaveUp, FailureKind::kNotRecorded, FailureKind::kScript}) {
    check(kind, false, kNever);
  }
}

TEST(RetryPolicyTest, AnotherModelStartsOver) {
  RetryPolicy policy;
  for (int i = 0; i < 3; ++i) (void)policy.after(FailureKind::kMalformed, false);
  policy.forget();
  EXPECT_EQ(policy.after(FailureKind::kMalformed, false), NextStep::kTryAgain);
}

}  // namespace
}  // namespace clever::provider

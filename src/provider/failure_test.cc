#include "provider/failure.h"

#include <gtest/gtest.h>

namespace clever::provider {
namespace {

TEST(Failure, WaitingHelpsWithLimitsAndOverload) {
  EXPECT_TRUE(is_transient(FailureKind::kRateLimited));
  EXPECT_TRUE(is_transient(FailureKind::kOverloaded));
  EXPECT_TRUE(is_transient(FailureKind::kCut));
}

TEST(Failure, WaitingDoesNotHelpWithQuotaKeysModelsAndLength) {
  for (const auto kind : {FailureKind::kQuota, FailureKind::kBadKey, FailureKind::kUnknownModel,
                          FailureKind::kContextTooLong, FailureKind::kGaveUp}) {
    EXPECT_FALSE(is_transient(kind)) << to_string(kind);
  }
}

TEST(Failure, TheLastKindHasItsName) { EXPECT_EQ(to_string(FailureKind::kScript), "script"); }

TEST(Failure, BecomesAnErrorWithItsMessage) {
  const Failure failure{.kind = FailureKind::kQuota, .message = "openai: no credit left"};
  EXPECT_EQ(failure.to_error(), base::resource_exhausted("openai: no credit left"));
}

}  // namespace
}  // namespace clever::provider

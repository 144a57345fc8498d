#include "engine/error_recovery_service.h"

#include <gtest/gtest.h>

#include "sim/engine/writer_kit.h"

namespace clever::engine {
namespace {

using model::ErrorCategory;
using model::Recovery;

TEST(ErrorRecoveryServiceTest, TheAnswerIsThatOfThePolicy) {
  sim::WriterKit kit;
  ErrorRecoveryService service(kit.writer());
  const auto first =
      sim::record(service, {.category = ErrorCategory::kToolTimeout, .message = "slow"});
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->recovery, Recovery::kRetry);
  EXPECT_EQ(first->retry, 1);
  EXPECT_EQ(first->after, plan::recovery_policy(ErrorCategory::kToolTimeout).first_delay);
}

TEST(ErrorRecoveryServiceTest, TheHistoryIsOrderedAndGapless) {
  sim::WriterKit kit;
  ErrorRecoveryService service(kit.writer());
  for (const char* message : {"a", "b", "c"}) {
    ASSERT_TRUE(
        sim::record(service, {.category = ErrorCategory::kInternal, .message = message}).ok());
  }
  const auto history = sim::error_history(kit.store, kit.plan).value();
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[0].number, 1);
  EXPECT_EQ(history[2].number, 3);
  EXPECT_EQ(history[2].message, "c");
  EXPECT_EQ(history[0].recovery, Recovery::kRetry);
  EXPECT_EQ(history[1].recovery, Recovery::kGiveUp);
}

TEST(ErrorRecoveryServiceTest, WithoutTheLeaseNothingIsGranted) {
  sim::WriterKit kit;
  ErrorRecoveryService service(kit.writer());
  kit.steal();
  const auto decision = sim::record(service, {.category = ErrorCategory::kInternal});
  ASSERT_FALSE(decision.ok());
  EXPECT_EQ(decision.error().code(), base::ErrorCode::kConflict);
}

TEST(ErrorRecoveryServiceTest, AnUnknownPlanHasNoHistory) {
  sim::WriterKit kit;
  EXPECT_EQ(sim::error_history(kit.store, sim::plan_id(9)).error().code(),
            base::ErrorCode::kNotFound);
}

TEST(ErrorCategoryTest, SaysWhereThingsBelong) {
  EXPECT_EQ(category_of(provider::FailureKind::kRateLimited), ErrorCategory::kRateLimit);
  EXPECT_EQ(category_of(provider::FailureKind::kConnection), ErrorCategory::kTransientProvider);
  EXPECT_EQ(category_of(provider::FailureKind::kBadKey), ErrorCategory::kAuthentication);
  EXPECT_EQ(category_of(provider::FailureKind::kMalformed), ErrorCategory::kModelMisbehaviour);
  EXPECT_EQ(category_of(provider::FailureKind::kScript), ErrorCategory::kInternal);
  EXPECT_EQ(category_of(provider::FailureKind::kQuota), ErrorCategory::kCredit);
  EXPECT_EQ(category_of(provider::FailureKind::kUnknownModel), ErrorCategory::kConfiguration);
  EXPECT_EQ(category_of(provider::FailureKind::kMisconfigured), ErrorCategory::kConfiguration);
  EXPECT_EQ(category_of(provider::FailureKind::kContextTooLong), ErrorCategory::kContextOverflow);
  EXPECT_EQ(category_of(provider::FailureKind::kRefused), ErrorCategory::kRefusal);
  EXPECT_EQ(category_of(base::ErrorCode::kUnavailable), ErrorCategory::kResource);
  EXPECT_EQ(category_of(base::ErrorCode::kDeadlineExceeded), ErrorCategory::kToolTimeout);
  EXPECT_EQ(category_of(base::ErrorCode::kCorruption), ErrorCategory::kInternal);
  EXPECT_EQ(category_of(tool::Outcome::kTimedOut), ErrorCategory::kToolTimeout);
}

TEST(ErrorCategoryTest, SaysWhatPassesByItself) {
  using enum base::ErrorCode;
  for (const auto code : {kUnavailable, kResourceExhausted, kDeadlineExceeded, kInternal}) {
    EXPECT_FALSE(lasts(code)) << to_string(code);
  }
  for (const auto code :
       {kNotFound, kConflict, kAlreadyExists, kPermissionDenied, kInvalidArgument, kCorruption}) {
    EXPECT_TRUE(lasts(code)) << to_string(code);
  }
  EXPECT_TRUE(lasts(provider::FailureKind::kBadRequest));
  EXPECT_TRUE(lasts(provider::FailureKind::kGaveUp));
  EXPECT_FALSE(lasts(provider::FailureKind::kOverloaded));
}

}  // namespace
}  // namespace clever::engine

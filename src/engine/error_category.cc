#include "engine/error_recovery_service.h"

namespace clever::engine {

using enum model::ErrorCategory;

model::ErrorCategory category_of(provider::FailureKind kind) noexcept {
  using Kind = provider::FailureKind;
  switch (kind) {
    case Kind::kRateLimited:
      return kRateLimit;
    case Kind::kOverloaded:
    case Kind::kConnection:
    case Kind::kCut:
    case Kind::kTimeout:
    case Kind::kGaveUp:
      return kTransientProvider;
    case Kind::kBadKey:
      return kAuthentication;
    case Kind::kQuota:
      return kCredit;
    case Kind::kUnknownModel:
    case Kind::kMisconfigured:
      return kConfiguration;
    case Kind::kMalformed:
      return kModelMisbehaviour;
    case Kind::kRefused:
      return kRefusal;
    case Kind::kContextTooLong:
      return kContextOverflow;
    case Kind::kBadRequest:
    case Kind::kCancelled:
    case Kind::kNotRecorded:
    case Kind::kScript:
      return kInternal;
  }
  return kInternal;
}

model::ErrorCategory category_of(base::ErrorCode code) noexcept {
  switch (code) {
    case base::ErrorCode::kUnavailable:
    case base::ErrorCode::kResourceExhausted:
    case base::ErrorCode::kPermissionDenied:
    case base::ErrorCode::kNotFound:
    case base::ErrorCode::kAlreadyExists:
    case base::ErrorCode::kConflict:
      return kResource;
    case base::ErrorCode::kDeadlineExceeded:
      return kToolTimeout;
    case base::ErrorCode::kInvalidArgument:
    case base::ErrorCode::kCancelled:
    case base::ErrorCode::kCorruption:
    case base::ErrorCode::kInternal:
      return kInternal;
  }
  return kInternal;
}

model::ErrorCategory category_of(tool::Outcome outcome) noexcept {
  return outcome == tool::Outcome::kTimedOut ? kToolTimeout : kToolFailure;
}

bool lasts(provider::FailureKind kind) noexcept {
  using Kind = provider::FailureKind;
  return kind == Kind::kGaveUp || kind == Kind::kBadRequest || kind == Kind::kNotRecorded ||
         kind == Kind::kScript;
}

// An internal error is unexpected, and gets the one retry of its category.
bool lasts(base::ErrorCode code) noexcept {
  return !base::is_retryable(code) && code != base::ErrorCode::kInternal;
}

}  // namespace clever::engine

#include "provider/retry_policy.h"

#include <limits>

namespace clever::provider {
namespace {

constexpr unsigned kUnlimited = std::numeric_limits<unsigned>::max();
constexpr unsigned kPaidAttempts = 5;
constexpr unsigned kMalformedAttempts = 3;

// How many attempts may fail in this way; 0 if a retry never helps.
unsigned attempts(FailureKind kind, bool began) {
  switch (kind) {
    case FailureKind::kRateLimited:
    case FailureKind::kOverloaded:
    case FailureKind::kConnection:
      return kUnlimited;
    case FailureKind::kTimeout:
      return began ? kPaidAttempts : kUnlimited;
    case FailureKind::kCut:
      return kPaidAttempts;
    case FailureKind::kMalformed:
      return kMalformedAttempts;
    default:
      return 0;
  }
}

bool another_model_may_help(FailureKind kind) {
  switch (kind) {
    case FailureKind::kQuota:
    case FailureKind::kBadKey:
    case FailureKind::kUnknownModel:
    case FailureKind::kContextTooLong:
    case FailureKind::kMisconfigured:
      return true;
    default:
      return is_transient(kind);
  }
}

}  // namespace

NextStep RetryPolicy::after(FailureKind kind, bool began) {
  const unsigned allowed = attempts(kind, began);
  if (allowed == kUnlimited || ++failures_[kind] < allowed) return NextStep::kTryAgain;
  return another_model_may_help(kind) ? NextStep::kTurnToNext : NextStep::kReport;
}

}  // namespace clever::provider

#pragma once
#include <cstdint>
#include <map>

#include "provider/failure.h"

namespace clever::provider {

/// The next step after a failed attempt.
enum class NextStep : std::uint8_t {
  kTryAgain,    // on the same model, when its lane allows it
  kTurnToNext,  // to the chain's next capable model; reported if there is none
  kReport,
};

/// The one table of retries. All other code only reports failures.
///
///     failure                                   again                            next model
///     rate_limited, overloaded, connection      as long as there is patience     –
///     timeout before the answer began           as long as there is patience     –
///     timeout after that, cut                   4 times: each may have been paid then
///     malformed                                 2 times                          then
///     quota, bad_key, unknown_model,            never                            at once
///       context_too_long, misconfigured
///     all others                                never                            never
///
/// An answer that began and was lost may cost money each time: hours of patience are for providers
/// that do not answer, not for those that answer badly.
///
/// Counts for one call. A value; not thread-safe.
class RetryPolicy {
 public:
  /// `began`: part of an answer had arrived.
  [[nodiscard]] NextStep after(FailureKind kind, bool began);
  /// For another model: forgets the failures of the last one.
  void forget() { failures_.clear(); }

 private:
  std::map<FailureKind, unsigned> failures_;
};

}  // namespace clever::provider

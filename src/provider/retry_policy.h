#pragma once
#include <cstdint>
#include <map>

#include "provider/failure.h"

namespace clever::provider {

/// What follows a failed attempt.
enum class NextStep : std::uint8_t {
  kTryAgain,    // on the same model, when its lane allows it
  kTurnToNext,  // to the chain's next model that can do it; reported if there is none
  kReport,
};

/// The one table of what is tried again, and where. Everything below and above reports.
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
/// An answer that began and was lost is paid for again and again: hours of patience are for
/// providers that do not answer, not for those that answer badly.
///
/// Counts for one call. A value; not thread-safe.
class RetryPolicy {
 public:
  /// `began`: part of an answer had come.
  [[nodiscard]] NextStep after(FailureKind kind, bool began);
  /// Another model: what the last one did is not held against it.
  void forget() { failures_.clear(); }

 private:
  std::map<FailureKind, unsigned> failures_;
};

}  // namespace clever::provider

#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace clever::provider {

/// Why a model did not answer. The kind alone says whether waiting helps (is_transient); a status
/// code does not, since a 429 may mean "slower" or "your credit is used up".
enum class FailureKind : std::uint8_t {
  // Waiting helps.
  kRateLimited,  // too many requests or tokens in a while
  kOverloaded,   // 5xx, 529: the provider cannot serve requests now
  kConnection,   // could not be reached, or the connection was lost before an answer began
  kCut,          // the answer ended before it was complete
  kTimeout,      // a deadline of the exchange passed
  kMalformed,    // an invalid answer; tried again a few times only
  // Waiting does not help.
  kQuota,           // credit or quota used up
  kBadKey,          // missing, wrong, or without the right to do this
  kUnknownModel,    // no such model, or not for this key
  kContextTooLong,  // the request does not fit into the model's window
  kBadRequest,      // the provider refuses the request
  kRefused,         // a filter declined the request itself
  kMisconfigured,   // no URL, a failing certificate, a page of HTML, a missing library
  kCancelled,
  // Our own.
  kGaveUp,       // waited as long as the plan's patience allows; never retried
  kNotRecorded,  // a replayed run made a request that is not on the cassette
  kScript,       // a script has no answer for this request
};
[[nodiscard]] std::string_view to_string(FailureKind kind) noexcept;  // "rate_limited", …
[[nodiscard]] bool is_transient(FailureKind kind) noexcept;

/// A value; safe to share. Holds no secret: its maker redacts the message.
struct Failure {
  FailureKind kind = FailureKind::kBadRequest;
  /// What happened and what to do, for a person; begins with the provider's name.
  std::string message{};
  /// HTTP status; 0 without an answer.
  int status = 0;
  /// The wait that the provider asked for.
  std::optional<std::chrono::milliseconds> retry_after{};
  /// The provider's id of the request, for its support.
  std::string request_id{};

  [[nodiscard]] base::Error to_error() const;
  friend bool operator==(const Failure&, const Failure&) = default;
};

}  // namespace clever::provider

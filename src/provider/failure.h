#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace clever::provider {

/// Why a model did not answer. Says by itself whether waiting helps (is_transient): a status code
/// alone does not, a 429 may mean "slower" or "your credit is used up".
enum class FailureKind : std::uint8_t {
  // Waiting helps.
  kRateLimited,  // too many requests or tokens in a while
  kOverloaded,   // 5xx, 529: the provider cannot serve anybody now
  kConnection,   // could not be reached, or the connection was lost before an answer began
  kCut,          // the answer began and ended before it was whole
  kTimeout,      // a deadline of the exchange passed
  kMalformed,    // an answer that makes no sense; tried again a few times only
  // Waiting does not help.
  kQuota,           // credit or quota used up
  kBadKey,          // missing, wrong, or not allowed to do this
  kUnknownModel,    // no such model, or not for this key
  kContextTooLong,  // the request does not fit into the model's window
  kBadRequest,      // the provider refuses it as it is
  kRefused,         // a filter declined the request itself
  kMisconfigured,   // no URL, a certificate that fails, a page of HTML, a missing library
  kCancelled,
  // Ours.
  kGaveUp,       // waited as long as the plan's patience allows; never retried by anybody else
  kNotRecorded,  // a replayed run asked something that is not on the cassette
  kScript,       // a script has no answer for this request
};
[[nodiscard]] std::string_view to_string(FailureKind kind) noexcept;  // "rate_limited", …
[[nodiscard]] bool is_transient(FailureKind kind) noexcept;

/// A value; safe to share. Holds no secret: whoever makes one redacts the message.
struct Failure {
  FailureKind kind = FailureKind::kBadRequest;
  /// What was seen and what to do, for a person; begins with the provider's name.
  std::string message{};
  /// HTTP status; 0 if there was no answer.
  int status = 0;
  /// What the provider asked us to wait.
  std::optional<std::chrono::milliseconds> retry_after{};
  /// The provider's id of the request, for its support.
  std::string request_id{};

  [[nodiscard]] base::Error to_error() const;
  friend bool operator==(const Failure&, const Failure&) = default;
};

}  // namespace clever::provider

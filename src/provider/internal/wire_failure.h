#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "io/http.h"
#include "provider/endpoint.h"
#include "provider/failure.h"
#include "provider/internal/json_view.h"

// Classifies the errors of all APIs. They differ in where they put facts and agree in the facts,
// and gateways forward one API's errors through another, so one set of rules parses all.
namespace clever::provider::internal {

/// An error as an API reported it; missing parts are empty.
struct ErrorFacts {
  std::string message{};
  /// All the API's own names for it: type, code, status, reason.
  std::string names{};
  /// An HTTP status named in the body, where the answer's own says nothing; 0 if none.
  int status = 0;
  std::optional<std::chrono::milliseconds> retry_after{};
  /// Google: the quota of a day is used up.
  bool day_is_used_up = false;
  /// Google: only quotas of a minute are.
  bool minute_is_used_up = false;

  [[nodiscard]] bool found() const { return !message.empty() || !names.empty(); }
};

/// Parses any object, list or text that an API puts an error into.
[[nodiscard]] ErrorFacts read_error(JsonView body);

/// `status` is 0 for an error inside an answer that began well.
[[nodiscard]] FailureKind classify(int status, const ErrorFacts& facts);

/// The endpoint, for messages and for secrets that must not be in them.
struct Speaker {
  std::string provider{};
  std::string key{};
  std::string key_variable{};
  std::string base_url{};
  std::string model{};
  int status = 0;
  std::string request_id{};
};
[[nodiscard]] Speaker speaker(const Endpoint& endpoint, const io::HttpHead& head);

[[nodiscard]] Failure make_failure(const Speaker& speaker, FailureKind kind, std::string_view seen);
[[nodiscard]] Failure make_failure(const Speaker& speaker, const ErrorFacts& facts);

/// For an answer with an error status.
[[nodiscard]] Failure failure_of_answer(const Endpoint& endpoint, const std::string& model,
                                        const io::HttpHead& head, std::string_view body);

/// Whether the body is a page for people instead of an API's answer.
[[nodiscard]] bool looks_like_html(std::string_view body);
[[nodiscard]] Failure html_failure(const Speaker& speaker, std::string_view body);

/// One line of at most 300 bytes, without secrets.
[[nodiscard]] std::string shown(const Speaker& speaker, std::string_view text);

}  // namespace clever::provider::internal

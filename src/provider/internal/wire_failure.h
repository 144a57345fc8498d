#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "io/http.h"
#include "provider/endpoint.h"
#include "provider/failure.h"
#include "provider/internal/json_view.h"

// What an error of any of the APIs means. They differ in where they put things and agree in what
// they put there, and gateways hand one API's errors on through another: so all are read by one set
// of rules.
namespace clever::provider::internal {

/// An error as an API told it; what was not said is empty.
struct ErrorFacts {
  std::string message{};
  /// All the API's own names for it: type, code, status, reason.
  std::string names{};
  /// A status of HTTP that the body names, where the answer's own says nothing; 0 if none.
  int status = 0;
  std::optional<std::chrono::milliseconds> retry_after{};
  /// Google: the quota of a day is used up.
  bool day_is_used_up = false;
  /// Google: only quotas of a minute are.
  bool minute_is_used_up = false;

  [[nodiscard]] bool found() const { return !message.empty() || !names.empty(); }
};

/// Reads whatever object, list or text an API puts an error into.
[[nodiscard]] ErrorFacts read_error(JsonView body);

/// `status` is 0 for an error inside an answer that began well.
[[nodiscard]] FailureKind classify(int status, const ErrorFacts& facts);

/// Who speaks, for messages and for what must not be in them.
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

/// For an answer whose status is no success.
[[nodiscard]] Failure failure_of_answer(const Endpoint& endpoint, const std::string& model,
                                        const io::HttpHead& head, std::string_view body);

/// A page for people where an API was expected.
[[nodiscard]] bool looks_like_html(std::string_view body);
[[nodiscard]] Failure html_failure(const Speaker& speaker, std::string_view body);

/// One line of at most 300 bytes, without secrets.
[[nodiscard]] std::string shown(const Speaker& speaker, std::string_view text);

}  // namespace clever::provider::internal

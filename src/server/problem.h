#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "http/message.h"
#include "model/document.h"
#include "service/report.h"

namespace clever::server {

/// Why a request failed, in the form of application/problem+json (RFC 9457). A value.
struct Problem {
  int status = 500;
  /// A code for programs: those of base::ErrorCode, and a few of HTTP's own.
  std::string code{};
  std::string detail{};
  std::string hint{};
  /// The operation's data, if it has any despite the failure.
  model::Document data{};
  std::vector<http::Header> headers{};
};

/// The outcome of a request.
using Answer = std::variant<http::Response, Problem>;

/// Makes the answer. The only way from a problem to a client.
[[nodiscard]] http::Response response_to(const Problem& problem);
/// Makes an answer with a JSON document.
[[nodiscard]] http::Response json_response(int status, const model::Document& document);

/// Maps an operation's error to HTTP: the only mapping.
[[nodiscard]] Problem problem_of(const base::Error& error);
/// The same for a request that cannot be read: 400 instead of 422.
[[nodiscard]] Problem bad_request(const base::Error& error);
/// Maps a report whose exit code is not 0.
[[nodiscard]] Problem problem_of(const service::Report& report);

}  // namespace clever::server

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

/// Why a request was not done, as application/problem+json (RFC 9457) says it. A value.
struct Problem {
  int status = 500;
  /// A word for programs: those of base::ErrorCode, and a few of HTTP's own.
  std::string code{};
  std::string detail{};
  std::string hint{};
  /// What the operation answered all the same.
  model::Document data{};
  std::vector<http::Header> headers{};
};

/// What a request comes to.
using Answer = std::variant<http::Response, Problem>;

/// The answer. The only way from a problem to a client.
[[nodiscard]] http::Response response_to(const Problem& problem);
/// An answer that is a JSON document.
[[nodiscard]] http::Response json_response(int status, const model::Document& document);

/// What an error of an operation is in HTTP: the only mapping.
[[nodiscard]] Problem problem_of(const base::Error& error);
/// The same of a request that cannot be read: 400 in place of 422.
[[nodiscard]] Problem bad_request(const base::Error& error);
/// A report whose exit code is not 0.
[[nodiscard]] Problem problem_of(const service::Report& report);

}  // namespace clever::server

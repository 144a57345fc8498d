#pragma once
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/http.h"

namespace clever::io {

/// A complete answer.
struct HttpAnswer {
  HttpHead head{};
  std::string body{};
};

/// Makes one exchange and waits for it: for rare requests, such as checking that a server is up.
/// Any status is an answer. A stop or the deadline cancels the exchange. Not from a sink.
///
/// Fails with `invalid_argument` (URL), `deadline_exceeded`, `cancelled`, `resource_exhausted` (the
/// request's answer_limit), `corruption` (not HTTP), `unavailable` (everything else).
[[nodiscard]] base::Result<HttpAnswer> fetch(Http& http, HttpRequest request,
                                             const base::StopToken& stop, base::Deadline deadline);

}  // namespace clever::io

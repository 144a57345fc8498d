#pragma once
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/http.h"

namespace clever::io {

/// An answer that is whole.
struct HttpAnswer {
  HttpHead head{};
  std::string body{};
};

/// One exchange, waited for: for what happens now and then, such as asking a server whether it is
/// there. Any status is an answer. The exchange is cancelled on a stop and at the deadline. Not
/// from a sink.
///
/// Fails by `invalid_argument` (URL), `deadline_exceeded`, `cancelled`, `resource_exhausted` (the
/// request's answer_limit), `corruption` (no HTTP), `unavailable` (everything else).
[[nodiscard]] base::Result<HttpAnswer> fetch(Http& http, HttpRequest request,
                                             const base::StopToken& stop, base::Deadline deadline);

}  // namespace clever::io

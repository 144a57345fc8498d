#include "mcp/internal/http_failure.h"

#include <string>

#include "mcp/internal/message.h"

namespace clever::mcp::internal {
namespace {

base::ErrorCode failure_code(io::HttpFailure failure) {
  switch (failure) {
    case io::HttpFailure::kBadUrl:
      return base::ErrorCode::kInvalidArgument;
    case io::HttpFailure::kProtocol:
      return base::ErrorCode::kCorruption;
    case io::HttpFailure::kTooLarge:
    case io::HttpFailure::kBomb:
      return base::ErrorCode::kResourceExhausted;
    case io::HttpFailure::kCancelled:
      return base::ErrorCode::kCancelled;
    default:
      return base::ErrorCode::kUnavailable;
  }
}

base::ErrorCode code_of_status(int status) {
  if (status == 401 || status == 403 || status == 407) return base::ErrorCode::kPermissionDenied;
  if (status == 408 || status == 429 || status < 400 || status >= 500) {
    return base::ErrorCode::kUnavailable;
  }
  return base::ErrorCode::kInvalidArgument;
}

}  // namespace

base::Error error_of_end(const io::HttpEnd& end) {
  const io::HttpFailure failure = end.failure.value_or(io::HttpFailure::kCut);
  const std::string what = end.message.empty() ? std::string(to_string(failure)) : end.message;
  return {failure_code(failure), "the server cannot be reached: " + what};
}

base::Error error_of_status(const io::HttpHead& head, std::string_view body, bool in_session) {
  if (in_session && head.status == 404) {
    return base::conflict("the server has ended the session");
  }
  std::string message = "the server answered with HTTP status " + std::to_string(head.status);
  if (const auto place = head.header("location")) message += ", see " + shown(*place, 200);
  if (!body.empty()) message += ": " + shown(body, 300);
  return {code_of_status(head.status), std::move(message)};
}

}  // namespace clever::mcp::internal

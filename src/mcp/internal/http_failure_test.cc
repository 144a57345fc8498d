#include "mcp/internal/http_failure.h"

#include <gtest/gtest.h>

namespace clever::mcp::internal {
namespace {

using base::ErrorCode;
using io::HttpFailure;

void check_end(HttpFailure failure, ErrorCode code) {
  EXPECT_EQ(error_of_end({.failure = failure}).code(), code) << to_string(failure);
}
void check_status(int status, ErrorCode code) {
  EXPECT_EQ(error_of_status({.status = status}, "", false).code(), code) << status;
}

TEST(HttpFailure, EndsHaveCodes) {
  check_end(HttpFailure::kBadUrl, ErrorCode::kInvalidArgument);
  check_end(HttpFailure::kProtocol, ErrorCode::kCorruption);
  check_end(HttpFailure::kTooLarge, ErrorCode::kResourceExhausted);
  check_end(HttpFailure::kCancelled, ErrorCode::kCancelled);
  check_end(HttpFailure::kConnect, ErrorCode::kUnavailable);
  EXPECT_EQ(error_of_end({.failure = HttpFailure::kCut, .message = "host:1 hung up"}).message(),
            "the server cannot be reached: host:1 hung up");
}

TEST(HttpFailure, StatusesHaveCodes) {
  check_status(401, ErrorCode::kPermissionDenied);
  check_status(403, ErrorCode::kPermissionDenied);
  check_status(404, ErrorCode::kInvalidArgument);
  check_status(429, ErrorCode::kUnavailable);
  check_status(500, ErrorCode::kUnavailable);
}

TEST(HttpFailure, ARedirectSaysWhere) {
  EXPECT_EQ(error_of_status({.status = 301, .headers = {{"location", "https://b/"}}}, "x", false)
                .message(),
            "the server answered with HTTP status 301, see https://b/: x");
}

TEST(HttpFailure, A404OfASessionIsItsEnd) {
  EXPECT_EQ(error_of_status({.status = 404}, "", true).code(), ErrorCode::kConflict);
}

}  // namespace
}  // namespace clever::mcp::internal

#include "io/http_fetch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/thread.h"
#include "io/http_client.h"
#include "support/http_server.h"

namespace clever::io {
namespace {

using namespace std::chrono_literals;
using test::HttpServer;
using test::SeenRequest;

TEST(HttpFetch, ReturnsTheAnswerWhateverItsStatus) {
  HttpServer server(
      [](const SeenRequest&) { return test::whole_reply("no such model", "text/plain", 404); });
  HttpClient client;
  const auto answer = fetch(client, {.url = server.url()}, {}, base::Deadline::never());
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_EQ(answer->head.status, 404);
  EXPECT_EQ(answer->body, "no such model");
}

TEST(HttpFetch, IsCancelledAtTheDeadline) {
  HttpServer server(
      [](const SeenRequest&) { return test::HttpReply{.before_head = {test::Stall{}}}; });
  HttpClient client;
  base::SystemClock clock;
  const auto answer = fetch(client, {.url = server.url()}, {}, base::Deadline::after(clock, 200ms));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), base::ErrorCode::kDeadlineExceeded);
  // If the request had been sent by then, the server sees its end.
  EXPECT_TRUE(server.wait_for_closed_by_peer(server.connections_opened()));
}

TEST(HttpFetch, IsCancelledByAStop) {
  HttpServer server(
      [](const SeenRequest&) { return test::HttpReply{.before_head = {test::Stall{}}}; });
  HttpClient client;
  base::StopSource stop;
  base::Thread stopper("stopper", [&](const base::StopToken&) {
    EXPECT_TRUE(server.wait_for_requests(1));
    stop.request_stop();
  });
  const auto answer = fetch(client, {.url = server.url()}, stop.token(), base::Deadline::never());
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), base::ErrorCode::kCancelled);
  EXPECT_TRUE(server.wait_for_closed_by_peer(1));
}

// Ends every exchange at once, with the given result.
class Ending final : public Http {
 public:
  explicit Ending(HttpFailure failure) : failure_(failure) {}
  std::unique_ptr<HttpExchange> start(HttpRequest /*request*/,
                                      std::shared_ptr<HttpSink> sink) override {
    sink->on_end({.failure = failure_, .message = "why"});
    return nullptr;
  }

 private:
  HttpFailure failure_;
};

void check_code(HttpFailure failure, base::ErrorCode code) {
  Ending http(failure);
  const auto answer = fetch(http, {}, {}, base::Deadline::never());
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error(), base::Error(code, "why"));
}

TEST(HttpFetch, GivesEachFailureItsCode) {
  check_code(HttpFailure::kBadUrl, base::ErrorCode::kInvalidArgument);
  check_code(HttpFailure::kResolve, base::ErrorCode::kUnavailable);
  check_code(HttpFailure::kConnect, base::ErrorCode::kUnavailable);
  check_code(HttpFailure::kTls, base::ErrorCode::kUnavailable);
  check_code(HttpFailure::kTimeout, base::ErrorCode::kDeadlineExceeded);
  check_code(HttpFailure::kCut, base::ErrorCode::kUnavailable);
  check_code(HttpFailure::kProtocol, base::ErrorCode::kCorruption);
  check_code(HttpFailure::kTooLarge, base::ErrorCode::kResourceExhausted);
  check_code(HttpFailure::kCancelled, base::ErrorCode::kCancelled);
  check_code(HttpFailure::kNoLibrary, base::ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace clever::io

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "io/http_client.h"
#include "support/http_recorder.h"
#include "support/http_server.h"
#include "support/together.h"

namespace clever::io {
namespace {

using test::Framing;
using test::HttpRecorder;
using test::HttpServer;
using test::SeenRequest;
using test::Send;

test::HttpReply reply_to(const SeenRequest& request) {
  if (request.target == "/stall") {
    return {.framing = Framing::kChunked, .steps = {Send{"x"}, test::Stall{}}};
  }
  if (request.target == "/cut") return {.content_length = 9, .steps = {Send{"x"}, test::Cut{}}};
  return {.framing = Framing::kChunked, .steps = {Send{"one"}, Send{"two"}}};
}

TEST(HttpClientStress, ManyThreadsStartAndCancel) {
  HttpServer server(reply_to);
  HttpClient client;
  test::together(8, [&](int worker) {
    for (int i = 0; i < 100; ++i) {
      const int kind = (worker + i) % 4;
      const char* path = kind == 0 ? "/stall" : kind == 1 ? "/cut" : "/whole";
      const auto recorder = std::make_shared<HttpRecorder>();
      const auto exchange = client.start({.url = server.url(path), .body = "body"}, recorder);
      if (kind == 0 || kind == 2) exchange->cancel();
      const auto seen = recorder->wait_for_end();
      EXPECT_EQ(seen.ends, 1);
      EXPECT_FALSE(seen.after_end);
      if (kind == 3 && seen.end->whole()) {
        EXPECT_EQ(seen.body, "onetwo");
      }
    }
  });
}

TEST(HttpClientStress, DestroyedWithEverythingInFlight) {
  HttpServer server(reply_to);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::shared_ptr<HttpRecorder>> recorders(100);
    for (auto& recorder : recorders) recorder = std::make_shared<HttpRecorder>();
    std::vector<std::unique_ptr<HttpExchange>> exchanges(recorders.size());
    {
      HttpClient client;
      test::together(4, [&](int worker) {
        for (std::size_t i = static_cast<std::size_t>(worker); i < recorders.size(); i += 4) {
          exchanges[i] =
              client.start({.url = server.url(i % 2 == 0 ? "/stall" : "/whole")}, recorders[i]);
        }
      });
    }
    test::together(2, [&](int) {
      for (const auto& exchange : exchanges) exchange->cancel();
    });
    for (const auto& recorder : recorders) EXPECT_EQ(recorder->seen().ends, 1);
  }
}

}  // namespace
}  // namespace clever::io

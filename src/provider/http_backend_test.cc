#include "provider/http_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "provider/testing/wire_reading.h"

namespace clever::provider {
namespace {

using io::HttpFailure;
using model::Text;
using testing::ElementsAre;
using testing::HasSubstr;

/// Keeps what was started; the test plays the server.
class FakeHttp final : public io::Http {
 public:
  std::unique_ptr<io::HttpExchange> start(io::HttpRequest request,
                                          std::shared_ptr<io::HttpSink> new_sink) override {
    requests.push_back(std::move(request));
    sink = std::move(new_sink);
    return std::make_unique<Exchange>(*this);
  }

  std::vector<io::HttpRequest> requests{};
  std::shared_ptr<io::HttpSink> sink{};
  int cancels = 0;

 private:
  class Exchange final : public io::HttpExchange {
   public:
    explicit Exchange(FakeHttp& http) : http_(http) {}
    void cancel() override { ++http_.cancels; }

   private:
    FakeHttp& http_;
  };
};

struct Seen final : AttemptSink {
  void on_begin() override { events.emplace_back("begin"); }
  void on_rates(const RateObservation& rates) override {
    if (rates.requests.remaining) events.emplace_back("rates");
  }
  void on_delta(const Delta& delta) override { events.push_back(internal::shown_delta(delta)); }
  void on_end(AttemptEnd end) override {
    events.emplace_back("end");
    ends.push_back(std::move(end));
  }
  [[nodiscard]] const Failure& failure() const { return std::get<Failure>(ends.at(0).result); }

  std::vector<std::string> events{};
  std::vector<AttemptEnd> ends{};
};

class HttpBackendTest : public testing::Test {
 protected:
  void SetUp() override {
    ModelRequest request;
    request.messages = {{model::Role::kUser, {Text{"hi"}}}};
    attempt = backend.start("some-model", request, seen);
  }

  void head(int status, std::string_view type = "text/event-stream") {
    http.sink->on_head(
        internal::test_head(status, type, {{"x-ratelimit-remaining-requests", "5"}}));
  }
  void data(std::string_view bytes) { http.sink->on_data(bytes); }
  void end() { http.sink->on_end({}); }
  void end(HttpFailure failure, std::string message = "acme.example:443: something") {
    http.sink->on_end({.failure = failure, .message = std::move(message)});
  }

  FakeHttp http{};
  HttpBackend backend{*adapter(Wire::kOpenAiChat), internal::test_endpoint(Wire::kOpenAiChat),
                      http};
  std::shared_ptr<Seen> seen = std::make_shared<Seen>();
  std::unique_ptr<Attempt> attempt{};
};

constexpr std::string_view kText =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n";
constexpr std::string_view kStop =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
constexpr std::string_view kDone = "data: [DONE]\n\n";

TEST_F(HttpBackendTest, SendsTheRequestOfTheWire) {
  ASSERT_EQ(http.requests.size(), 1U);
  EXPECT_EQ(http.requests[0].method, "POST");
  EXPECT_EQ(http.requests[0].url, "https://acme.example/v1/chat/completions");
  EXPECT_THAT(http.requests[0].body, HasSubstr("\"some-model\""));
}

TEST_F(HttpBackendTest, HandsTheAnswerOverAsSoonAsItIsComplete) {
  head(200);
  data(kText);
  data(kStop);
  data(kDone);
  EXPECT_THAT(seen->events, ElementsAre("rates", "begin", "text:Hi", "end"));
  ASSERT_TRUE(seen->ends[0].answered());
  EXPECT_THAT(std::get<ModelAnswer>(seen->ends[0].result).message.parts, ElementsAre(Text{"Hi"}));
  EXPECT_EQ(seen->ends[0].rates.requests.remaining, 5);
}

TEST_F(HttpBackendTest, EndsOnceWhateverFollows) {
  head(200);
  data(std::string(kStop) + std::string(kDone));
  data(kText);
  end(HttpFailure::kCut);
  EXPECT_EQ(seen->ends.size(), 1U);
  EXPECT_EQ(http.cancels, 0);
}

TEST_F(HttpBackendTest, ReleasesItsSinkAtTheEnd) {
  head(200);
  data(std::string(kStop) + std::string(kDone));
  EXPECT_EQ(seen.use_count(), 1);
}

TEST_F(HttpBackendTest, AnAnswerMayEndWithTheConnection) {
  head(200);
  data(kText);
  data(kStop);
  end();
  EXPECT_TRUE(seen->ends.at(0).answered());
}

TEST_F(HttpBackendTest, AnAnswerThatEndsTooEarlyWasCut) {
  head(200);
  data(kText);
  end();
  EXPECT_EQ(seen->failure().kind, FailureKind::kCut);
}

TEST_F(HttpBackendTest, AConnectionLostInTheAnswerIsACut) {
  head(200);
  data(kText);
  end(HttpFailure::kCut);
  EXPECT_EQ(seen->failure().kind, FailureKind::kCut);
  EXPECT_EQ(seen->failure().message, "acme: acme.example:443: something");
}

TEST_F(HttpBackendTest, ABrokenAnswerEndsAtOnce) {
  head(200);
  data("data: oops\n\n");
  EXPECT_EQ(seen->failure().kind, FailureKind::kMalformed);
}

TEST_F(HttpBackendTest, AnErrorIsReadFromItsBody) {
  head(429, "application/json");
  data(R"({"error":{"code":"insufficient)");
  data(R"(_quota","message":"no credit"}})");
  EXPECT_TRUE(seen->ends.empty());
  end();
  EXPECT_EQ(seen->failure().kind, FailureKind::kQuota);
  EXPECT_EQ(seen->failure().status, 429);
  EXPECT_EQ(seen->ends[0].rates.requests.remaining, 5);
}

TEST_F(HttpBackendTest, AnErrorCountsEvenIfItsBodyIsCutOrHuge) {
  head(503, "text/plain");
  for (int i = 0; i < 100; ++i) data(std::string(4096, 'x'));
  end(HttpFailure::kCut);
  EXPECT_EQ(seen->failure().kind, FailureKind::kOverloaded);
}

TEST_F(HttpBackendTest, ACancelledErrorIsCancelled) {
  head(503, "text/plain");
  end(HttpFailure::kCancelled, "");
  EXPECT_EQ(seen->failure().kind, FailureKind::kCancelled);
}

TEST_F(HttpBackendTest, CancellingCancelsTheExchange) {
  attempt->cancel();
  EXPECT_EQ(http.cancels, 1);
  end(HttpFailure::kCancelled, "");
  EXPECT_EQ(seen->failure().kind, FailureKind::kCancelled);
}

TEST_F(HttpBackendTest, AnEndWithoutAHeadIsALostConnection) {
  end();
  EXPECT_EQ(seen->failure().kind, FailureKind::kConnection);
}

TEST_F(HttpBackendTest, DestroyingTheHandleCancelsNothing) {
  attempt.reset();
  EXPECT_EQ(http.cancels, 0);
}

TEST(FailureOfExchange, EveryWayToFailHasItsKind) {
  const auto kind = [](HttpFailure failure, bool began) {
    return failure_of(internal::test_endpoint(Wire::kOpenAiChat),
                      {.failure = failure, .message = "x"}, began)
        .kind;
  };
  EXPECT_EQ(kind(HttpFailure::kBadUrl, false), FailureKind::kMisconfigured);
  EXPECT_EQ(kind(HttpFailure::kTls, false), FailureKind::kMisconfigured);
  EXPECT_EQ(kind(HttpFailure::kNoLibrary, false), FailureKind::kMisconfigured);
  EXPECT_EQ(kind(HttpFailure::kBomb, false), FailureKind::kMisconfigured);
  EXPECT_EQ(kind(HttpFailure::kBomb, true), FailureKind::kMisconfigured) << "never tried again";
  EXPECT_EQ(kind(HttpFailure::kResolve, false), FailureKind::kConnection);
  EXPECT_EQ(kind(HttpFailure::kConnect, false), FailureKind::kConnection);
  EXPECT_EQ(kind(HttpFailure::kTimeout, false), FailureKind::kTimeout);
  EXPECT_EQ(kind(HttpFailure::kCut, false), FailureKind::kConnection);
  EXPECT_EQ(kind(HttpFailure::kCut, true), FailureKind::kCut);
  EXPECT_EQ(kind(HttpFailure::kProtocol, true), FailureKind::kCut);
  EXPECT_EQ(kind(HttpFailure::kTooLarge, true), FailureKind::kMalformed);
  EXPECT_EQ(kind(HttpFailure::kCancelled, true), FailureKind::kCancelled);
}

TEST(FailureOfExchange, SaysWhatToDo) {
  const auto message = [](HttpFailure failure, std::string seen) {
    return failure_of(internal::test_endpoint(Wire::kOpenAiChat),
                      {.failure = failure, .message = std::move(seen)}, false)
        .message;
  };
  EXPECT_THAT(message(HttpFailure::kTls, "self-signed certificate"),
              HasSubstr("certificate; check"));
  EXPECT_THAT(message(HttpFailure::kNoLibrary, "x"), HasSubstr("install libcurl"));
  EXPECT_THAT(message(HttpFailure::kBadUrl, "x"), HasSubstr("must begin with https://"));
  EXPECT_THAT(message(HttpFailure::kResolve, "no such host"), HasSubstr("check the host"));
  EXPECT_THAT(message(HttpFailure::kBomb, "x"), HasSubstr("this is not a provider's answer"));
  EXPECT_EQ(message(HttpFailure::kConnect, ""), "acme: connect");
}

}  // namespace
}  // namespace clever::provider

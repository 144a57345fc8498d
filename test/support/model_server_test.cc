#include "support/model_server.h"

#include <gtest/gtest.h>

#include "io/http_client.h"
#include "provider/http_backend.h"
#include "support/collected_attempt.h"

namespace clever::test {
namespace {

using provider::AttemptEnd;
using provider::Endpoint;
using provider::Failure;
using provider::FailureKind;
using provider::Wire;
using std::chrono::milliseconds;

provider::Script script(
    std::string_view text = "rules: [{reply: fine, usage: {input: 3, output: 7}}]") {
  return provider::Script::parse(text, "s.yaml").value();
}

class ModelServerTest : public ::testing::Test {
 protected:
  AttemptEnd ask(const ModelServer& server, Wire wire, const std::string& key = "key-12345",
                 const std::string& model = "m") {
    Endpoint endpoint{.provider = "test", .wire = wire, .key = key};
    endpoint.base_url = server.url(wire == Wire::kOpenAiChat ? "/v1" : "/");
    if (endpoint.base_url.ends_with('/')) endpoint.base_url.pop_back();
    provider::HttpBackend backend(*provider::adapter(wire), endpoint, http_);
    const auto sink = std::make_shared<CollectedAttempt>();
    const auto attempt = backend.start(model, user_says("hello"), sink);
    return sink->end();
  }
  static Failure failure(const AttemptEnd& end) {
    const auto* failure = std::get_if<Failure>(&end.result);
    return failure == nullptr ? Failure{} : *failure;
  }

  base::SimulatedClock clock_;
  io::HttpClient http_;
};

TEST_F(ModelServerTest, LetsThroughWhatTheLimitAllows) {
  ModelServer server(script(), {.limits = {.requests = 4}, .clock = &clock_});
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(ask(server, Wire::kOpenAiChat).answered());
  const Failure refused = failure(ask(server, Wire::kOpenAiChat));
  EXPECT_EQ(refused.kind, FailureKind::kRateLimited);
  EXPECT_EQ(refused.retry_after, milliseconds(1000));
  clock_.advance(milliseconds(1000));
  EXPECT_TRUE(ask(server, Wire::kOpenAiChat).answered());
  EXPECT_EQ(server.counts().above_limit, 1U);
  EXPECT_EQ(server.counts().answered, 5U);
}

TEST_F(ModelServerTest, CountsTokensToo) {
  ModelServer server(script(), {.limits = {.tokens = 10}, .clock = &clock_});
  EXPECT_TRUE(ask(server, Wire::kAnthropic).answered());
  EXPECT_EQ(failure(ask(server, Wire::kAnthropic)).kind, FailureKind::kRateLimited);
}

TEST_F(ModelServerTest, NeedNotSayHowLongToWait) {
  ModelServer server(script(),
                     {.limits = {.requests = 1, .say_retry_after = false}, .clock = &clock_});
  EXPECT_TRUE(ask(server, Wire::kOpenAiChat).answered());
  EXPECT_EQ(failure(ask(server, Wire::kOpenAiChat)).retry_after, std::nullopt);
}

TEST_F(ModelServerTest, TellsItsLimitsInTheApisHeaders) {
  ModelServer server(script(), {.limits = {.requests = 4, .tokens = 1000}, .clock = &clock_});
  const AttemptEnd openai = ask(server, Wire::kOpenAiChat);
  EXPECT_EQ(openai.rates.requests.limit, 4);
  EXPECT_EQ(openai.rates.requests.remaining, 3);
  EXPECT_EQ(openai.rates.requests.reset, milliseconds(1000));
  EXPECT_EQ(openai.rates.tokens.remaining, 990);
  const AttemptEnd anthropic = ask(server, Wire::kAnthropic);
  EXPECT_EQ(anthropic.rates.requests.remaining, 2);
}

TEST_F(ModelServerTest, AWallIsOverAfterItsTime) {
  ModelServer server(script(),
                     {.walls = {{milliseconds(0), std::chrono::minutes(14)}}, .clock = &clock_});
  const Failure overloaded = failure(ask(server, Wire::kAnthropic));
  EXPECT_EQ(overloaded.kind, FailureKind::kOverloaded);
  EXPECT_EQ(overloaded.status, 529);
  clock_.advance(std::chrono::minutes(14));
  EXPECT_TRUE(ask(server, Wire::kAnthropic).answered());
  EXPECT_EQ(server.counts().overloaded, 1U);
}

TEST_F(ModelServerTest, AsksForTheKeyAndKnowsItsModels) {
  ModelServer server(script(), {.models = {"m"}, .key = "right-key-1"});
  EXPECT_EQ(failure(ask(server, Wire::kOpenAiChat, "wrong-key-1")).kind, FailureKind::kBadKey);
  EXPECT_EQ(failure(ask(server, Wire::kAnthropic, "wrong-key-1")).kind, FailureKind::kBadKey);
  EXPECT_EQ(failure(ask(server, Wire::kOpenAiChat, "right-key-1", "x")).kind,
            FailureKind::kUnknownModel);
  EXPECT_TRUE(ask(server, Wire::kOpenAiChat, "right-key-1").answered());
}

TEST_F(ModelServerTest, ARequestThatNoRuleMatchesIsABadOne) {
  ModelServer server(script("rules: [{match: {user: x}, reply: y}]"));
  EXPECT_EQ(failure(ask(server, Wire::kOpenAiChat)).kind, FailureKind::kBadRequest);
}

// Sends a body as it is; the status and what was said.
class RawRequestTest : public ModelServerTest {
 protected:
  class Collected final : public io::HttpSink {
   public:
    void on_head(const io::HttpHead& head) override {
      reported_.update([&](Reported& reported) { reported.status = head.status; });
    }
    void on_data(std::string_view bytes) override {
      reported_.update([&](Reported& reported) { reported.body += bytes; });
    }
    void on_end(const io::HttpEnd& /*end*/) override {
      reported_.update([](Reported& reported) { reported.ended = true; });
    }
    std::pair<int, std::string> wait() {
      return reported_
          .update_when(
              {}, [](const Reported& reported) { return reported.ended; },
              [](Reported& reported) { return std::pair(reported.status, reported.body); })
          .value();
    }

   private:
    struct Reported {
      int status = 0;
      std::string body;
      bool ended = false;
    };
    base::Monitor<Reported> reported_;
  };

  std::pair<int, std::string> send(std::string_view path, std::string body,
                                   const std::string& method = "POST") {
    const auto sink = std::make_shared<Collected>();
    const auto exchange = http_.start(
        {.method = method,
         .url = server_.url(path),
         .headers = {{"content-type", "application/json"}, {"anthropic-version", "2023-06-01"}},
         .body = std::move(body)},
        sink);
    return sink->wait();
  }
  void check_rejected(std::string_view path, const std::string& body, std::string_view expected) {
    const auto [status, said] = send(path, body);
    EXPECT_EQ(status, 400) << body;
    EXPECT_NE(said.find(expected), std::string::npos) << said;
  }

  ModelServer server_{script()};
};

TEST_F(RawRequestTest, OpenAiChatRejectsWhatTheApiRejects) {
  const auto check = [&](const std::string& more, std::string_view expected) {
    check_rejected("/v1/chat/completions", R"({"model":"m",)" + more + "}", expected);
  };
  check(R"("messages":[])", "empty array");
  check(R"("messages":[{"role":"robot","content":"x"}])", "Supported values");
  check(R"("messages":[{"role":"user","content":"x"}],"nonsense":1)", "nonsense");
  check(R"("messages":[{"role":"user","content":[]}])", "non-empty array");
  check(R"("messages":[{"role":"tool","tool_call_id":"a","content":"x"}])", "preceding message");
  check(
      R"("messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}])",
      "did not have response messages: a");
  check(R"("messages":[{"role":"assistant","content":null}])", "got null");
  check(R"("messages":[{"role":"user","content":"x"}],"tools":[])", "empty array");
  check(R"("messages":[{"role":"user","content":"x"}],"tool_choice":"auto")", "only allowed when");
  check(R"("messages":[{"role":"user","content":"x"}],"stream_options":{})", "only allowed when");
  check(R"("messages":[{"role":"user","content":"x"}],"max_tokens":0)", "minimum value");
  check(
      R"("messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,!!!!"}}]}])",
      "base64");
  check_rejected("/v1/chat/completions", "no json", "could not parse");
  EXPECT_EQ(server_.counts().rejected, 13U);
}

TEST_F(RawRequestTest, AnthropicRejectsWhatTheApiRejects) {
  const auto check = [&](const std::string& messages, std::string_view expected) {
    check_rejected("/v1/messages", R"({"model":"m","max_tokens":9,"messages":)" + messages + "}",
                   expected);
  };
  check_rejected("/v1/messages", R"({"model":"m","messages":[]})", "max_tokens: Field required");
  check("[]", "at least one message");
  check(R"([{"role":"assistant","content":"x"}])", "first message must use");
  check(R"([{"role":"user","content":""}])", "non-empty content");
  check(R"([{"role":"user","content":[{"type":"text","text":" "}]}])", "non-whitespace");
  check(R"([{"role":"system","content":"x"}])", "'user' or 'assistant'");
  check(
      R"([{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}])",
      "without `tool_result`");
  check(
      R"([{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":"y"}])",
      "without `tool_result`");
  check(R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}])",
        "unexpected `tool_use_id`");
  check(R"([{"role":"user","content":"x"},{"role":"assistant","content":"y "}])",
        "trailing whitespace");
}

TEST_F(RawRequestTest, GeminiRejectsWhatTheApiRejects) {
  const auto check = [&](const std::string& body, std::string_view expected) {
    check_rejected("/v1beta/models/m:generateContent", body, expected);
  };
  check(R"({"contents":[]})", "contents is not specified");
  check(R"({"contents":[{"role":"user","parts":[]}]})", "must not be empty");
  check(R"({"contents":[{"role":"robot","parts":[{"text":"x"}]}]})", "valid role");
  check(R"({"contents":[{"role":"user","parts":[{"text":"x"}]}],"nonsense":1})", "Unknown name");
  check(
      R"({"contents":[{"role":"user","parts":[{"text":"x"}]},{"role":"model","parts":[{"functionCall":{"name":"f"}}]}]})",
      "number of function response parts");
  check(
      R"({"contents":[{"role":"user","parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"object","additionalProperties":false}}]}]})",
      "Unknown name");
}

TEST_F(RawRequestTest, ResponsesRejectsWhatTheApiRejects) {
  const auto check = [&](const std::string& more, std::string_view expected) {
    check_rejected("/v1/responses", R"({"model":"m",)" + more + "}", expected);
  };
  check(R"("input":[])", "'input'");
  check(R"("input":"x","max_output_tokens":3)", ">= 16");
  check(R"("input":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}])",
        "No tool output found");
  check(R"("input":[{"type":"function_call_output","call_id":"a","output":"x"}])",
        "No tool call found");
  check(R"("input":[{"role":"user","content":[{"type":"output_text","text":"x"}]}])",
        "Supported values");
}

TEST_F(RawRequestTest, OllamaRejectsWrongTypes) {
  check_rejected("/api/chat", R"({"model":"m","messages":[{"role":"user","content":3}]})",
                 "cannot unmarshal");
  check_rejected("/api/chat", R"({"messages":[]})", "model is required");
}

TEST_F(RawRequestTest, ListsItsModelsInEachApisWay) {
  EXPECT_NE(send("/v1/models", "", "GET").second.find("\"has_more\":false"), std::string::npos);
  EXPECT_NE(send("/v1beta/models", "", "GET").second.find("models/scripted"), std::string::npos);
  EXPECT_NE(send("/api/tags", "", "GET").second.find("\"name\":\"scripted\""), std::string::npos);
  EXPECT_NE(send("/api/version", "", "GET").second.find("version"), std::string::npos);
  EXPECT_EQ(send("/elsewhere", "", "GET").first, 404);
  EXPECT_EQ(send("/elsewhere", "{}").first, 404);
}

}  // namespace
}  // namespace clever::test

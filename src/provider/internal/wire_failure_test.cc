#include "provider/internal/wire_failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "provider/testing/wire_reading.h"

namespace clever::provider::internal {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Failure fail(int status, const std::string& body, std::vector<io::HttpHeader> headers = {},
             std::string_view type = "application/json") {
  const Wire wire = Wire::kOpenAiChat;
  return adapter(wire)->failure(test_endpoint(wire), "some-model",
                                test_head(status, type, std::move(headers)), body);
}

struct Case {
  int status;
  std::string body;
};

void expect_kind(FailureKind kind, const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const Failure failure = fail(one.status, one.body);
    EXPECT_EQ(to_string(failure.kind), to_string(kind)) << one.status << " " << one.body;
    EXPECT_EQ(failure.status, one.status);
    EXPECT_THAT(failure.message, StartsWith("acme: "));
  }
}

std::string openai(const std::string& type, const std::string& code, const std::string& message) {
  return R"({"error":{"message":")" + message + R"(","type":")" + type +
         R"(","param":null,"code":")" + code + "\"}}";
}
std::string anthropic(const std::string& type, const std::string& message) {
  return R"({"type":"error","error":{"type":")" + type + R"(","message":")" + message + "\"}}";
}
std::string google(int code, const std::string& status, const std::string& message,
                   const std::string& details = "") {
  return R"({"error":{"code":)" + std::to_string(code) + R"(,"message":")" + message +
         R"(","status":")" + status + R"(","details":[)" + details + "]}}";
}

TEST(WireFailure, UsedUpCreditIsPermanentWhateverTheStatus) {
  expect_kind(
      FailureKind::kQuota,
      {{429,
        openai("insufficient_quota", "insufficient_quota",
               "You exceeded your current quota, please check your plan and billing details.")},
       {429,
        openai("requests", "billing_hard_limit_reached", "Billing hard limit has been reached")},
       {400, anthropic("invalid_request_error",
                       "Your credit balance is too low to access the Anthropic API.")},
       {400,
        anthropic("invalid_request_error", "You have reached your specified API usage limits.")},
       {402, openai("unknown_error", "invalid_request_error", "Insufficient Balance")},
       {402, R"({"error":{"message":"This request requires more credits","code":402}})"},
       {402, ""},
       {429,
        R"({"message":"You are using a Trial key, which is limited to 1000 API calls / month."})"},
       {429,
        google(
            429, "RESOURCE_EXHAUSTED", "You exceeded your current quota",
            R"({"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},)"
            R"({"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"22s"})")}});
}

TEST(WireFailure, AUsedUpDayIsNotWaitedOut) {
  const Failure failure = fail(
      429,
      google(
          429, "RESOURCE_EXHAUSTED", "quota",
          R"({"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"retryDelay":"22s"})"));
  EXPECT_EQ(failure.retry_after, std::nullopt);
}

TEST(WireFailure, TooManyRequestsAreWaitedOut) {
  expect_kind(
      FailureKind::kRateLimited,
      {{429,
        openai("tokens", "rate_limit_exceeded", "Rate limit reached for gpt-4o on tokens per min")},
       {429, anthropic("rate_limit_error", "This request would exceed your rate limit")},
       {429,
        google(
            429, "RESOURCE_EXHAUSTED",
            "You exceeded your current quota, please check your plan and billing details.",
            R"({"violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]},{"retryDelay":"8.5s"})")},
       {429, R"({"message":"Requests rate limit exceeded"})"},
       {429,
        R"({"object":"error","message":"Service tier capacity exceeded for this model.","type":"invalid_request_error","code":"3505"})"},
       {429, "slow down"},
       {429, ""}});
}

TEST(WireFailure, OverloadIsWaitedOut) {
  expect_kind(
      FailureKind::kOverloaded,
      {{529, anthropic("overloaded_error", "Overloaded")},
       {500, anthropic("api_error", "Internal server error")},
       {503, google(503, "UNAVAILABLE", "The model is overloaded.")},
       {500, R"({"error":"llama runner process has terminated"})"},
       {503, R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})"},
       {502, "upstream connect error"},
       {408, ""},
       {409, openai("conflict", "", "The resource is locked")},
       {504, ""}});
}

TEST(WireFailure, ABadKeyIsPermanent) {
  expect_kind(
      FailureKind::kBadKey,
      {{401, openai("invalid_request_error", "invalid_api_key", "Incorrect API key provided")},
       {401, anthropic("authentication_error", "invalid x-api-key")},
       {403, anthropic("permission_error", "Your API key does not have permission")},
       {400,
        google(
            400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
            R"({"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"})")},
       {403, google(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers")},
       {401, R"({"message":"Unauthorized"})"},
       {401, R"({"statusCode": 401, "message": "Access denied due to invalid subscription key"})"},
       {401, ""}});
}

TEST(WireFailure, AnUnknownModelIsPermanent) {
  expect_kind(
      FailureKind::kUnknownModel,
      {{404, openai("invalid_request_error", "model_not_found", "The model `x` does not exist")},
       {404, anthropic("not_found_error", "model: claude-x")},
       {404, google(404, "NOT_FOUND", "models/x is not found for API version v1beta")},
       {404, R"({"error":"model \"x\" not found, try pulling it first"})"},
       {400,
        R"({"object":"error","message":"Invalid model: x","type":"invalid_model","code":"1500"})"},
       {400, openai("invalid_request_error", "invalid_request_error", "Model Not Exist")},
       {400, R"({"error":{"message":"x is not a valid model ID","code":400}})"},
       {400, openai("invalid_request_error", "model_decommissioned", "has been decommissioned")},
       {404,
        R"({"error":{"code":"DeploymentNotFound","message":"The API deployment does not exist."}})"}});
}

TEST(WireFailure, ANotFoundThatSpeaksOfNoModelIsAWrongAddress) {
  expect_kind(
      FailureKind::kMisconfigured,
      {{404, "404 page not found"},
       {404, R"({"detail":"Not Found"})"},
       {301, ""},
       {500, R"({"error":"model requires more system memory (9 GiB) than is available"})"}});
}

TEST(WireFailure, ATooLongRequestIsPermanent) {
  expect_kind(
      FailureKind::kContextTooLong,
      {{400, openai("invalid_request_error", "context_length_exceeded",
                    "This model's maximum context length is 128000 tokens.")},
       {400,
        anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")},
       {413, anthropic("request_too_large", "Request exceeds the maximum size")},
       {400, google(400, "INVALID_ARGUMENT",
                    "The input token count (1100000) exceeds the maximum number of tokens allowed "
                    "(1048576).")},
       {400,
        R"({"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}})"},
       {413, openai("tokens", "rate_limit_exceeded",
                    "Request too large for model `x` on tokens per minute (TPM): Limit 6000, "
                    "Requested 8000")},
       {429, openai("tokens", "rate_limit_exceeded",
                    "Request too large for gpt-4 in organization on tokens per min (TPM): Limit "
                    "10000, Requested 12000.")},
       {400, R"({"message":"too many tokens: size limit exceeded by 11326 tokens."})"},
       {413, ""}});
}

TEST(WireFailure, AFilterThatDeclinesIsARefusal) {
  expect_kind(
      FailureKind::kRefused,
      {{400, openai("", "content_filter",
                    "The response was filtered due to the prompt triggering Azure OpenAI's content "
                    "management policy.")},
       {400,
        R"({"error":{"message":"filtered","type":null,"param":"prompt","code":null,"innererror":{"code":"ResponsibleAIPolicyViolation"}}})"},
       {400, openai("invalid_request_error", "invalid_prompt",
                    "Invalid prompt: your prompt was flagged")},
       {400, anthropic("invalid_request_error", "Output blocked by content filtering policy")},
       {403,
        R"({"error":{"code":403,"message":"x requires moderation on OpenRouter. Your input was flagged"}})"}});
}

TEST(WireFailure, OtherRefusalsAreBadRequests) {
  expect_kind(
      FailureKind::kBadRequest,
      {{400, openai("invalid_request_error", "", "Invalid value for 'temperature'")},
       {422, R"({"detail":[{"loc":["body","messages"],"msg":"field required","type":"missing"}]})"},
       {422, R"({"object":"error","message":{"detail":[{"msg":"extra"}]}})"},
       {405, ""},
       {418, "teapot"}});
  EXPECT_THAT(fail(422, R"({"detail":[{"msg":"field required"}]})").message,
              HasSubstr("field required"));
}

TEST(WireFailure, ACallThatTheServerCouldNotReadMayBeTriedAgain) {
  expect_kind(
      FailureKind::kMalformed,
      {{400, openai("invalid_request_error", "tool_use_failed", "Failed to call a function")}});
}

TEST(WireFailure, PagesOfHtmlAreGatewaysOrWrongAddresses) {
  const std::string page = "<html><head><title>502 Bad Gateway</title></head></html>";
  EXPECT_EQ(fail(502, page, {}, "text/html").kind, FailureKind::kOverloaded);
  EXPECT_EQ(fail(429, page, {{"retry-after", "3"}}, "text/html").retry_after, milliseconds(3000));
  const Failure wrong = fail(404, "\n<!DOCTYPE HTML><p>x");
  EXPECT_EQ(wrong.kind, FailureKind::kMisconfigured);
  EXPECT_THAT(wrong.message, HasSubstr("check the base URL, https://acme.example/v1"));
  EXPECT_EQ(fail(403, page).kind, FailureKind::kMisconfigured);
}

TEST(WireFailure, TellsWhatWasSeenAndWhatToDo) {
  EXPECT_EQ(fail(401, openai("x", "invalid_api_key", "Incorrect API key")).message,
            "acme: the provider does not accept the key (HTTP 401): Incorrect API key; check that "
            "the key is "
            "right and may do this");
  EXPECT_EQ(
      fail(404, openai("x", "model_not_found", "no")).message,
      "acme: no such model \"some-model\" (HTTP 404): no; see its models with `agents provider "
      "show acme`");
  EXPECT_EQ(fail(500, "").message,
            "acme: cannot serve the request now (HTTP 500): an empty answer");
}

TEST(WireFailure, AMissingKeyIsSaidToBeMissing) {
  Endpoint endpoint = test_endpoint(Wire::kAnthropic);
  endpoint.key.clear();
  EXPECT_THAT(failure_of_answer(endpoint, "m", test_head(401, ""), "").message,
              HasSubstr("no key is set for this provider: set one"));
  endpoint.key_variable = "ACME_KEY";
  EXPECT_THAT(failure_of_answer(endpoint, "m", test_head(401, ""), "").message,
              HasSubstr("set ACME_KEY"));
  endpoint.key = "k-1";
  EXPECT_THAT(failure_of_answer(endpoint, "m", test_head(403, ""), "").message,
              HasSubstr("the key may not do this (HTTP 403): an empty answer; check that the key "
                        "in ACME_KEY is right"));
}

TEST(WireFailure, KnowsHowLongToWait) {
  EXPECT_EQ(fail(429, "", {{"retry-after", "7"}}).retry_after, milliseconds(7000));
  EXPECT_EQ(fail(429, openai("requests", "rate_limit_exceeded", "Please try again in 7m12s."))
                .retry_after,
            milliseconds(432'000));
  EXPECT_EQ(
      fail(429, google(429, "RESOURCE_EXHAUSTED", "slow", R"({"retryDelay":"8.5s"})")).retry_after,
      milliseconds(8500));
  EXPECT_EQ(fail(429, R"({"error":{"message":"Please retry in 8.94s."}})").retry_after,
            milliseconds(8940));
  EXPECT_EQ(fail(429, R"({"error":{"message":"try again in a while"}})").retry_after, std::nullopt);
  EXPECT_EQ(fail(401, "", {{"retry-after", "7"}}).retry_after, std::nullopt);
}

TEST(WireFailure, KeepsTheProvidersIdOfTheRequest) {
  EXPECT_EQ(fail(500, "", {{"x-request-id", "req_1"}}).request_id, "req_1");
  EXPECT_EQ(fail(500, "", {{"request-id", "req_2"}}).request_id, "req_2");
}

TEST(WireFailure, HoldsNoSecret) {
  const Failure failure = fail(401, openai("", "invalid_api_key",
                                           "Incorrect key key-of-the-test-0123456789 and "
                                           "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"));
  EXPECT_THAT(failure.message, Not(HasSubstr("key-of-the-test")));
  EXPECT_THAT(failure.message, Not(HasSubstr("abcdefghijklmnopqrstuv")));
}

TEST(WireFailure, IsOneShortLine) {
  const Failure failure = fail(400, "line one\nline two\x1B[31m" + std::string(100'000, 'x'));
  EXPECT_LT(failure.message.size(), 450U);
  EXPECT_THAT(failure.message, HasSubstr("line one line two"));
  EXPECT_THAT(failure.message, Not(HasSubstr("\x1B")));
}

TEST(WireFailure, TheProviderBehindAGatewayIsNamed) {
  const Failure failure = fail(
      429,
      R"({"error":{"code":429,"message":"Provider returned error","metadata":{"raw":"gemini is temporarily rate-limited","provider_name":"Google"}}})");
  EXPECT_EQ(failure.kind, FailureKind::kRateLimited);
  EXPECT_THAT(failure.message, HasSubstr("Provider returned error: gemini is temporarily"));
}

TEST(WireFailure, AnArrayMayHoldTheError) {
  EXPECT_EQ(fail(400, "[" + google(400, "INVALID_ARGUMENT", "API key not valid.") + "]").kind,
            FailureKind::kBadKey);
}

TEST(WireFailureProperties, AnyBodyGivesAFailure) {
  EXPECT_TRUE(rc::check([](const std::string& body) {
    const int status = *rc::gen::inRange(300, 600);
    const Failure failure = fail(status, body);
    RC_ASSERT(failure.status == status);
    RC_ASSERT(failure.message.starts_with("acme: "));
    RC_ASSERT(failure.message.size() < 600U);
  }));
}

// ---- lists of models ---------------------------------------------------------------------------

TEST(ReadModels, KnowsTheShapesOfLists) {
  const Adapter& any = *adapter(Wire::kOpenAiChat);
  using Names = std::vector<std::string>;
  EXPECT_EQ(any.read_models(R"({"object":"list","data":[{"id":"a"},{"id":"b"}]})").value(),
            Names({"a", "b"}));
  EXPECT_EQ(any.read_models(R"({"models":[{"name":"models/gemini-3-pro"}]})").value(),
            Names({"gemini-3-pro"}));
  EXPECT_EQ(any.read_models(R"({"models":[{"name":"qwen3:8b","model":"qwen3:8b"}]})").value(),
            Names({"qwen3:8b"}));
  EXPECT_EQ(any.read_models(R"([{"id":"meta/llama"},{"x":1}])").value(), Names({"meta/llama"}));
}

TEST(ReadModels, RefusesAnythingElse) {
  const Adapter& any = *adapter(Wire::kOllama);
  EXPECT_THAT(any.read_models("<html>").error().message(), HasSubstr("expected a list of models"));
  EXPECT_FALSE(any.read_models(R"({"data":1})").ok());
}

TEST(Adapters, ExistForTheWiresOfHttp) {
  EXPECT_EQ(adapter(Wire::kScripted), nullptr);
  EXPECT_EQ(adapter(Wire::kReplay), nullptr);
  EXPECT_EQ(adapter(static_cast<Wire>(99)), nullptr);
}

}  // namespace
}  // namespace clever::provider::internal

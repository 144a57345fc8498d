#include "provider/call_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

namespace clever::provider {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kKey = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";

ModelRequest secret_question() {
  ModelRequest request;
  request.system = "be brief";
  request.messages = {{model::Role::kUser, {model::Text{std::string("my key is ") + kKey}}}};
  return request;
}

CallTrace fallback_trace() {
  CallTrace trace;
  trace.provider = "google";
  trace.model = "gemini";
  trace.started = base::WallTime(1s);
  trace.latency = 2s;
  trace.first_byte = 300ms;
  trace.usage = {.input = 7, .output = 3, .cache_read = 2, .known = true};
  trace.attempts = {
      {.model = "openai/gpt",
       .queued_at = 0s,
       .started_at = 1s,
       .ended_at = 1100ms,
       .failure = FailureKind::kQuota,
       .status = 429},
      {.model = "google/gemini", .queued_at = 1100ms, .started_at = 1200ms, .ended_at = 2s}};
  trace.moves = {{"openai/gpt", "google/gemini", std::string("quota, with key ") + kKey}};
  return trace;
}

CallEnd answered_after_fallback() {
  ModelAnswer answer;
  answer.message.parts = {model::Text{"the answer"}};
  answer.model = "gemini-001";
  answer.id = "r1";
  return {answer, fallback_trace()};
}

json attributes(const storage::ModelCallRecord& call) { return json::parse(call.attributes); }

TEST(CallRecord, HasTheNumbersOfTheCall) {
  const auto call = call_record(secret_question(), answered_after_fallback(), {.cost = 12});
  EXPECT_EQ(call.provider, "google");
  EXPECT_EQ(call.model, "gemini");
  EXPECT_EQ(call.started, model::to_timestamp(1'000'000));
  EXPECT_EQ(call.latency, 2s);
  EXPECT_EQ(call.first_byte, 300ms);
  EXPECT_EQ(call.waited, 1100ms);
  EXPECT_EQ(call.retries, 1);
  EXPECT_EQ(call.input_tokens, 7);
  EXPECT_EQ(call.output_tokens, 3);
  EXPECT_EQ(call.cost, 12);
  EXPECT_EQ(call.error, "");
}

TEST(CallRecord, UsesTheNamesOfOpenTelemetry) {
  const json all = attributes(call_record(secret_question(), answered_after_fallback(), {}));
  EXPECT_EQ(all["gen_ai.operation.name"], "chat");
  EXPECT_EQ(all["gen_ai.provider.name"], "gcp.gemini");
  EXPECT_EQ(all["gen_ai.request.model"], "gemini");
  EXPECT_EQ(all["gen_ai.response.model"], "gemini-001");
  EXPECT_EQ(all["gen_ai.response.id"], "r1");
  EXPECT_EQ(all["gen_ai.response.finish_reasons"], json::array({"end"}));
  EXPECT_EQ(all["gen_ai.usage.input_tokens"], 7);
  EXPECT_EQ(all["gen_ai.usage.cache_read.input_tokens"], 2);
}

TEST(CallRecord, SaysWhyItMoved) {
  const json all = attributes(call_record(secret_question(), answered_after_fallback(), {}));
  EXPECT_EQ(all["clever.attempts"][0]["error.type"], "quota");
  EXPECT_EQ(all["clever.moves"][0]["to"], "google/gemini");
}

TEST(CallRecord, HasNoPromptUnlessAskedFor) {
  const auto call = call_record(secret_question(), answered_after_fallback(), {});
  EXPECT_THAT(call.attributes, Not(HasSubstr("be brief")));
  EXPECT_THAT(call.attributes, Not(HasSubstr("the answer")));
}

TEST(CallRecord, NeverHasAKey) {
  const auto call =
      call_record(secret_question(), answered_after_fallback(), {.with_prompts = true});
  EXPECT_THAT(call.attributes, HasSubstr("be brief"));
  EXPECT_THAT(call.attributes, HasSubstr("the answer"));
  EXPECT_THAT(call.attributes, Not(HasSubstr("abcdefghijklmnop")));
}

TEST(CallRecord, NamesTheKindOfAFailure) {
  const CallEnd end{Failure{.kind = FailureKind::kBadKey,
                            .message = std::string("openai: wrong key ") + kKey,
                            .status = 401},
                    fallback_trace()};
  const auto call = call_record(secret_question(), end, {.with_prompts = true});
  EXPECT_EQ(call.error, "bad_key");
  EXPECT_EQ(attributes(call)["http.response.status_code"], 401);
  EXPECT_THAT(call.attributes, Not(HasSubstr("abcdefghijklmnop")));
}

}  // namespace
}  // namespace clever::provider

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "provider/testing/wire_reading.h"

namespace clever::provider {
namespace {

using internal::event_stream;
using internal::Reading;
using model::Reasoning;
using model::Text;
using model::ToolCall;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Reading read_gemini(const std::vector<std::string>& data) {
  return internal::read_answer(Wire::kGoogle, event_stream(data));
}
std::string gemini_piece(const std::string& parts, const std::string& more = "") {
  return R"({"candidates":[{"content":{"role":"model","parts":[)" + parts + R"(]},"index":0)" +
         more +
         R"(}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":4,"thoughtsTokenCount":6,"cachedContentTokenCount":2,"totalTokenCount":20},"modelVersion":"gemini-3-pro","responseId":"r1"})";
}
std::string last_piece(const std::string& reason) {
  return gemini_piece("", R"(,"finishReason":")" + reason + "\"");
}

TEST(GeminiReader, ReadsThoughtsTextAndCalls) {
  const Reading reading = read_gemini(
      {gemini_piece(R"({"text":"Thinking","thought":true})"), gemini_piece(R"({"text":"Let "})"),
       gemini_piece(
           R"({"text":"us"},{"functionCall":{"id":"fc1","name":"read","args":{"p": 1}},"thoughtSignature":"c2ln"})"),
       gemini_piece(R"({"functionCall":{"name":"list"}})", R"(,"finishReason":"STOP")")});
  const ModelAnswer& answer = reading.answer();
  ASSERT_EQ(answer.message.parts.size(), 4U);
  EXPECT_EQ(answer.message.parts[0], model::Part(Reasoning{"Thinking", "", "google"}));
  EXPECT_EQ(answer.message.parts[1], model::Part(Text{"Let us"}));
  EXPECT_EQ(answer.message.parts[2], model::Part(ToolCall{"fc1", "read", R"({"p": 1})", "c2ln"}));
  const auto& unnamed = std::get<ToolCall>(answer.message.parts[3]);
  EXPECT_THAT(unnamed.id, StartsWith("call_"));
  EXPECT_EQ(unnamed.arguments, "{}");
  EXPECT_EQ(answer.stop, StopReason::kToolCalls);
  EXPECT_EQ(answer.usage, (Usage{.input = 10,
                                 .output = 10,
                                 .cache_read = 2,
                                 .cache_write = 0,
                                 .reasoning = 6,
                                 .known = true}));
  EXPECT_EQ(answer.model, "gemini-3-pro");
  EXPECT_EQ(answer.id, "r1");
}

TEST(GeminiReader, ReadsAWholeAnswerOrAnArrayOfThem) {
  const std::string one = gemini_piece(R"({"text":"Hi"})", R"(,"finishReason":"STOP")");
  for (const std::string& body :
       {one, "[" + gemini_piece(R"({"text":"H"})") + "," +
                 gemini_piece(R"({"text":"i"})", R"(,"finishReason":"STOP")") + "]"}) {
    EXPECT_THAT(
        internal::read_answer(Wire::kGoogle, body, "application/json").answer().message.parts,
        ElementsAre(Text{"Hi"}));
  }
}

TEST(GeminiReader, KnowsTheReasonsToStop) {
  EXPECT_EQ(read_gemini({last_piece("STOP")}).answer().stop, StopReason::kEnd);
  EXPECT_EQ(read_gemini({last_piece("MAX_TOKENS")}).answer().stop, StopReason::kLength);
  EXPECT_EQ(read_gemini({last_piece("SAFETY")}).answer().stop, StopReason::kRefusal);
  EXPECT_EQ(read_gemini({last_piece("PROHIBITED_CONTENT")}).answer().stop, StopReason::kRefusal);
  EXPECT_EQ(read_gemini({last_piece("OTHER")}).answer().stop, StopReason::kOther);
  EXPECT_EQ(read_gemini({last_piece("MISSING_THOUGHT_SIGNATURE")}).failure().kind,
            FailureKind::kBadRequest);
}

TEST(GeminiReader, ACallThatTheApiCouldNotReadMakesNoSense) {
  const Reading reading = read_gemini({gemini_piece(
      "",
      R"(,"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"print default_api.read")")});
  EXPECT_EQ(reading.failure().kind, FailureKind::kMalformed);
  EXPECT_THAT(reading.failure().message, HasSubstr("default_api"));
}

TEST(GeminiReader, ABlockedPromptIsRefused) {
  const Reading reading = read_gemini(
      {R"({"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":5}})"});
  EXPECT_EQ(reading.failure().kind, FailureKind::kRefused);
  EXPECT_THAT(reading.failure().message, HasSubstr("PROHIBITED_CONTENT"));
}

TEST(GeminiReader, AnErrorInTheStreamHasItsRealKind) {
  EXPECT_EQ(
      read_gemini(
          {R"({"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}})"})
          .failure()
          .kind,
      FailureKind::kOverloaded);
}

TEST(GeminiReader, AStreamWithoutAReasonToStopWasCut) {
  EXPECT_EQ(read_gemini({gemini_piece(R"({"text":"half"})")}).failure().kind, FailureKind::kCut);
}

}  // namespace
}  // namespace clever::provider

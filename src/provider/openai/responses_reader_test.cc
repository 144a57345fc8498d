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

Reading read_responses(const std::vector<std::string>& data) {
  return internal::read_answer(Wire::kOpenAiResponses, event_stream(data));
}

std::string completed_event(const std::string& more = "") {
  return R"({"type":"response.completed","sequence_number":9,"response":{"id":"resp_1","model":"gpt-5-2025","status":"completed",)"
         R"("error":null,"incomplete_details":null,"output":[],"usage":{"input_tokens":20,"input_tokens_details":{"cached_tokens":8},)"
         R"("output_tokens":11,"output_tokens_details":{"reasoning_tokens":6},"total_tokens":31})" +
         more + "}}";
}

TEST(ResponsesReader, ReadsReasoningTextAndCalls) {
  const Reading reading = read_responses(
      {R"({"type":"response.created","response":{"id":"resp_1","status":"in_progress"}})",
       R"({"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"Plan"})",
       R"({"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Plan"},{"type":"summary_text","text":"more"}],"encrypted_content":"gAAA"}})",
       R"({"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"I read"})",
       R"({"type":"response.output_item.done","output_index":1,"item":{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"I read","annotations":[]}]}})",
       R"({"type":"response.output_item.added","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"read","arguments":""}})",
       R"({"type":"response.function_call_arguments.delta","output_index":2,"delta":"{\"p\":1}"})",
       R"({"type":"response.function_call_arguments.delta","output_index":9,"delta":"lost"})",
       R"({"type":"response.output_item.done","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"read","arguments":"{\"p\":1}"}})",
       completed_event()});
  EXPECT_EQ(
      reading.answer(),
      (ModelAnswer{
          .message = {model::Role::kAssistant,
                      {Reasoning{"Plan\n\nmore", R"({"id":"rs_1","encrypted_content":"gAAA"})",
                                 "openai-responses"},
                       Text{"I read"}, ToolCall{"call_1", "read", R"({"p":1})", ""}}},
          .stop = StopReason::kToolCalls,
          .stop_detail = "completed",
          .refusal = "",
          .usage = {.input = 20, .output = 11, .cache_read = 8, .reasoning = 6, .known = true},
          .model = "gpt-5-2025",
          .id = "resp_1"}));
  EXPECT_THAT(reading.deltas, ElementsAre("reasoning:Plan", "text:I read", "call 0:call_1 read ",
                                          "call 0:  {\"p\":1}"));
  EXPECT_TRUE(reading.complete);
}

TEST(ResponsesReader, ReadsAWholeAnswer) {
  const Reading reading = internal::read_answer(
      Wire::kOpenAiResponses,
      R"({"id":"resp_2","object":"response","status":"completed","error":null,"model":"m",)"
      R"("output":[{"type":"message","content":[{"type":"output_text","text":"Hi"}]}]})",
      "application/json");
  EXPECT_THAT(reading.answer().message.parts, ElementsAre(Text{"Hi"}));
  EXPECT_EQ(reading.answer().stop, StopReason::kEnd);
  EXPECT_FALSE(reading.answer().usage.known);
}

TEST(ResponsesReader, ARefusalIsNotAnEnd) {
  const Reading reading = read_responses(
      {R"({"type":"response.output_item.done","item":{"type":"message","content":[{"type":"refusal","refusal":"No."}]}})",
       completed_event()});
  EXPECT_EQ(reading.answer().stop, StopReason::kRefusal);
  EXPECT_EQ(reading.answer().refusal, "No.");
}

TEST(ResponsesReader, AnIncompleteAnswerSaysWhy) {
  const auto incomplete = [](const std::string& reason) {
    return read_responses(
        {R"({"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":")" +
         reason + R"("},"output":[]}})"});
  };
  EXPECT_EQ(incomplete("max_output_tokens").answer().stop, StopReason::kLength);
  EXPECT_EQ(incomplete("content_filter").answer().stop, StopReason::kRefusal);
  EXPECT_EQ(incomplete("tired").answer().stop, StopReason::kOther);
}

TEST(ResponsesReader, AFailedAnswerHasItsRealKind) {
  EXPECT_EQ(
      read_responses(
          {R"({"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}})"})
          .failure()
          .kind,
      FailureKind::kRateLimited);
  EXPECT_EQ(
      read_responses({R"({"type":"error","code":"server_error","message":"oops","param":null})"})
          .failure()
          .kind,
      FailureKind::kOverloaded);
  EXPECT_EQ(
      read_responses(
          {R"({"type":"response.failed","response":{"status":"failed","error":{"code":"invalid_prompt","message":"flagged"}}})"})
          .failure()
          .kind,
      FailureKind::kRefused);
  EXPECT_THAT(read_responses({R"({"type":"response.completed","response":{"status":"cancelled"}})"})
                  .failure()
                  .message,
              HasSubstr("cancelled"));
}

TEST(ResponsesReader, AStreamWithoutAnEndWasCut) {
  EXPECT_EQ(
      read_responses({R"({"type":"response.output_text.delta","output_index":0,"delta":"half"})"})
          .failure()
          .kind,
      FailureKind::kCut);
}

}  // namespace
}  // namespace clever::provider

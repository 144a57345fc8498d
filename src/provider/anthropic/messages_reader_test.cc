#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "provider/testing/wire_reading.h"

namespace clever::provider {
namespace {

using internal::Reading;
using model::Reasoning;
using model::Text;
using model::ToolCall;
using testing::ElementsAre;

std::string named_event(const std::string& name, const std::string& data) {
  return "event: " + name + "\ndata: " + data + "\n\n";
}
std::string message_start() {
  return named_event(
      "message_start",
      R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"claude-x","stop_reason":null,)"
      R"("usage":{"input_tokens":25,"cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":1}}})");
}
std::string block_start(int index, const std::string& content) {
  return named_event("content_block_start", R"({"type":"content_block_start","index":)" +
                                                std::to_string(index) + R"(,"content_block":)" +
                                                content + "}");
}
std::string block_delta(int index, const std::string& content) {
  return named_event("content_block_delta", R"({"type":"content_block_delta","index":)" +
                                                std::to_string(index) + R"(,"delta":)" + content +
                                                "}");
}
std::string message_end(const std::string& reason) {
  return named_event("message_delta",
                     R"({"type":"message_delta","delta":{"stop_reason":")" + reason +
                         R"(","stop_sequence":null},"usage":{"output_tokens":15}})") +
         named_event("message_stop", R"({"type":"message_stop"})");
}
Reading read_messages(const std::string& stream) {
  return internal::read_answer(Wire::kAnthropic, stream);
}

TEST(MessagesReader, ReadsThinkingTextAndACall) {
  const Reading reading = read_messages(
      message_start() + block_start(0, R"({"type":"thinking","thinking":"","signature":""})") +
      named_event("ping", R"({"type": "ping"})") +
      block_delta(0, R"({"type":"thinking_delta","thinking":"Let me"})") +
      block_delta(0, R"({"type":"thinking_delta","thinking":" see"})") +
      block_delta(0, R"({"type":"signature_delta","signature":"EqQBsig"})") +
      named_event("content_block_stop", R"({"type":"content_block_stop","index":0})") +
      block_start(1, R"({"type":"redacted_thinking","data":"ZGF0YQ=="})") +
      block_start(2, R"({"type":"text","text":""})") +
      block_delta(2, R"({"type":"text_delta","text":"Okay"})") +
      block_start(3, R"({"type":"tool_use","id":"toolu_1","name":"read","input":{}})") +
      block_delta(3, R"({"type":"input_json_delta","partial_json":""})") +
      block_delta(3, R"({"type":"input_json_delta","partial_json":"{\"p\":"})") +
      block_delta(3, R"({"type":"input_json_delta","partial_json":"1}"})") +
      message_end("tool_use"));
  EXPECT_EQ(
      reading.answer(),
      (ModelAnswer{
          .message = {model::Role::kAssistant,
                      {Reasoning{"Let me see", "EqQBsig", "anthropic"},
                       Reasoning{"", "redacted:ZGF0YQ==", "anthropic"}, Text{"Okay"},
                       ToolCall{"toolu_1", "read", R"({"p":1})", ""}}},
          .stop = StopReason::kToolCalls,
          .stop_detail = "tool_use",
          .refusal = "",
          .usage =
              {.input = 1125, .output = 15, .cache_read = 1000, .cache_write = 100, .known = true},
          .model = "claude-x",
          .id = "msg_1"}));
  EXPECT_THAT(reading.deltas,
              ElementsAre("reasoning:Let me", "reasoning: see", "text:Okay", "call 0:toolu_1 read ",
                          "call 0:  {\"p\":", "call 0:  1}"));
  EXPECT_TRUE(reading.complete);
}

TEST(MessagesReader, ReadsAWholeAnswer) {
  const Reading reading = internal::read_answer(
      Wire::kAnthropic,
      R"({"id":"msg_2","type":"message","role":"assistant","model":"claude-x","content":[)"
      R"({"type":"text","text":"Hi"},{"type":"tool_use","id":"t","name":"f","input":{"a":[1]}}],)"
      R"("stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4,"output_tokens_details":{"thinking_tokens":2}}})",
      "application/json");
  EXPECT_THAT(reading.answer().message.parts,
              ElementsAre(Text{"Hi"}, ToolCall{"t", "f", R"({"a":[1]})", ""}));
  EXPECT_EQ(reading.answer().usage,
            (Usage{.input = 3, .output = 4, .reasoning = 2, .known = true}));
}

TEST(MessagesReader, KnowsEveryReasonToStop) {
  const auto stop = [](const std::string& reason) {
    return read_messages(message_start() + message_end(reason)).answer().stop;
  };
  EXPECT_EQ(stop("end_turn"), StopReason::kEnd);
  EXPECT_EQ(stop("stop_sequence"), StopReason::kEnd);
  EXPECT_EQ(stop("max_tokens"), StopReason::kLength);
  EXPECT_EQ(stop("model_context_window_exceeded"), StopReason::kLength);
  EXPECT_EQ(stop("refusal"), StopReason::kRefusal);
  EXPECT_EQ(stop("pause_turn"), StopReason::kOther);
}

TEST(MessagesReader, ARefusalIsExplained) {
  EXPECT_EQ(
      read_messages(
          message_start() +
          named_event(
              "message_delta",
              R"({"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"type":"refusal","explanation":"Not this."}}})"))
          .answer()
          .refusal,
      "Not this.");
}

TEST(MessagesReader, UsageIsAddedUpFromBothEnds) {
  const Reading reading = read_messages(
      message_start() +
      named_event(
          "message_delta",
          R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":30,"cache_read_input_tokens":null,"output_tokens":7}})"));
  EXPECT_EQ(reading.answer().usage.input, 30 + 100 + 1000);
  EXPECT_EQ(reading.answer().usage.output, 7);
}

TEST(MessagesReader, AnErrorInTheStreamHasItsRealKind) {
  const auto kind = [](const std::string& type) {
    return read_messages(message_start() +
                         named_event("error", R"({"type":"error","error":{"type":")" + type +
                                                  R"(","message":"Something"}})"))
        .failure()
        .kind;
  };
  EXPECT_EQ(kind("overloaded_error"), FailureKind::kOverloaded);
  EXPECT_EQ(kind("api_error"), FailureKind::kOverloaded);
  EXPECT_EQ(kind("rate_limit_error"), FailureKind::kRateLimited);
  EXPECT_EQ(kind("authentication_error"), FailureKind::kBadKey);
  EXPECT_EQ(kind("invalid_request_error"), FailureKind::kBadRequest);
}

TEST(MessagesReader, AStreamWithoutAnEndWasCut) {
  EXPECT_EQ(read_messages(message_start() + block_start(0, R"({"type":"text","text":"half"})"))
                .failure()
                .kind,
            FailureKind::kCut);
}

TEST(MessagesReader, BlocksThatAreNotKnownAreIgnored) {
  const Reading reading = read_messages(
      message_start() +
      block_start(0, R"({"type":"server_tool_use","id":"s","name":"web_search","input":{}})") +
      block_delta(0, R"({"type":"input_json_delta","partial_json":"{}"})") +
      block_delta(0, R"({"type":"citations_delta","citation":{}})") +
      named_event("novel", R"({"type":"novel"})") +
      block_start(1, R"({"type":"text","text":"x"})") + message_end("end_turn"));
  EXPECT_THAT(reading.answer().message.parts, ElementsAre(Text{"x"}));
}

}  // namespace
}  // namespace clever::provider

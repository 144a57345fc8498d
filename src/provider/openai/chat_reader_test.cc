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
using testing::Not;

Reading read_chat(const std::vector<std::string>& data) {
  return internal::read_answer(Wire::kOpenAiChat, event_stream(data));
}
Reading read_whole_chat(const std::string& body) {
  return internal::read_answer(Wire::kOpenAiChat, body, "application/json");
}

std::string chat_chunk(const std::string& delta, const std::string& finish = "null") {
  return R"({"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-4o-2024",)"
         R"("choices":[{"index":0,"delta":)" +
         delta + R"(,"logprobs":null,"finish_reason":)" + finish + "}]}";
}

TEST(ChatReader, ReadsAStreamedText) {
  const Reading reading = read_chat(
      {chat_chunk(R"({"role":"assistant","content":"","refusal":null})"),
       chat_chunk(R"({"content":"Hel"})"), chat_chunk(R"({"content":"lo \u00fc"})"),
       chat_chunk("{}", "\"stop\""),
       R"({"id":"chatcmpl-1","model":"gpt-4o-2024","choices":[],"usage":{"prompt_tokens":10,)"
       R"("completion_tokens":5,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":4},)"
       R"("completion_tokens_details":{"reasoning_tokens":2}}})",
       "[DONE]"});
  EXPECT_EQ(reading.answer(),
            (ModelAnswer{
                .message = {model::Role::kAssistant, {Text{"Hello ü"}}},
                .stop = StopReason::kEnd,
                .stop_detail = "stop",
                .refusal = "",
                .usage = {.input = 10, .output = 5, .cache_read = 4, .reasoning = 2, .known = true},
                .model = "gpt-4o-2024",
                .id = "chatcmpl-1"}));
  EXPECT_THAT(reading.deltas, ElementsAre("text:Hel", "text:lo ü"));
  EXPECT_TRUE(reading.complete);
}

TEST(ChatReader, ReadsParallelCallsByTheirIndex) {
  const Reading reading = read_chat(
      {chat_chunk(
           R"({"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"read","arguments":""}}]})"),
       chat_chunk(
           R"({"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"list","arguments":""}}]})"),
       chat_chunk(R"({"tool_calls":[{"index":0,"function":{"arguments":"{\"p\":"}}]})"),
       chat_chunk(R"({"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]})"),
       chat_chunk(R"({"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]})"),
       chat_chunk("{}", "\"tool_calls\""), "[DONE]"});
  EXPECT_THAT(reading.answer().message.parts,
              ElementsAre(ToolCall{"call_a", "read", R"({"p":1})", ""},
                          ToolCall{"call_b", "list", "{}", ""}));
  EXPECT_EQ(reading.answer().stop, StopReason::kToolCalls);
  EXPECT_THAT(reading.deltas, ElementsAre("call 0:call_a read ", "call 1:call_b list ",
                                          "call 0:  {\"p\":", "call 1:  {}", "call 0:  1}"));
}

TEST(ChatReader, DistinguishesCallsOfOneIndexByTheirIds) {
  const Reading reading = read_chat(
      {chat_chunk(
           R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]})"),
       chat_chunk(
           R"({"tool_calls":[{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}]})"),
       chat_chunk("{}", "\"stop\"")});
  EXPECT_THAT(reading.answer().message.parts,
              ElementsAre(ToolCall{"a", "f", "{}", ""}, ToolCall{"b", "g", "{}", ""}));
  EXPECT_EQ(reading.answer().stop, StopReason::kToolCalls);
}

TEST(ChatReader, PiecesWithoutAnIndexBelongToTheLastCall) {
  const Reading reading = read_chat(
      {chat_chunk(R"({"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\""}}]})"),
       chat_chunk(R"({"tool_calls":[{"function":{"arguments":":1}"}}]})"),
       chat_chunk("{}", "\"stop\"")});
  EXPECT_THAT(reading.answer().message.parts, ElementsAre(ToolCall{"a", "f", R"({"x":1})", ""}));
}

TEST(ChatReader, EqualIdsAreRenamed) {
  const Reading reading = read_whole_chat(
      R"({"id":"1","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,)"
      R"("tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}},)"
      R"({"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]})");
  EXPECT_THAT(reading.answer().message.parts,
              ElementsAre(ToolCall{"x", "f", "{}", ""}, ToolCall{"x_2", "f", "{}", ""}));
}

TEST(ChatReader, ANamelessCallMakesNoSense) {
  const Reading reading = read_chat(
      {chat_chunk(R"({"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]})"),
       chat_chunk("{}", "\"tool_calls\"")});
  EXPECT_EQ(reading.failure().kind, FailureKind::kMalformed);
}

TEST(ChatReader, ReadsAWholeAnswer) {
  const Reading reading = read_whole_chat(
      R"({"id":"chatcmpl-2","object":"chat.completion","model":"m","choices":[{"index":0,)"
      R"("message":{"role":"assistant","content":"Hi"},"finish_reason":"length"}],)"
      R"("usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}})");
  EXPECT_THAT(reading.answer().message.parts, ElementsAre(Text{"Hi"}));
  EXPECT_EQ(reading.answer().stop, StopReason::kLength);
  EXPECT_EQ(reading.answer().usage.input, 3);
}

TEST(ChatReader, AStreamMayComeAsOnePiece) {
  EXPECT_THAT(
      internal::read_answer(Wire::kOpenAiChat,
                            R"({"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]})",
                            "text/plain")
          .answer()
          .message.parts,
      ElementsAre(Text{"x"}));
}

TEST(ChatReader, UsageThatIsNotReportedIsUnknown) {
  EXPECT_EQ(read_chat({chat_chunk("{}", "\"stop\""), "[DONE]"}).answer().usage, Usage{});
}

TEST(ChatReader, GroqTellsItsUsageElsewhere) {
  const Reading reading = read_chat(
      {chat_chunk(R"({"content":"x"})"),
       R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"r","usage":{"prompt_tokens":7,"completion_tokens":2}}})",
       "[DONE]"});
  EXPECT_EQ(reading.answer().usage.input, 7);
  EXPECT_EQ(reading.answer().usage.output, 2);
}

TEST(ChatReader, DeepSeeksReasoningComesFirst) {
  const Reading reading =
      read_chat({chat_chunk(R"({"content":null,"reasoning_content":"Let me "})"),
                 chat_chunk(R"({"content":"","reasoning_content":"think"})"),
                 chat_chunk(R"({"content":"42"})"), chat_chunk("{}", "\"stop\"")});
  EXPECT_THAT(reading.answer().message.parts,
              ElementsAre(Reasoning{"Let me think", "", "openai-chat"}, Text{"42"}));
  EXPECT_THAT(reading.deltas, ElementsAre("reasoning:Let me ", "reasoning:think", "text:42"));
}

TEST(ChatReader, OpenRoutersDetailsAreKeptToBeGivenBack) {
  const Reading reading = read_chat(
      {chat_chunk(
           R"({"reasoning":"Hm","reasoning_details":[{"type":"reasoning.text","text":"H","index":0,"format":"anthropic-claude-v1"}]})"),
       chat_chunk(
           R"({"reasoning_details":[{"type":"reasoning.text","text":"m","index":0,"signature":"sig"}]})"),
       chat_chunk(
           R"({"content":"ok","reasoning_details":[{"type":"reasoning.encrypted","data":"AA==","id":"e","index":1}]})"),
       chat_chunk("{}", "\"stop\"")});
  EXPECT_THAT(
      reading.answer().message.parts,
      ElementsAre(Reasoning{"Hm",
                            R"([{"type":"reasoning.text","text":"Hm","signature":"sig",)"
                            R"("format":"anthropic-claude-v1","index":0},)"
                            R"({"type":"reasoning.encrypted","data":"AA==","id":"e","index":1}])",
                            "openrouter"},
                  Text{"ok"}));
}

TEST(ChatReader, DetailsAloneComeBeforeTheCalls) {
  const Reading reading = read_chat(
      {chat_chunk(
           R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]})"),
       chat_chunk(
           R"({"reasoning_details":[{"type":"reasoning.summary","summary":"s"}],"tool_calls":[{"index":0,"function":{"arguments":"}"}}]})"),
       chat_chunk("{}", "\"stop\"")});
  EXPECT_THAT(reading.answer().message.parts,
              ElementsAre(Reasoning{"", R"([{"type":"reasoning.summary","summary":"s","index":0}])",
                                    "openrouter"},
                          ToolCall{"a", "f", "{}", ""}));
}

TEST(ChatReader, MistralsThinkingComesInParts) {
  const Reading reading = read_chat(
      {chat_chunk(R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]})"),
       chat_chunk(R"({"content":[{"type":"text","text":"yes"}]})"), chat_chunk("{}", "\"stop\"")});
  EXPECT_THAT(reading.answer().message.parts,
              ElementsAre(Reasoning{"hm", "", "openai-chat"}, Text{"yes"}));
}

TEST(ChatReader, ARefusalIsNotAnEnd) {
  const Reading reading =
      read_chat({chat_chunk(R"({"refusal":"I can't "})"), chat_chunk(R"({"refusal":"help."})"),
                 chat_chunk("{}", "\"stop\"")});
  EXPECT_EQ(reading.answer().stop, StopReason::kRefusal);
  EXPECT_EQ(reading.answer().refusal, "I can't help.");
}

TEST(ChatReader, AFilterIsARefusal) {
  EXPECT_EQ(read_chat({chat_chunk("{}", "\"content_filter\"")}).answer().stop,
            StopReason::kRefusal);
}

TEST(ChatReader, OtherReasonsAreKept) {
  const Reading reading = read_chat({chat_chunk("{}", "\"novel\"")});
  EXPECT_EQ(reading.answer().stop, StopReason::kOther);
  EXPECT_EQ(reading.answer().stop_detail, "novel");
}

TEST(ChatReader, OnlyTheFirstChoiceCounts) {
  const Reading reading = read_chat({R"({"choices":[{"index":1,"delta":{"content":"other"}}]})",
                                     chat_chunk(R"({"content":"mine"})", "\"stop\"")});
  EXPECT_THAT(reading.answer().message.parts, ElementsAre(Text{"mine"}));
}

TEST(ChatReader, CommentsBetweenTheEventsAreIgnored) {
  EXPECT_THAT(
      internal::read_answer(Wire::kOpenAiChat,
                            ": OPENROUTER PROCESSING\n\n" +
                                event_stream({chat_chunk(R"({"content":"x"})", "\"stop\"")}))
          .answer()
          .message.parts,
      ElementsAre(Text{"x"}));
}

// ---- ends that are none ------------------------------------------------------------------------

TEST(ChatReader, AStreamWithoutAnEndWasCut) {
  const Reading reading = read_chat({chat_chunk(R"({"content":"half an ans"})")});
  EXPECT_EQ(reading.failure().kind, FailureKind::kCut);
  EXPECT_FALSE(reading.complete);
}

TEST(ChatReader, AnEmptyAnswerWasCut) {
  EXPECT_EQ(internal::read_answer(Wire::kOpenAiChat, "").failure().kind, FailureKind::kCut);
  EXPECT_EQ(read_chat({"[DONE]"}).failure().kind, FailureKind::kCut);
  EXPECT_EQ(read_whole_chat("").failure().kind, FailureKind::kCut);
  EXPECT_EQ(read_whole_chat(" \n").failure().kind, FailureKind::kCut);
}

TEST(ChatReader, AWholeAnswerMayBeCutToo) {
  EXPECT_EQ(read_whole_chat(R"({"choices":[{"message":{"content":"ab)").failure().kind,
            FailureKind::kCut);
}

TEST(ChatReader, RefusesInvalidJson) {
  const Reading reading = read_chat({"{\"choices\":[oops"});
  EXPECT_EQ(reading.failure().kind, FailureKind::kMalformed);
  EXPECT_THAT(reading.failure().message, HasSubstr("oops"));
  EXPECT_THAT(reading.failure().message, testing::StartsWith("acme: "));
}

TEST(ChatReader, JsonThatIsNotAnAnswerMakesNoSense) {
  EXPECT_EQ(read_whole_chat(R"({"hello":"world"})").failure().kind, FailureKind::kMalformed);
}

TEST(ChatReader, ErrorsShortenAndRedactTheInput) {
  const Reading reading =
      read_chat({"key-of-the-test-0123456789 sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD" +
                 std::string(5000, 'x')});
  EXPECT_LT(reading.failure().message.size(), 500U);
  EXPECT_THAT(reading.failure().message, Not(HasSubstr("key-of-the-test")));
  EXPECT_THAT(reading.failure().message, Not(HasSubstr("abcdefghijklmnop")));
}

TEST(ChatReader, AnErrorInTheStreamHasItsRealKind) {
  EXPECT_EQ(
      read_chat(
          {chat_chunk(R"({"content":"x"})"),
           R"({"error":{"message":"Rate limit reached","type":"tokens","code":"rate_limit_exceeded"}})"})
          .failure()
          .kind,
      FailureKind::kRateLimited);
  EXPECT_EQ(
      read_chat(
          {R"({"error":{"code":502,"message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]})"})
          .failure()
          .kind,
      FailureKind::kOverloaded);
  EXPECT_EQ(read_chat({chat_chunk("{}", "\"error\"")}).failure().kind, FailureKind::kOverloaded);
  EXPECT_EQ(
      read_chat(
          {R"({"choices":[{"index":0,"error":{"code":429,"message":"slow down"},"delta":{}}]})"})
          .failure()
          .kind,
      FailureKind::kRateLimited);
  EXPECT_EQ(read_whole_chat(R"({"error":{"message":"quota","code":"insufficient_quota"}})")
                .failure()
                .kind,
            FailureKind::kQuota);
}

TEST(ChatReader, APageOfHtmlMeansAWrongAddress) {
  for (const std::string_view type : {"text/html; charset=utf-8", "application/json"}) {
    const Reading reading = internal::read_answer(
        Wire::kOpenAiChat, "<!DOCTYPE html><html><title>Welcome</title></html>", type);
    EXPECT_EQ(reading.failure().kind, FailureKind::kMisconfigured);
    EXPECT_THAT(reading.failure().message, HasSubstr("Welcome"));
    EXPECT_THAT(reading.failure().message, HasSubstr("base URL, https://acme.example/v1"));
  }
}

TEST(ChatReader, BytesAfterTheEndAreIgnored) {
  const Reading reading =
      read_chat({chat_chunk(R"({"content":"x"})", "\"stop\""), "[DONE]", "nonsense"});
  EXPECT_THAT(reading.answer().message.parts, ElementsAre(Text{"x"}));
}

TEST(ChatReader, AnEventWithoutEndIsRefused) {
  const auto reader = adapter(Wire::kOpenAiChat)
                          ->reader(internal::test_endpoint(Wire::kOpenAiChat),
                                   internal::test_head(200, "text/event-stream"), true);
  const std::string piece(std::size_t{1} << 20U, 'x');
  for (int i = 0; i < 20; ++i) reader->feed(i == 0 ? "data: " + piece : piece, {});
  EXPECT_TRUE(reader->complete());
  EXPECT_EQ(std::get<Failure>(reader->finish()).kind, FailureKind::kMalformed);
}

}  // namespace
}  // namespace clever::provider

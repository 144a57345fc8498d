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

Reading read_ollama(const std::string& lines) {
  return internal::read_answer(Wire::kOllama, lines, "application/x-ndjson");
}
std::string answer_line(const std::string& message) {
  return R"({"model":"qwen3","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",)" +
         message + R"(},"done":false})" + "\n";
}
std::string last_line(const std::string& reason = "stop") {
  return R"({"model":"qwen3","created_at":"2026-01-01T00:00:01Z","message":{"role":"assistant","content":""},"done_reason":")" +
         reason + R"(","done":true,"total_duration":5,"prompt_eval_count":26,"eval_count":9})";
}

TEST(OllamaReader, ReadsThinkingTextAndCallsWithoutIds) {
  const Reading reading = read_ollama(
      answer_line(R"("content":"","thinking":"hm")") + answer_line(R"("content":"Hel")") +
      answer_line(R"("content":"lo")") +
      answer_line(
          R"("content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}},{"function":{"name":"f","arguments":{"a":1}}}])") +
      last_line() + "\n");
  const ModelAnswer& answer = reading.answer();
  ASSERT_EQ(answer.message.parts.size(), 4U);
  EXPECT_EQ(answer.message.parts[0], model::Part(Reasoning{"hm", "", "ollama"}));
  EXPECT_EQ(answer.message.parts[1], model::Part(Text{"Hello"}));
  const auto& first = std::get<ToolCall>(answer.message.parts[2]);
  const auto& second = std::get<ToolCall>(answer.message.parts[3]);
  EXPECT_EQ(first.arguments, R"({"a":1})");
  EXPECT_NE(first.id, second.id);
  EXPECT_EQ(answer.stop, StopReason::kToolCalls);
  EXPECT_EQ(answer.usage, (Usage{.input = 26, .output = 9, .known = true}));
  EXPECT_TRUE(reading.complete);
}

TEST(OllamaReader, TheLastLineNeedNotEnd) {
  EXPECT_THAT(read_ollama(answer_line(R"("content":"x")") + last_line("length")).answer().stop,
              StopReason::kLength);
}

TEST(OllamaReader, ReadsAWholeAnswer) {
  EXPECT_THAT(internal::read_answer(
                  Wire::kOllama,
                  R"({"model":"m","message":{"role":"assistant","content":"Hi"},"done":true})",
                  "application/json; charset=utf-8")
                  .answer()
                  .message.parts,
              ElementsAre(Text{"Hi"}));
}

TEST(OllamaReader, UsageThatIsNotReportedIsUnknown) {
  EXPECT_FALSE(
      read_ollama(R"({"model":"m","message":{"content":"Hi"},"done":true})").answer().usage.known);
}

TEST(OllamaReader, OtherReasonsAreKept) {
  EXPECT_EQ(read_ollama(last_line("load")).answer().stop_detail, "load");
}

TEST(OllamaReader, AnErrorLineEndsIt) {
  EXPECT_EQ(read_ollama(answer_line(R"("content":"x")") +
                        R"({"error":"an error was encountered while running the model"})" + "\n")
                .failure()
                .kind,
            FailureKind::kOverloaded);
}

TEST(OllamaReader, AStreamThatIsNotDoneWasCut) {
  EXPECT_EQ(read_ollama(answer_line(R"("content":"x")")).failure().kind, FailureKind::kCut);
  EXPECT_EQ(read_ollama(answer_line(R"("content":"x")") + R"({"model":"qw)").failure().kind,
            FailureKind::kCut);
}

TEST(OllamaReader, ALineThatIsNotJsonMakesNoSense) {
  EXPECT_EQ(read_ollama("oops\n").failure().kind, FailureKind::kMalformed);
}

TEST(OllamaReader, ALineWithoutEndIsRefused) {
  const auto reader = adapter(Wire::kOllama)
                          ->reader(internal::test_endpoint(Wire::kOllama),
                                   internal::test_head(200, "application/x-ndjson"), true);
  const std::string piece(std::size_t{1} << 20U, 'x');
  for (int i = 0; i < 20; ++i) reader->feed(piece, {});
  EXPECT_EQ(std::get<Failure>(reader->finish()).kind, FailureKind::kMalformed);
}

}  // namespace
}  // namespace clever::provider

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "provider/google/gemini.h"
#include "provider/internal/wire_reader.h"
#include "provider/internal/wire_usage.h"

namespace clever::provider::google {
namespace {

using internal::JsonView;
using internal::tokens;
using internal::WireReader;

constexpr std::string_view kWire = "google";

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& texts) {
  return std::ranges::find(texts, text) != texts.end();
}

constexpr std::array<std::string_view, 9> kFiltered = {"SAFETY",
                                                       "RECITATION",
                                                       "BLOCKLIST",
                                                       "PROHIBITED_CONTENT",
                                                       "SPII",
                                                       "IMAGE_SAFETY",
                                                       "IMAGE_PROHIBITED_CONTENT",
                                                       "IMAGE_RECITATION",
                                                       "MODEL_ARMOR"};
// The model wrote something that its own API could not parse: a retry may succeed.
constexpr std::array<std::string_view, 4> kNonsense = {
    "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE", "TOO_MANY_TOOL_CALLS"};

/// A streamed answer is a sequence of whole answers, each with the next part.
class GeminiReader final : public WireReader {
 public:
  GeminiReader(const Endpoint& endpoint, const io::HttpHead& head)
      : WireReader(endpoint, head, internal::Framing::kEvents) {}

 private:
  void on_piece(std::string_view /*event*/, JsonView piece) override { take(piece); }

  void on_whole(JsonView body) override {
    // Without `alt=sse` a stream is one array.
    if (body.is_array()) {
      for (const JsonView piece : body) take(piece);
    } else {
      take(body);
    }
  }

  void take(JsonView piece) {
    ModelAnswer& head = answer().head();
    if (head.id.empty()) head.id = piece["responseId"].text();
    if (head.model.empty()) head.model = piece["modelVersion"].text();
    take_usage(piece["usageMetadata"]);
    const JsonView blocked = piece["promptFeedback"]["blockReason"];
    if (blocked.is_string()) {
      fail(FailureKind::kRefused, "the prompt was blocked: " + blocked.text());
      return;
    }
    const JsonView candidate = piece["candidates"].at(0);
    for (const JsonView part : candidate["content"]["parts"]) take_part(part);
    if (candidate["finishReason"].is_string()) take_finish(candidate);
  }

  void take_part(JsonView part) {
    const JsonView call = part["functionCall"];
    if (call.is_object()) {
      take_call(call, part["thoughtSignature"]);
    } else if (part["thought"].is_true()) {
      add_reasoning(part["text"], kWire);
    } else {
      add_text(part["text"]);
    }
  }

  void take_call(JsonView call, JsonView signature) {
    const std::size_t number = add_call(call["id"].text(), call["name"].text());
    answer().call(number).opaque = signature.text();
    if (call["args"].is_object()) add_arguments(number, call["args"]);
    std::string& arguments = answer().call(number).arguments;
    arguments = base::to_valid_utf8(arguments);
  }

  void take_usage(JsonView usage) {
    if (!usage.is_object()) return;
    const std::int64_t thoughts = tokens(usage["thoughtsTokenCount"]);
    answer().head().usage = {
        .input = tokens(usage["promptTokenCount"]) + tokens(usage["toolUsePromptTokenCount"]),
        .output = tokens(usage["candidatesTokenCount"]) + thoughts,
        .cache_read = tokens(usage["cachedContentTokenCount"]),
        .cache_write = 0,
        .reasoning = thoughts,
        .known = true};
  }

  void take_finish(JsonView candidate) {
    const std::string reason = candidate["finishReason"].text();
    const std::string message = candidate["finishMessage"].text();
    if (reason == "STOP") {
      stop(StopReason::kEnd, reason);
    } else if (reason == "MAX_TOKENS") {
      stop(StopReason::kLength, reason);
    } else if (is_one_of(reason, kFiltered)) {
      stop(StopReason::kRefusal, reason);
      answer().head().refusal = message;
    } else if (is_one_of(reason, kNonsense)) {
      fail(FailureKind::kMalformed, reason + (message.empty() ? "" : ": " + message));
    } else if (reason == "MISSING_THOUGHT_SIGNATURE") {
      fail(FailureKind::kBadRequest, reason);
    } else {
      stop(StopReason::kOther, reason);
    }
  }
};

}  // namespace

std::unique_ptr<AnswerReader> gemini_reader(const Endpoint& endpoint, const io::HttpHead& head) {
  return std::make_unique<GeminiReader>(endpoint, head);
}

}  // namespace clever::provider::google

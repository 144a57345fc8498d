#include <map>
#include <utility>

#include "provider/internal/wire_reader.h"
#include "provider/internal/wire_usage.h"
#include "provider/openai/chat.h"
#include "provider/openai/internal/reasoning_details.h"

namespace clever::provider::openai {
namespace {

using internal::JsonView;
using internal::WireReader;

constexpr std::string_view kWire = "openai-chat";

class ChatReader final : public WireReader {
 public:
  ChatReader(const Endpoint& endpoint, const io::HttpHead& head)
      : WireReader(endpoint, head, internal::Framing::kEvents) {}

 private:
  void on_piece(std::string_view /*event*/, JsonView chunk) override {
    take(chunk, "delta");
    // Groq puts the usage here.
    take_usage(chunk["x_groq"]["usage"]);
  }

  void on_whole(JsonView body) override { take(body, "message"); }

  void on_finish() override {
    const std::string details = details_.json();
    if (details.empty()) return;
    model::Reasoning& reasoning = answer().first_reasoning("openrouter");
    reasoning.opaque = details;
    reasoning.wire = "openrouter";
  }

  void take(JsonView body, std::string_view where) {
    ModelAnswer& head = answer().head();
    if (head.id.empty()) head.id = body["id"].text();
    if (head.model.empty()) head.model = body["model"].text();
    take_usage(body["usage"]);
    for (const JsonView choice : body["choices"]) {
      // Only one choice is requested; a missing index means the first.
      if (choice["index"].integer().value_or(0) != 0) continue;
      take_message(choice[where]);
      if (choice["error"].is_object()) {
        fail(internal::read_error(choice));
      } else if (choice["finish_reason"].is_string()) {
        take_finish(choice["finish_reason"].text());
      }
    }
  }

  void take_message(JsonView message) {
    add_reasoning(message["reasoning_content"], kWire);
    // OpenRouter's and Groq's name for it.
    if (!message["reasoning_content"].is_string()) add_reasoning(message["reasoning"], kWire);
    details_.add(message["reasoning_details"]);
    take_content(message["content"]);
    message["refusal"].append_text(answer().head().refusal);
    for (const JsonView call : message["tool_calls"]) take_call(call);
  }

  void take_content(JsonView content) {
    if (!content.is_array()) return add_text(content);
    // Mistral's thinking models answer in parts.
    for (const JsonView part : content) {
      if (part["type"].is("text")) add_text(part["text"]);
      if (!part["type"].is("thinking")) continue;
      add_reasoning(part["thinking"], kWire);
      for (const JsonView thought : part["thinking"]) add_reasoning(thought["text"], kWire);
    }
  }

  // A piece of a call belongs to the call with its index. Some servers send no index, or the same
  // one for calls with different ids.
  void take_call(JsonView call) {
    const JsonView function = call["function"];
    const auto index = call["index"].integer();
    const auto known = index ? by_index_.find(*index) : by_index_.end();
    std::size_t number = 0;
    if (known != by_index_.end() && goes_on(known->second, call)) {
      number = known->second;
      name_late(number, call);
    } else if (!index && answer().calls() > 0 && !call["id"].is_string()) {
      number = answer().calls() - 1;
    } else {
      number = add_call(call["id"].text(), function["name"].text());
      if (index) by_index_[*index] = number;
    }
    add_arguments(number, function["arguments"]);
  }

  [[nodiscard]] bool goes_on(std::size_t number, JsonView call) {
    const std::string& id = answer().call(number).id;
    return id.empty() || !call["id"].is_string() || call["id"].is(id) || call["id"].is("");
  }

  void name_late(std::size_t number, JsonView call) {
    model::ToolCall& known = answer().call(number);
    if (known.id.empty()) known.id = call["id"].text();
    if (known.name.empty()) known.name = call["function"]["name"].text();
  }

  void take_usage(JsonView usage) {
    if (usage.is_object()) answer().head().usage = internal::openai_usage(usage);
  }

  void take_finish(const std::string& reason) {
    if (reason == "stop" || reason == "eos" || reason == "COMPLETE") {
      stop(StopReason::kEnd, reason);
    } else if (reason == "tool_calls" || reason == "function_call") {
      stop(StopReason::kToolCalls, reason);
    } else if (reason == "length" || reason == "model_length" || reason == "MAX_TOKENS") {
      stop(StopReason::kLength, reason);
    } else if (reason == "content_filter") {
      stop(StopReason::kRefusal, reason);
    } else if (reason == "error" || reason == "insufficient_system_resource") {
      fail(FailureKind::kOverloaded, "it stopped with \"" + reason + "\"");
    } else {
      stop(StopReason::kOther, reason);
    }
  }

  std::map<std::int64_t, std::size_t> by_index_{};
  ReasoningDetails details_{};
};

}  // namespace

std::unique_ptr<AnswerReader> chat_reader(const Endpoint& endpoint, const io::HttpHead& head) {
  return std::make_unique<ChatReader>(endpoint, head);
}

}  // namespace clever::provider::openai

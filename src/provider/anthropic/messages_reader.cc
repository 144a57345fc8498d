#include <map>

#include "base/utf8.h"
#include "provider/anthropic/messages.h"
#include "provider/internal/wire_reader.h"
#include "provider/internal/wire_usage.h"

namespace clever::provider::anthropic {
namespace {

using internal::JsonView;
using internal::tokens;
using internal::WireReader;

constexpr std::string_view kWire = "anthropic";

class MessagesReader final : public WireReader {
 public:
  MessagesReader(const Endpoint& endpoint, const io::HttpHead& head)
      : WireReader(endpoint, head, internal::Framing::kEvents) {}

 private:
  void on_piece(std::string_view /*event*/, JsonView piece) override {
    const JsonView type = piece["type"];
    if (type.is("content_block_delta")) {
      take_delta(piece["index"].integer().value_or(0), piece["delta"]);
    } else if (type.is("content_block_start")) {
      take_block(piece["index"].integer().value_or(0), piece["content_block"]);
    } else if (type.is("message_start")) {
      take_head(piece["message"]);
    } else if (type.is("message_delta")) {
      take_usage(piece["usage"]);
      take_stop(piece["delta"]);
    } else if (type.is("message_stop")) {
      set_complete();
    }
  }

  void on_whole(JsonView body) override {
    take_head(body);
    std::int64_t index = 0;
    for (const JsonView block : body["content"]) take_block(index++, block);
    take_stop(body);
  }

  void on_finish() override {
    for (const auto& [call, input] : whole_inputs_) {
      std::string& arguments = answer().call(call).arguments;
      if (arguments.empty()) arguments = input;
    }
  }

  void take_head(JsonView message) {
    answer().head().id = message["id"].text();
    answer().head().model = message["model"].text();
    take_usage(message["usage"]);
  }

  // Takes the beginning of a block, or a whole block. Unknown blocks are the provider's own tools.
  void take_block(std::int64_t index, JsonView block) {
    const JsonView type = block["type"];
    if (type.is("text")) {
      add_text(block["text"]);
    } else if (type.is("tool_use")) {
      const std::size_t call = add_call(block["id"].text(), block["name"].text());
      calls_[index] = call;
      // A stream begins with {} and sends the input in pieces; if none follow, this was all of it.
      if (block["input"].is_object())
        whole_inputs_[call] = base::to_valid_utf8(block["input"].raw());
    } else if (type.is("thinking")) {
      answer().add_reasoning(kWire);
      add_reasoning(block["thinking"], kWire);
      answer().reasoning(kWire).opaque = block["signature"].text();
    } else if (type.is("redacted_thinking")) {
      answer().add_reasoning(kWire).opaque = std::string(kRedactedThinking) + block["data"].text();
    }
  }

  void take_delta(std::int64_t index, JsonView delta) {
    const JsonView type = delta["type"];
    if (type.is("text_delta")) {
      add_text(delta["text"]);
    } else if (type.is("input_json_delta")) {
      const auto call = calls_.find(index);
      if (call != calls_.end()) add_arguments(call->second, delta["partial_json"]);
    } else if (type.is("thinking_delta")) {
      add_reasoning(delta["thinking"], kWire);
    } else if (type.is("signature_delta")) {
      delta["signature"].append_text(answer().reasoning(kWire).opaque);
    }
  }

  // Reported at the beginning and, as a total, at the end; a field that is not repeated keeps its
  // value.
  void take_usage(JsonView usage) {
    if (!usage.is_object()) return;
    const auto keep = [](std::int64_t& count, JsonView value) {
      if (value.exists()) count = tokens(value);
    };
    keep(fresh_, usage["input_tokens"]);
    Usage& known = answer().head().usage;
    keep(known.cache_read, usage["cache_read_input_tokens"]);
    keep(known.cache_write, usage["cache_creation_input_tokens"]);
    keep(known.output, usage["output_tokens"]);
    keep(known.reasoning, usage["output_tokens_details"]["thinking_tokens"]);
    known.input = fresh_ + known.cache_read + known.cache_write;
    known.known = true;
  }

  void take_stop(JsonView where) {
    if (!where["stop_reason"].is_string()) return;
    const std::string reason = where["stop_reason"].text();
    if (reason == "end_turn" || reason == "stop_sequence") {
      stop(StopReason::kEnd, reason);
    } else if (reason == "tool_use") {
      stop(StopReason::kToolCalls, reason);
    } else if (reason == "max_tokens" || reason == "model_context_window_exceeded") {
      stop(StopReason::kLength, reason);
    } else if (reason == "refusal") {
      stop(StopReason::kRefusal, reason);
      answer().head().refusal = where["stop_details"]["explanation"].text();
    } else {
      stop(StopReason::kOther, reason);
    }
  }

  std::map<std::int64_t, std::size_t> calls_{};  // by the index of their block
  std::map<std::size_t, std::string> whole_inputs_{};
  std::int64_t fresh_ = 0;  // input tokens that did not come from the cache
};

}  // namespace

std::unique_ptr<AnswerReader> messages_reader(const Endpoint& endpoint, const io::HttpHead& head) {
  return std::make_unique<MessagesReader>(endpoint, head);
}

}  // namespace clever::provider::anthropic

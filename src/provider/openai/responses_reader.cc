#include <map>

#include "provider/internal/json_writer.h"
#include "provider/internal/wire_reader.h"
#include "provider/internal/wire_usage.h"
#include "provider/openai/responses.h"

namespace clever::provider::openai {
namespace {

using internal::JsonView;
using internal::tokens;
using internal::WireReader;

/// The deltas of a stream are only for display: each item arrives again, whole, when it is done.
class ResponsesReader final : public WireReader {
 public:
  ResponsesReader(const Endpoint& endpoint, const io::HttpHead& head)
      : WireReader(endpoint, head, internal::Framing::kEvents) {}

 private:
  void on_piece(std::string_view /*event*/, JsonView piece) override {
    const JsonView type = piece["type"];
    if (type.is("response.output_text.delta")) {
      show<TextDelta>(piece["delta"].text());
    } else if (type.is("response.function_call_arguments.delta")) {
      show_arguments(piece);
    } else if (type.is("response.reasoning_summary_text.delta") ||
               type.is("response.reasoning_text.delta")) {
      show<ReasoningDelta>(piece["delta"].text());
    } else if (type.is("response.output_item.added")) {
      show_call(piece);
    } else if (type.is("response.output_item.done")) {
      take_item(piece["item"]);
    } else {
      take_end(type, piece);
    }
  }

  void on_whole(JsonView body) override { take_response(body); }

  void take_end(JsonView type, JsonView piece) {
    if (type.is("response.completed") || type.is("response.incomplete") ||
        type.is("response.failed")) {
      take_response(piece["response"]);
      set_complete();
    } else if (type.is("error")) {
      fail(internal::read_error(piece));
    }
  }

  // ---- shown ------------------------------------------------------------------------------------

  void show_call(JsonView piece) {
    const JsonView item = piece["item"];
    if (!item["type"].is("function_call")) return;
    const std::size_t number = shown_calls_.size();
    shown_calls_[piece["output_index"].integer().value_or(0)] = number;
    show<ToolCallDelta>(number, item["call_id"].text(), item["name"].text(), std::string());
  }

  void show_arguments(JsonView piece) {
    const auto known = shown_calls_.find(piece["output_index"].integer().value_or(0));
    if (known == shown_calls_.end()) return;
    show<ToolCallDelta>(known->second, std::string(), std::string(), piece["delta"].text());
  }

  // ---- taken ------------------------------------------------------------------------------------

  void take_response(JsonView response) {
    ModelAnswer& head = answer().head();
    head.id = response["id"].text();
    head.model = response["model"].text();
    take_usage(response["usage"]);
    if (!items_) {
      for (const JsonView item : response["output"]) take_item(item);
    }
    take_status(response);
  }

  void take_item(JsonView item) {
    items_ = true;
    const JsonView type = item["type"];
    if (type.is("message")) {
      for (const JsonView part : item["content"]) take_content(part);
    } else if (type.is("function_call")) {
      const std::size_t call = answer().add_call(item["call_id"].text(), item["name"].text());
      item["arguments"].append_text(answer().call(call).arguments);
    } else if (type.is("reasoning")) {
      take_reasoning(item);
    }
  }

  void take_content(JsonView part) {
    if (part["type"].is("output_text")) part["text"].append_text(answer().text());
    if (part["type"].is("refusal")) part["refusal"].append_text(answer().head().refusal);
  }

  void take_reasoning(JsonView item) {
    model::Reasoning& reasoning = answer().add_reasoning(to_string(Wire::kOpenAiResponses));
    for (const JsonView summary : item["summary"]) {
      if (!reasoning.text.empty()) reasoning.text += "\n\n";
      summary["text"].append_text(reasoning.text);
    }
    if (!item["encrypted_content"].is_string()) return;
    internal::JsonWriter out;
    out.object([&] {
      out.text("id", item["id"].text());
      out.text("encrypted_content", item["encrypted_content"].text());
    });
    reasoning.opaque = out.take();
  }

  void take_usage(JsonView usage) {
    if (!usage.is_object()) return;
    answer().head().usage = {
        .input = tokens(usage["input_tokens"]),
        .output = tokens(usage["output_tokens"]),
        .cache_read = tokens(usage["input_tokens_details"]["cached_tokens"]),
        .cache_write = tokens(usage["input_tokens_details"]["cache_write_tokens"]),
        .reasoning = tokens(usage["output_tokens_details"]["reasoning_tokens"]),
        .known = true};
  }

  void take_status(JsonView response) {
    const std::string reason = response["incomplete_details"]["reason"].text();
    if (response["error"].is_object()) {
      fail(internal::read_error(response));
    } else if (response["status"].is("completed")) {
      stop(StopReason::kEnd, "completed");
    } else if (reason == "content_filter") {
      stop(StopReason::kRefusal, reason);
    } else if (reason == "max_output_tokens") {
      stop(StopReason::kLength, reason);
    } else if (response["status"].is("incomplete")) {
      stop(StopReason::kOther, reason);
    } else {
      fail(FailureKind::kOverloaded, "the response ended as " + response["status"].text());
    }
  }

  std::map<std::int64_t, std::size_t> shown_calls_{};
  bool items_ = false;
};

}  // namespace

std::unique_ptr<AnswerReader> responses_reader(const Endpoint& endpoint, const io::HttpHead& head) {
  return std::make_unique<ResponsesReader>(endpoint, head);
}

}  // namespace clever::provider::openai

#include "base/utf8.h"
#include "provider/internal/wire_reader.h"
#include "provider/internal/wire_usage.h"
#include "provider/ollama/chat.h"

namespace clever::provider::ollama {
namespace {

using internal::JsonView;
using internal::tokens;
using internal::WireReader;

constexpr std::string_view kWire = "ollama";

/// One JSON object per line; an answer in one piece is a single line.
class OllamaReader final : public WireReader {
 public:
  OllamaReader(const Endpoint& endpoint, const io::HttpHead& head)
      : WireReader(endpoint, head, internal::Framing::kLines) {}

 private:
  void on_piece(std::string_view /*event*/, JsonView piece) override { take(piece); }
  void on_whole(JsonView body) override { take(body); }

  void take(JsonView piece) {
    ModelAnswer& head = answer().head();
    if (head.model.empty()) {
      head.model = piece["model"].text();
      // Nothing else distinguishes two answers.
      answer().set_seed(piece["created_at"].text());
    }
    const JsonView message = piece["message"];
    add_reasoning(message["thinking"], kWire);
    add_text(message["content"]);
    for (const JsonView call : message["tool_calls"]) take_call(call);
    if (piece["done"].is_true()) take_end(piece);
  }

  void take_call(JsonView call) {
    const JsonView function = call["function"];
    const std::size_t number = add_call(call["id"].text(), function["name"].text());
    add_arguments(number, function["arguments"]);
    std::string& arguments = answer().call(number).arguments;
    arguments = base::to_valid_utf8(arguments);
  }

  void take_end(JsonView piece) {
    if (piece["eval_count"].exists() || piece["prompt_eval_count"].exists()) {
      Usage& usage = answer().head().usage;
      usage.input = tokens(piece["prompt_eval_count"]);
      usage.output = tokens(piece["eval_count"]);
      usage.known = true;
    }
    const std::string reason = piece["done_reason"].text();
    if (reason == "length") {
      stop(StopReason::kLength, reason);
    } else if (reason.empty() || reason == "stop") {
      stop(StopReason::kEnd, reason);
    } else {
      stop(StopReason::kOther, reason);
    }
    set_complete();
  }
};

}  // namespace

std::unique_ptr<AnswerReader> chat_reader(const Endpoint& endpoint, const io::HttpHead& head) {
  return std::make_unique<OllamaReader>(endpoint, head);
}

}  // namespace clever::provider::ollama

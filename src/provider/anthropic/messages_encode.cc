#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "provider/anthropic/messages.h"
#include "provider/anthropic/thinking.h"
#include "provider/internal/json_writer.h"
#include "provider/internal/wire_request.h"
#include "provider/transcript.h"

namespace clever::provider::anthropic {
namespace {

using internal::JsonWriter;
using model::Image;
using model::Message;
using model::Part;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;

// The API allows four cache marks: one is for the tools, one for the system prompt.
constexpr std::size_t kMarkedMessages = 2;

/// Writes one request body.
class MessagesEncoder {
 public:
  MessagesEncoder(const std::string& model, const ModelRequest& request)
      : model_(model),
        request_(request),
        changed_(corrected(request.messages)),
        messages_(changed_ ? *changed_ : request.messages),
        thinking_(thinking_for(model, request, messages_)) {}

  std::string body() {
    out_.object([&] {
      out_.text("model", model_);
      out_.number("max_tokens", std::max<std::int64_t>(request_.max_output_tokens, 1));
      system();
      tools();
      out_.array("messages", [&] { messages(); });
      thinking();
      options();
      if (request_.stream) out_.boolean("stream", true);
    });
    return out_.take();
  }

 private:
  void mark() {
    if (!request_.cache_prompt) return;
    out_.object("cache_control", [&] { out_.text("type", "ephemeral"); });
  }

  void text_block(std::string_view text, bool marked) {
    out_.object([&] {
      out_.text("type", "text");
      out_.text("text", text);
      if (marked) mark();
    });
  }

  void system() {
    std::string text = request_.system;
    // The API's own mode accepts only a part of JSON Schema and refuses the rest.
    const std::string schema = internal::answer_schema(request_);
    if (!schema.empty()) {
      if (!text.empty()) text += "\n\n";
      text += "Answer with JSON alone, which satisfies this JSON Schema:\n" + schema;
    }
    const bool blank = text.find_first_not_of(" \t\r\n") == std::string::npos;
    if (!blank) out_.array("system", [&] { text_block(text, true); });
  }

  // ---- tools ------------------------------------------------------------------------------------

  void tools() {
    std::vector<ToolSpec> specs = request_.tools;
    const bool given = !specs.empty();
    // The API refuses a conversation with calls but without tools.
    if (!given) specs = tools_of_the_calls();
    if (specs.empty()) return;
    out_.array("tools", [&] {
      for (const ToolSpec& tool : specs) one_tool(tool, &tool == &specs.back());
    });
    if (!given || request_.tool_choice == ToolChoice::kNone) {
      out_.object("tool_choice", [&] { out_.text("type", "none"); });
    } else if (request_.tool_choice == ToolChoice::kRequired) {
      out_.object("tool_choice", [&] { out_.text("type", "any"); });
    }
  }

  [[nodiscard]] std::vector<ToolSpec> tools_of_the_calls() const {
    std::set<std::string> names;
    for (const Message& message : messages_) {
      for (const Part& part : message.parts) {
        if (const auto* call = std::get_if<ToolCall>(&part)) names.insert(call->name);
      }
    }
    std::vector<ToolSpec> specs;
    for (const std::string& name : names) specs.push_back({.name = name});
    return specs;
  }

  void one_tool(const ToolSpec& tool, bool last) {
    out_.object([&] {
      out_.text("name", acceptable_tool_name(tool.name));
      if (!tool.description.empty()) out_.text("description", tool.description);
      out_.raw("input_schema", internal::parameters_schema(tool.parameters));
      if (last) mark();
    });
  }

  // ---- messages ---------------------------------------------------------------------------------

  void messages() {
    // From the end: the user's last message and the one before it.
    std::size_t users_left = (messages_.size() + 1) / 2;
    for (const Conversation::Item& item : messages_.items()) {
      const bool marked = item.message().role == Role::kUser && users_left-- <= kMarkedMessages;
      if (marked || item.shared() == nullptr) {
        one_message(item.message(), marked);
      } else {
        out_.raw(*item.shared()->written(internal::style_of(Wire::kAnthropic),
                                         [&](const Message& message) { return alone(message); }));
      }
    }
  }

  void one_message(const Message& message, bool marked) {
    out_.object([&] {
      out_.text("role", to_string(message.role));
      out_.array("content", [&] {
        for (const Part& part : message.parts) {
          block(part, marked && &part == &message.parts.back());
        }
      });
    });
  }

  std::string alone(const Message& message) {
    JsonWriter whole = std::exchange(out_, {});
    one_message(message, false);
    return std::exchange(out_, std::move(whole)).take();
  }

  void block(const Part& part, bool marked) {
    if (const auto* text = std::get_if<Text>(&part)) text_block(text->text, marked);
    if (const auto* picture = std::get_if<Image>(&part)) image(*picture, marked);
    if (const auto* given = std::get_if<ToolResult>(&part)) result(*given, marked);
    if (const auto* made = std::get_if<ToolCall>(&part)) call(*made);
    if (const auto* thought = std::get_if<Reasoning>(&part)) reasoning(*thought);
  }

  void image(const Image& picture, bool marked) {
    out_.object([&] {
      out_.text("type", "image");
      out_.object("source", [&] {
        out_.text("type", "base64");
        out_.text("media_type", picture.media_type);
        out_.base64("data", "", picture.bytes);
      });
      if (marked) mark();
    });
  }

  void result(const ToolResult& given, bool marked) {
    out_.object([&] {
      out_.text("type", "tool_result");
      out_.text("tool_use_id", given.call);
      out_.array("content", [&] {
        for (const auto& part : given.content) {
          if (const auto* text = std::get_if<Text>(&part)) text_block(text->text, false);
          if (const auto* picture = std::get_if<Image>(&part)) image(*picture, false);
        }
      });
      if (given.failed) out_.boolean("is_error", true);
      if (marked) mark();
    });
  }

  void call(const ToolCall& made) {
    out_.object([&] {
      out_.text("type", "tool_use");
      out_.text("id", made.id);
      out_.text("name", made.name);
      out_.raw("input", arguments_object(made.arguments));
    });
  }

  // Only reasoning from this API: it checks the signature.
  void reasoning(const Reasoning& thought) {
    if (thought.wire != to_string(Wire::kAnthropic) || thought.opaque.empty()) return;
    out_.object([&] {
      if (thought.opaque.starts_with(kRedactedThinking)) {
        out_.text("type", "redacted_thinking");
        out_.text("data", std::string_view(thought.opaque).substr(kRedactedThinking.size()));
        return;
      }
      out_.text("type", "thinking");
      out_.text("thinking", thought.text);
      out_.text("signature", thought.opaque);
    });
  }

  // ---- beside the messages ----------------------------------------------------------------------

  void thinking() {
    if (thinking_.mode == Thinking::Mode::kNone) return;
    out_.object("thinking", [&] {
      const bool adaptive = thinking_.mode == Thinking::Mode::kAdaptive;
      out_.text("type", adaptive ? "adaptive" : "enabled");
      if (!adaptive) out_.number("budget_tokens", thinking_.budget);
    });
    if (thinking_.mode != Thinking::Mode::kAdaptive) return;
    out_.object("output_config", [&] { out_.text("effort", request_.reasoning_effort); });
  }

  void options() {
    if (request_.temperature && takes_temperature(model_, thinking_)) {
      out_.real("temperature", std::clamp(*request_.temperature, 0.0, 1.0));
    }
    const auto stops = internal::stop_texts(request_, std::numeric_limits<std::size_t>::max());
    if (stops.empty()) return;
    out_.array("stop_sequences", [&] {
      for (const std::string& stop : stops) out_.text(stop);
    });
  }

  const std::string& model_;
  const ModelRequest& request_;
  const std::optional<Conversation> changed_;
  const Conversation& messages_;
  const Thinking thinking_;
  JsonWriter out_{};
};

}  // namespace

std::string encode_messages(const std::string& model, const ModelRequest& request) {
  return MessagesEncoder(model, request).body();
}

}  // namespace clever::provider::anthropic

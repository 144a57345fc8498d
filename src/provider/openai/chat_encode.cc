#include <algorithm>
#include <utility>

#include "provider/internal/json_view.h"
#include "provider/internal/json_writer.h"
#include "provider/internal/wire_request.h"
#include "provider/openai/chat.h"
#include "provider/openai/dialect.h"
#include "provider/transcript.h"

namespace clever::provider::openai {
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

constexpr std::size_t kMostStops = 4;

/// Writes one request body.
class ChatEncoder {
 public:
  ChatEncoder(const Endpoint& endpoint, const std::string& model, const ModelRequest& request)
      : endpoint_(endpoint), model_(model), request_(request) {}

  std::string body() {
    out_.reserve(likely_size());
    out_.object([&] {
      out_.text("model", model_);
      out_.array("messages", [&] { messages(); });
      tools();
      options();
      answer_format();
      if (request_.stream) stream();
    });
    return out_.take();
  }

 private:
  [[nodiscard]] bool is(Dialect dialect) const { return endpoint_.dialect == dialect; }

  // Reserves memory for a long conversation, which would be copied repeatedly while it grows.
  [[nodiscard]] std::size_t likely_size() const {
    constexpr std::size_t kFrame = 160;
    std::size_t bytes = request_.system.size();
    for (const Conversation::Item& item : request_.messages.items()) {
      if (item.shared() != nullptr) bytes += item.shared()->bytes() + kFrame;
    }
    return bytes + bytes / 8;
  }

  void messages() {
    const std::string system = system_text();
    if (!system.empty()) simple("system", system);
    const auto changed = corrected(request_.messages);
    const Conversation& conversation = changed ? *changed : request_.messages;
    for (const Conversation::Item& item : conversation.items()) one(item);
  }

  void one(const Conversation::Item& item) {
    if (item.shared() == nullptr) return said(item.message());
    const auto style = internal::style_of(Wire::kOpenAiChat, endpoint_.dialect);
    out_.raw(*item.shared()->written(style, [&](const Message& message) {
      JsonWriter whole = std::exchange(out_, {});
      said(message);
      return std::exchange(out_, std::move(whole)).take();
    }));
  }

  void said(const Message& message) {
    if (message.role == Role::kUser) {
      users(message);
    } else {
      assistants(message);
    }
  }

  void simple(std::string_view role, std::string_view content) {
    out_.object([&] {
      out_.text("role", role);
      out_.text("content", content);
    });
  }

  // DeepSeek accepts no schema: the system prompt describes it, and must mention JSON.
  [[nodiscard]] std::string system_text() const {
    std::string text = request_.system;
    const std::string schema = internal::answer_schema(request_);
    if (!is(Dialect::kDeepSeek) || schema.empty()) return text;
    if (!text.empty()) text += "\n\n";
    return text + "Answer with JSON alone, which satisfies this JSON Schema:\n" + schema;
  }

  // ---- the user's -------------------------------------------------------------------------------

  void users(const Message& message) {
    std::vector<Part> rest;
    bool results = false;
    for (const Part& part : message.parts) {
      if (const auto* result = std::get_if<ToolResult>(&part)) {
        results = true;
        tool_message(*result);
        move_images(*result, rest);
      } else {
        rest.push_back(part);
      }
    }
    if (rest.empty()) return;
    // Mistral refuses a user's message right after a result.
    if (results && is(Dialect::kMistral)) simple("assistant", "Understood.");
    users_content(rest);
  }

  void tool_message(const ToolResult& result) {
    out_.object([&] {
      out_.text("role", "tool");
      out_.text("tool_call_id", call_id(endpoint_, result.call));
      out_.text("content", internal::result_text(result));
    });
  }

  // A tool's message holds only text; its images move to the user's message that follows.
  static void move_images(const ToolResult& result, std::vector<Part>& rest) {
    const auto images = internal::images_of(result);
    if (images.empty()) return;
    rest.emplace_back(Text{"Images in the result of the call " + result.call + ":"});
    for (const Image* image : images) rest.emplace_back(*image);
  }

  void users_content(const std::vector<Part>& parts) {
    const bool images = std::ranges::any_of(
        parts, [](const Part& part) { return std::holds_alternative<Image>(part); });
    if (!images) {
      // Every server understands a plain text.
      simple("user", internal::joined_text({.role = Role::kUser, .parts = parts}));
      return;
    }
    out_.object([&] {
      out_.text("role", "user");
      out_.array("content", [&] {
        for (const Part& part : parts) content_part(part);
      });
    });
  }

  void content_part(const Part& part) {
    out_.object([&] {
      if (const auto* text = std::get_if<Text>(&part)) {
        out_.text("type", "text");
        out_.text("text", text->text);
      } else if (const auto* image = std::get_if<Image>(&part)) {
        out_.text("type", "image_url");
        out_.object("image_url", [&] {
          out_.base64("url", "data:" + image->media_type + ";base64,", image->bytes);
        });
      }
    });
  }

  // ---- the assistant's --------------------------------------------------------------------------

  void assistants(const Message& message) {
    const std::string text = internal::joined_text(message);
    const bool calls = std::ranges::any_of(
        message.parts, [](const Part& part) { return std::holds_alternative<ToolCall>(part); });
    out_.object([&] {
      out_.text("role", "assistant");
      if (text.empty() && !is(Dialect::kMistral)) {
        out_.null("content");
      } else {
        out_.text("content", text);
      }
      reasoning(message, calls);
      if (calls) out_.array("tool_calls", [&] { tool_calls(message); });
    });
  }

  void reasoning(const Message& message, bool calls) {
    // DeepSeek refuses calls of thinking models without their reasoning, even if it was empty.
    if (is(Dialect::kDeepSeek) && calls) {
      out_.text("reasoning_content", reasoning_text(message, to_string(Wire::kOpenAiChat)));
    }
    if (!is(Dialect::kOpenRouter)) return;
    for (const Part& part : message.parts) {
      const auto* one = std::get_if<Reasoning>(&part);
      if (one == nullptr || one->wire != "openrouter" || !internal::is_json_array(one->opaque)) {
        continue;
      }
      out_.raw("reasoning_details", one->opaque);
      return;
    }
  }

  static std::string reasoning_text(const Message& message, std::string_view wire) {
    std::string text;
    for (const Part& part : message.parts) {
      const auto* one = std::get_if<Reasoning>(&part);
      if (one != nullptr && one->wire == wire) text += one->text;
    }
    return text;
  }

  void tool_calls(const Message& message) {
    for (const Part& part : message.parts) {
      const auto* call = std::get_if<ToolCall>(&part);
      if (call == nullptr) continue;
      out_.object([&] {
        out_.text("id", call_id(endpoint_, call->id));
        out_.text("type", "function");
        out_.object("function", [&] {
          out_.text("name", call->name);
          out_.text("arguments", arguments_object(call->arguments));
        });
      });
    }
  }

  // ---- beside the messages ----------------------------------------------------------------------

  void tools() {
    if (request_.tools.empty()) return;
    out_.array("tools", [&] {
      for (const ToolSpec& tool : request_.tools) one_tool(tool);
    });
    switch (request_.tool_choice) {
      case ToolChoice::kAuto:
        return;
      case ToolChoice::kNone:
        out_.text("tool_choice", "none");
        return;
      case ToolChoice::kRequired:
        out_.text("tool_choice", is(Dialect::kMistral) ? "any" : "required");
        return;
    }
  }

  void one_tool(const ToolSpec& tool) {
    out_.object([&] {
      out_.text("type", "function");
      out_.object("function", [&] {
        out_.text("name", acceptable_tool_name(tool.name));
        if (!tool.description.empty()) out_.text("description", tool.description);
        out_.raw("parameters", internal::parameters_schema(tool.parameters));
      });
    });
  }

  void options() {
    out_.number(output_limit_name(endpoint_),
                std::max<std::int64_t>(request_.max_output_tokens, 1));
    const bool thinks = is_openai(endpoint_) && is_reasoning_model(model_);
    if (request_.temperature && !thinks) out_.real("temperature", *request_.temperature);
    const auto stops = internal::stop_texts(request_, kMostStops);
    if (!stops.empty() && !thinks) {
      out_.array("stop", [&] {
        for (const std::string& stop : stops) out_.text(stop);
      });
    }
    if (request_.reasoning_effort.empty()) return;
    if (is(Dialect::kOpenRouter)) {
      out_.object("reasoning", [&] { out_.text("effort", request_.reasoning_effort); });
    } else if (takes_reasoning_effort(endpoint_, model_)) {
      out_.text("reasoning_effort", request_.reasoning_effort);
    }
  }

  void answer_format() {
    const std::string schema = internal::answer_schema(request_);
    if (schema.empty()) return;
    out_.object("response_format", [&] {
      if (is(Dialect::kDeepSeek)) {
        out_.text("type", "json_object");
        return;
      }
      out_.text("type", "json_schema");
      out_.object("json_schema", [&] {
        out_.text("name", "answer");
        out_.raw("schema", schema);
      });
    });
  }

  void stream() {
    out_.boolean("stream", true);
    // Mistral always reports the usage, and refuses the option.
    if (is(Dialect::kMistral)) return;
    out_.object("stream_options", [&] { out_.boolean("include_usage", true); });
  }

  const Endpoint& endpoint_;
  const std::string& model_;
  const ModelRequest& request_;
  JsonWriter out_{};
};

}  // namespace

std::string encode_chat(const Endpoint& endpoint, const std::string& model,
                        const ModelRequest& request) {
  return ChatEncoder(endpoint, model, request).body();
}

}  // namespace clever::provider::openai

#include <algorithm>

#include "provider/internal/json_view.h"
#include "provider/internal/json_writer.h"
#include "provider/internal/wire_request.h"
#include "provider/openai/dialect.h"
#include "provider/openai/responses.h"
#include "provider/transcript.h"

namespace clever::provider::openai {
namespace {

using internal::JsonDocument;
using internal::JsonView;
using internal::JsonWriter;
using model::Image;
using model::Message;
using model::Part;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;

constexpr std::int64_t kFewestTokens = 16;

/// Writes one request body.
class ResponsesEncoder {
 public:
  ResponsesEncoder(const std::string& model, const ModelRequest& request)
      : model_(model), request_(request) {}

  std::string body() {
    out_.object([&] {
      out_.text("model", model_);
      if (!request_.system.empty()) out_.text("instructions", request_.system);
      out_.array("input", [&] { input(); });
      tools();
      out_.number("max_output_tokens", std::max(request_.max_output_tokens, kFewestTokens));
      reasoning_options();
      answer_format();
      out_.boolean("store", false);
      if (request_.stream) out_.boolean("stream", true);
    });
    return out_.take();
  }

 private:
  void input() {
    const auto changed = corrected(request_.messages);
    for (const Message& message : changed ? *changed : request_.messages) {
      if (message.role == Role::kUser) {
        users(message);
      } else {
        for (const Part& part : message.parts) assistants(part);
      }
    }
  }

  void users(const Message& message) {
    bool content = false;
    for (const Part& part : message.parts) {
      const auto* result = std::get_if<ToolResult>(&part);
      if (result != nullptr) {
        output(*result);
      } else {
        content = true;
      }
    }
    if (!content) return;
    out_.object([&] {
      out_.text("role", "user");
      out_.array("content", [&] {
        for (const Part& part : message.parts) {
          if (const auto* words = std::get_if<Text>(&part)) text(words->text);
          if (const auto* picture = std::get_if<Image>(&part)) image(*picture);
        }
      });
    });
  }

  void text(std::string_view words) {
    out_.object([&] {
      out_.text("type", "input_text");
      out_.text("text", words);
    });
  }

  void image(const Image& picture) {
    out_.object([&] {
      out_.text("type", "input_image");
      out_.base64("image_url", "data:" + picture.media_type + ";base64,", picture.bytes);
      out_.text("detail", "auto");
    });
  }

  void output(const ToolResult& result) {
    const auto images = internal::images_of(result);
    out_.object([&] {
      out_.text("type", "function_call_output");
      out_.text("call_id", result.call);
      if (images.empty()) {
        out_.text("output", internal::result_text(result));
        return;
      }
      out_.array("output", [&] {
        text(internal::result_text(result));
        for (const Image* picture : images) image(*picture);
      });
    });
  }

  void assistants(const Part& part) {
    if (const auto* words = std::get_if<Text>(&part)) {
      out_.object([&] {
        out_.text("role", "assistant");
        out_.text("content", words->text);
      });
    }
    if (const auto* call = std::get_if<ToolCall>(&part)) {
      out_.object([&] {
        out_.text("type", "function_call");
        out_.text("call_id", call->id);
        out_.text("name", call->name);
        out_.text("arguments", arguments_object(call->arguments));
      });
    }
    if (const auto* thought = std::get_if<Reasoning>(&part)) reasoning(*thought);
  }

  // Only reasoning that this API encrypted; models without reasoning refuse it.
  void reasoning(const Reasoning& thought) {
    JsonDocument document;
    if (thought.wire != to_string(Wire::kOpenAiResponses) || !is_reasoning_model(model_)) return;
    if (!document.parse(thought.opaque)) return;
    const JsonView item = document.root();
    if (!item["id"].is_string() || !item["encrypted_content"].is_string()) return;
    out_.object([&] {
      out_.text("type", "reasoning");
      out_.text("id", item["id"].text());
      out_.array("summary", [&] {
        if (thought.text.empty()) return;
        out_.object([&] {
          out_.text("type", "summary_text");
          out_.text("text", thought.text);
        });
      });
      out_.text("encrypted_content", item["encrypted_content"].text());
    });
  }

  void tools() {
    if (request_.tools.empty()) return;
    out_.array("tools", [&] {
      for (const ToolSpec& tool : request_.tools) {
        out_.object([&] {
          out_.text("type", "function");
          out_.text("name", acceptable_tool_name(tool.name));
          if (!tool.description.empty()) out_.text("description", tool.description);
          out_.raw("parameters", internal::parameters_schema(tool.parameters));
          // Strict schemas cover a small part of JSON Schema; others would be refused.
          out_.boolean("strict", false);
        });
      }
    });
    if (request_.tool_choice == ToolChoice::kNone) out_.text("tool_choice", "none");
    if (request_.tool_choice == ToolChoice::kRequired) out_.text("tool_choice", "required");
  }

  void reasoning_options() {
    if (!is_reasoning_model(model_)) {
      if (request_.temperature) out_.real("temperature", *request_.temperature);
      return;
    }
    out_.object("reasoning", [&] {
      if (!request_.reasoning_effort.empty()) out_.text("effort", request_.reasoning_effort);
    });
    out_.array("include", [&] { out_.text("reasoning.encrypted_content"); });
  }

  void answer_format() {
    const std::string schema = internal::answer_schema(request_);
    if (schema.empty()) return;
    out_.object("text", [&] {
      out_.object("format", [&] {
        out_.text("type", "json_schema");
        out_.text("name", "answer");
        out_.raw("schema", schema);
        out_.boolean("strict", false);
      });
    });
  }

  const std::string& model_;
  const ModelRequest& request_;
  JsonWriter out_{};
};

}  // namespace

std::string encode_responses(const std::string& model, const ModelRequest& request) {
  return ResponsesEncoder(model, request).body();
}

}  // namespace clever::provider::openai

#include <algorithm>
#include <limits>
#include <map>

#include "provider/internal/json_writer.h"
#include "provider/internal/wire_request.h"
#include "provider/ollama/chat.h"
#include "provider/transcript.h"

namespace clever::provider::ollama {
namespace {

using internal::JsonWriter;
using model::Image;
using model::Message;
using model::Part;
using model::Reasoning;
using model::Role;
using model::ToolCall;
using model::ToolResult;

/// Writes one request body.
class OllamaEncoder {
 public:
  OllamaEncoder(const std::string& model, const ModelRequest& request)
      : model_(model), request_(request) {}

  std::string body() {
    out_.object([&] {
      out_.text("model", model_);
      out_.array("messages", [&] { messages(); });
      tools();
      const std::string schema = internal::answer_schema(request_);
      if (!schema.empty()) out_.raw("format", schema);
      // Only these models accept a level; others report an error.
      if (!request_.reasoning_effort.empty() && model_.starts_with("gpt-oss")) {
        out_.text("think", request_.reasoning_effort);
      }
      out_.object("options", [&] { options(); });
      // A conversation that does not fit must fail, not silently lose its beginning.
      out_.boolean("truncate", false);
      out_.boolean("shift", false);
      out_.boolean("stream", request_.stream);
    });
    return out_.take();
  }

 private:
  void messages() {
    if (!request_.system.empty()) simple("system", request_.system);
    const auto changed = corrected(request_.messages);
    for (const Message& message : changed ? *changed : request_.messages) {
      if (message.role == Role::kUser) {
        users(message);
      } else {
        assistants(message);
      }
    }
  }

  void simple(std::string_view role, std::string_view content) {
    out_.object([&] {
      out_.text("role", role);
      out_.text("content", content);
    });
  }

  void users(const Message& message) {
    std::vector<const Image*> images;
    bool others = false;
    for (const Part& part : message.parts) {
      if (const auto* result = std::get_if<ToolResult>(&part)) {
        tool_message(*result);
        std::ranges::copy(internal::images_of(*result), std::back_inserter(images));
        continue;
      }
      others = true;
      if (const auto* image = std::get_if<Image>(&part)) images.push_back(image);
    }
    if (!others && images.empty()) return;
    const std::string text = internal::joined_text(message);
    out_.object([&] {
      out_.text("role", "user");
      out_.text("content", text.empty() ? "(images)" : text);
      if (images.empty()) return;
      out_.array("images", [&] {
        for (const Image* image : images) out_.base64("", image->bytes);
      });
    });
  }

  // Results are matched by name and order: there are no ids.
  void tool_message(const ToolResult& result) {
    out_.object([&] {
      out_.text("role", "tool");
      out_.text("tool_name", names_[result.call]);
      out_.text("content", internal::result_text(result));
    });
  }

  void assistants(const Message& message) {
    std::string thinking;
    bool calls = false;
    for (const Part& part : message.parts) {
      if (std::holds_alternative<ToolCall>(part)) calls = true;
      const auto* thought = std::get_if<Reasoning>(&part);
      if (thought != nullptr && thought->wire == to_string(Wire::kOllama))
        thinking += thought->text;
    }
    out_.object([&] {
      out_.text("role", "assistant");
      out_.text("content", internal::joined_text(message));
      if (!thinking.empty()) out_.text("thinking", thinking);
      if (calls) out_.array("tool_calls", [&] { tool_calls(message); });
    });
  }

  void tool_calls(const Message& message) {
    for (const Part& part : message.parts) {
      const auto* call = std::get_if<ToolCall>(&part);
      if (call == nullptr) continue;
      names_[call->id] = call->name;
      out_.object([&] {
        out_.object("function", [&] {
          out_.text("name", call->name);
          out_.raw("arguments", arguments_object(call->arguments));
        });
      });
    }
  }

  // The API cannot forbid or force calls; offering no tools forbids them.
  void tools() {
    if (request_.tools.empty() || request_.tool_choice == ToolChoice::kNone) return;
    out_.array("tools", [&] {
      for (const ToolSpec& tool : request_.tools) {
        out_.object([&] {
          out_.text("type", "function");
          out_.object("function", [&] {
            out_.text("name", acceptable_tool_name(tool.name));
            out_.text("description", tool.description);
            out_.raw("parameters", internal::parameters_schema(tool.parameters));
          });
        });
      }
    });
  }

  void options() {
    out_.number("num_predict", std::max<std::int64_t>(request_.max_output_tokens, 1));
    if (request_.temperature) out_.real("temperature", *request_.temperature);
    const auto stops = internal::stop_texts(request_, std::numeric_limits<std::size_t>::max());
    if (stops.empty()) return;
    out_.array("stop", [&] {
      for (const std::string& stop : stops) out_.text(stop);
    });
  }

  const std::string& model_;
  const ModelRequest& request_;
  std::map<std::string, std::string> names_{};  // names of calls by id
  JsonWriter out_{};
};

}  // namespace

std::string encode_chat(const std::string& model, const ModelRequest& request) {
  return OllamaEncoder(model, request).body();
}

}  // namespace clever::provider::ollama

#include <algorithm>
#include <map>

#include "provider/google/gemini.h"
#include "provider/internal/json_writer.h"
#include "provider/internal/wire_request.h"
#include "provider/transcript.h"

namespace clever::provider::google {
namespace {

using internal::JsonWriter;
using model::Image;
using model::Message;
using model::Part;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;

constexpr std::size_t kMostStops = 5;
// Gemini 3 refuses calls that come back without a signature; this value replaces it in calls that
// another model made.
constexpr std::string_view kNoSignature = "skip_thought_signature_validator";
constexpr internal::ModelVersion kFirstWithSignatures{3, 0};

// Gemini's names must not begin with a digit or a dash.
std::string function_name(std::string_view name) {
  std::string accepted = acceptable_tool_name(name);
  const char first = accepted.front();
  if (first == '-' || (first >= '0' && first <= '9')) accepted.insert(0, 1, '_');
  return accepted;
}

/// Writes one request body.
class GeminiEncoder {
 public:
  GeminiEncoder(const std::string& model, const ModelRequest& request)
      : model_(model), request_(request) {}

  std::string body() {
    out_.object([&] {
      if (!request_.system.empty()) {
        out_.object("systemInstruction",
                    [&] { out_.array("parts", [&] { text(request_.system); }); });
      }
      out_.array("contents", [&] { contents(); });
      tools();
      out_.object("generationConfig", [&] { options(); });
    });
    return out_.take();
  }

 private:
  void contents() {
    const auto changed = corrected(request_.messages);
    for (const Message& message : changed ? *changed : request_.messages) {
      out_.object([&] {
        out_.text("role", message.role == Role::kUser ? "user" : "model");
        out_.array("parts", [&] { parts(message); });
      });
    }
  }

  void parts(const Message& message) {
    const bool unsigned_calls = std::ranges::none_of(message.parts, [](const Part& part) {
      const auto* call = std::get_if<ToolCall>(&part);
      return call != nullptr && !call->opaque.empty();
    });
    bool first = internal::version_of(model_) >= kFirstWithSignatures && unsigned_calls;
    for (const Part& part : message.parts) {
      if (const auto* words = std::get_if<Text>(&part)) text(words->text);
      if (const auto* picture = std::get_if<Image>(&part)) image(*picture);
      if (const auto* given = std::get_if<ToolResult>(&part)) response(*given);
      if (const auto* made = std::get_if<ToolCall>(&part)) {
        call(*made, first ? kNoSignature : made->opaque);
        first = false;
      }
    }
    // After the responses, which must match the calls in number and stand together.
    for (const Part& part : message.parts) {
      if (const auto* given = std::get_if<ToolResult>(&part)) {
        for (const Image* picture : internal::images_of(*given)) image(*picture);
      }
    }
  }

  void text(std::string_view words) {
    out_.object([&] { out_.text("text", words); });
  }

  void image(const Image& picture) {
    out_.object([&] {
      out_.object("inlineData", [&] {
        out_.text("mimeType", picture.media_type);
        out_.base64("data", "", picture.bytes);
      });
    });
  }

  void call(const ToolCall& made, std::string_view signature) {
    names_[made.id] = function_name(made.name);
    out_.object([&] {
      out_.object("functionCall", [&] {
        out_.text("id", made.id);
        out_.text("name", names_[made.id]);
        out_.raw("args", arguments_object(made.arguments));
      });
      if (!signature.empty()) out_.text("thoughtSignature", signature);
    });
  }

  void response(const ToolResult& given) {
    out_.object([&] {
      out_.object("functionResponse", [&] {
        out_.text("id", given.call);
        out_.text("name", names_[given.call]);
        out_.object("response", [&] {
          out_.text(given.failed ? "error" : "output", internal::result_text(given));
        });
      });
    });
  }

  // ---- beside the contents ----------------------------------------------------------------------

  void tools() {
    if (request_.tools.empty()) return;
    out_.array("tools", [&] {
      out_.object([&] {
        out_.array("functionDeclarations", [&] {
          for (const ToolSpec& tool : request_.tools) declaration(tool);
        });
      });
    });
    if (request_.tool_choice == ToolChoice::kAuto) return;
    out_.object("toolConfig", [&] {
      out_.object("functionCallingConfig", [&] {
        out_.text("mode", request_.tool_choice == ToolChoice::kNone ? "NONE" : "ANY");
      });
    });
  }

  void declaration(const ToolSpec& tool) {
    out_.object([&] {
      out_.text("name", function_name(tool.name));
      out_.text("description", tool.description);
      // `parameters` would be a dialect of OpenAPI; this is plain JSON Schema.
      out_.raw("parametersJsonSchema", internal::parameters_schema(tool.parameters));
    });
  }

  void options() {
    out_.number("maxOutputTokens", std::max<std::int64_t>(request_.max_output_tokens, 1));
    if (request_.temperature) out_.real("temperature", *request_.temperature);
    const auto stops = internal::stop_texts(request_, kMostStops);
    if (!stops.empty()) {
      out_.array("stopSequences", [&] {
        for (const std::string& stop : stops) out_.text(stop);
      });
    }
    const std::string schema = internal::answer_schema(request_);
    if (!schema.empty()) {
      out_.text("responseMimeType", "application/json");
      out_.raw("responseJsonSchema", schema);
    }
    thinking();
  }

  // Levels came with Gemini 3, budgets with 2.5; older models refuse both.
  void thinking() {
    const internal::ModelVersion version = internal::version_of(model_);
    const std::string& effort = request_.reasoning_effort;
    if (effort.empty() || version < internal::ModelVersion{2, 5}) return;
    out_.object("thinkingConfig", [&] {
      if (version >= kFirstWithSignatures) {
        // Not every model knows "medium".
        out_.text("thinkingLevel", effort == "low" ? "low" : "high");
      } else {
        out_.number("thinkingBudget", effort == "low" ? 1024 : effort == "medium" ? 8192 : 24576);
      }
    });
  }

  const std::string& model_;
  const ModelRequest& request_;
  std::map<std::string, std::string> names_{};  // names of calls by id
  JsonWriter out_{};
};

}  // namespace

std::string encode_gemini(const std::string& model, const ModelRequest& request) {
  return GeminiEncoder(model, request).body();
}

}  // namespace clever::provider::google

#include "support/internal/served_wire.h"

namespace clever::test::internal {
namespace {

using model::Role;
using provider::FailureKind;
using provider::ScriptedReply;

// Ollama's server is written in Go: unknown keys are ignored, wrong types are not.
base::Result<void> typed(const json& value, const char* key, bool (json::*is)() const noexcept,
                         const char* wanted) {
  const auto found = value.find(key);
  if (found == value.end() || found->is_null() || ((*found).*is)()) return {};
  return base::invalid_argument(std::string("json: cannot unmarshal ") + found->type_name() +
                                " into Go struct field ChatRequest." + key + " of type " + wanted);
}

class OllamaReader {
 public:
  base::Result<void> add(const json& message) {
    CLEVER_TRY(need(
        message.is_object(),
        "json: cannot unmarshal into Go struct field ChatRequest.messages of type api.Message"));
    CLEVER_TRY(typed(message, "content", &json::is_string, "string"));
    CLEVER_TRY(typed(message, "images", &json::is_array, "[]api.ImageData"));
    CLEVER_TRY(typed(message, "tool_calls", &json::is_array, "[]api.ToolCall"));
    const std::string role = text_or(message, "role", "");
    const std::string content = text_or(message, "content", "");
    if (role == "system") {
      request.system += (request.system.empty() ? "" : "\n") + content;
      return {};
    }
    if (role == "tool") return add_result(message, content);
    CLEVER_TRY(need(role == "user" || role == "assistant", "invalid role: " + role));
    model::Message made{role == "user" ? Role::kUser : Role::kAssistant, {}};
    if (const std::string thinking = text_or(message, "thinking", ""); !thinking.empty())
      made.parts.emplace_back(model::Reasoning{.text = thinking});
    if (!content.empty()) made.parts.emplace_back(model::Text{content});
    CLEVER_TRY(add_images(message, made));
    CLEVER_TRY(add_calls(message, made));
    request.messages.push_back(std::move(made));
    return {};
  }

  provider::ModelRequest request;

 private:
  static base::Result<void> add_images(const json& message, model::Message& made) {
    for (const json& image : message.value("images", json::array())) {
      CLEVER_TRY(
          need(image.is_string(),
               "json: cannot unmarshal into Go struct field Message.images of type api.ImageData"));
      CLEVER_ASSIGN(std::string bytes, decode_base64(image.get<std::string>()));
      made.parts.emplace_back(model::Image{"image/png", std::move(bytes)});
    }
    return {};
  }
  base::Result<void> add_calls(const json& message, model::Message& made) {
    for (const json& call : message.value("tool_calls", json::array())) {
      const json function = call.value("function", json::object());
      CLEVER_TRY(typed(function, "arguments", &json::is_object, "api.ToolCallFunctionArguments"));
      waiting_.push_back("ollama_" + std::to_string(++made_));
      names_.push_back(text_or(function, "name", ""));
      made.parts.emplace_back(model::ToolCall{waiting_.back(), names_.back(),
                                              function.value("arguments", json::object()).dump()});
    }
    return {};
  }
  // Results belong to calls by name and order.
  base::Result<void> add_result(const json& message, const std::string& content) {
    const std::string name = text_or(message, "tool_name", "");
    std::size_t at = 0;
    while (at < names_.size() && !name.empty() && names_[at] != name) ++at;
    CLEVER_TRY(need(at < names_.size(), "a result of the tool " + name + " that was not called"));
    model::ToolResult result{.call = waiting_[at], .content = {model::Text{content}}};
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(at));
    names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(at));
    const bool together = !request.messages.empty() && request.messages.back().role == Role::kUser;
    if (!together) request.messages.push_back({Role::kUser, {}});
    request.messages.back().parts.emplace_back(std::move(result));
    return {};
  }

  std::vector<std::string> waiting_;
  std::vector<std::string> names_;
  std::size_t made_ = 0;
};

json line(const ServedRequest& request, json message, bool done) {
  message["role"] = "assistant";
  if (!message.contains("content")) message["content"] = "";
  return {{"model", request.model},
          {"created_at", "2026-01-01T00:00:00.000000000Z"},
          {"message", std::move(message)},
          {"done", done}};
}

void finish_ollama(json& last, const ScriptedReply& reply) {
  const provider::Usage used = reply.usage.value_or(provider::Usage{});
  last["done"] = true;
  last["done_reason"] = reply.stop == provider::StopReason::kLength ? "length" : "stop";
  last["total_duration"] = 1'000'000;
  last["load_duration"] = 1000;
  last["prompt_eval_count"] = used.input;
  last["prompt_eval_duration"] = 1000;
  last["eval_count"] = used.output;
  last["eval_duration"] = 1000;
}

json call_of(const provider::ScriptedToolCall& call) {
  return {{"function", {{"name", call.name}, {"arguments", json::parse(call.arguments)}}}};
}

class OllamaWire final : public ServedWire {
 public:
  base::Result<ServedRequest> read(const SeenRequest& /*seen*/, const json& body) const override {
    CLEVER_TRY(typed(body, "model", &json::is_string, "string"));
    CLEVER_TRY(typed(body, "messages", &json::is_array, "[]api.Message"));
    CLEVER_TRY(typed(body, "stream", &json::is_boolean, "bool"));
    CLEVER_TRY(typed(body, "tools", &json::is_array, "api.Tools"));
    CLEVER_TRY(typed(body, "options", &json::is_object, "map[string]interface {}"));
    CLEVER_TRY(need(!text_or(body, "model", "").empty(), "model is required"));
    OllamaReader reader;
    for (const json& message : body.value("messages", json::array()))
      CLEVER_TRY(reader.add(message));
    ServedRequest served{.model = text_or(body, "model", ""), .request = std::move(reader.request)};
    for (const json& tool : body.value("tools", json::array())) {
      const json function = tool.value("function", json::object());
      served.request.tools.push_back({text_or(function, "name", ""),
                                      text_or(function, "description", ""),
                                      function.value("parameters", json::object()).dump()});
    }
    served.request.stream = body.value("stream", true);
    return served;
  }
  json whole(const ScriptedReply& reply, const ServedRequest& request) const override {
    json message{{"content", reply.text + reply.refusal}};
    if (!reply.reasoning.empty()) message["thinking"] = reply.reasoning;
    for (const auto& call : reply.tool_calls) message["tool_calls"].push_back(call_of(call));
    json answer = line(request, std::move(message), true);
    finish_ollama(answer, reply);
    return answer;
  }
  std::vector<Frame> frames(const ScriptedReply& reply,
                            const ServedRequest& request) const override {
    std::vector<Frame> frames;
    const auto add = [&](json message, bool piece = true) {
      frames.push_back({line(request, std::move(message), false).dump() + "\n", piece});
    };
    for (const std::string& text : pieces(reply.reasoning, reply.chunk)) add({{"thinking", text}});
    for (const std::string& text : pieces(reply.text, reply.chunk)) add({{"content", text}});
    for (const std::string& text : pieces(reply.refusal, reply.chunk))
      add({{"content", text}}, false);
    for (const auto& call : reply.tool_calls) add({{"tool_calls", json::array({call_of(call)})}});
    json last = line(request, json::object(), true);
    finish_ollama(last, reply);
    frames.push_back({last.dump() + "\n"});
    return frames;
  }
  std::string_view stream_type() const override { return "application/x-ndjson"; }
  json error(FailureKind kind, int /*status*/, const std::string& message,
             std::optional<std::chrono::milliseconds> /*retry_after*/) const override {
    if (kind == FailureKind::kUnknownModel) return {{"error", "model 'x' not found: " + message}};
    return {{"error", message}};
  }
};

}  // namespace

const ServedWire& ollama_wire() {
  static const OllamaWire wire;
  return wire;
}

}  // namespace clever::test::internal

#include <map>

#include "support/internal/served_wire.h"

// Requests of other people's clients, which send more than we know about: what a script asks for is
// read, and nothing is checked.
namespace clever::test::internal {
namespace {

using model::Role;

std::string text_in(const json& content) {
  if (content.is_string()) return content.get<std::string>();
  if (content.is_object()) {
    for (const char* key : {"text", "output", "content", "result"}) {
      if (content.contains(key)) return text_in(content[key]);
    }
    return content.dump();
  }
  std::string text;
  if (!content.is_array()) return text;
  for (const json& part : content) text += text_in(part);
  return text;
}

class LooseReader {
 public:
  provider::ModelRequest read(const json& body) {
    for (const char* key : {"system", "instructions", "systemInstruction"}) {
      if (body.contains(key)) request_.system += text_of_any(body[key]);
    }
    for (const char* key : {"messages", "input", "contents"}) {
      const json list = body.value(key, json());
      if (list.is_string()) add(Role::kUser, model::Text{list.get<std::string>()});
      if (list.is_array()) {
        for (const json& one : list) message(one);
      }
    }
    tools(body.value("tools", json::array()));
    for (model::Message& message : messages_) request_.messages.push_back(std::move(message));
    return std::move(request_);
  }

 private:
  static std::string text_of_any(const json& value) {
    return value.is_object() && value.contains("parts") ? text_in(value["parts"]) : text_in(value);
  }

  void add(Role role, model::Part part) {
    if (const auto* text = std::get_if<model::Text>(&part); text != nullptr && text->text.empty()) {
      return;
    }
    if (messages_.empty() || messages_.back().role != role) messages_.push_back({role, {}});
    messages_.back().parts.push_back(std::move(part));
  }

  void result(const std::string& call, const json& content) {
    add(Role::kUser, model::ToolResult{.call = call, .content = {model::Text{text_in(content)}}});
  }

  void call(std::string id, const std::string& name, const json& arguments) {
    if (id.empty()) id = "call_" + std::to_string(++calls_);
    last_call_[name] = id;
    add(Role::kAssistant,
        model::ToolCall{
            .id = id,
            .name = name,
            .arguments = arguments.is_string() ? arguments.get<std::string>() : arguments.dump()});
  }

  void message(const json& one) {
    if (!one.is_object()) return;
    const std::string type = text_or(one, "type", "");
    if (type == "function_call" || type == "custom_tool_call") {
      return call(text_or(one, "call_id", ""), text_or(one, "name", ""),
                  one.value(type == "function_call" ? "arguments" : "input", json()));
    }
    if (type == "function_call_output" || type == "custom_tool_call_output") {
      return result(text_or(one, "call_id", ""), one.value("output", json()));
    }
    const std::string role = text_or(one, "role", "");
    if (role == "system" || role == "developer") {
      request_.system += text_in(one.value("content", json()));
      return;
    }
    if (role == "tool")
      return result(text_or(one, "tool_call_id", ""), one.value("content", json()));
    const Role who = role == "assistant" || role == "model" ? Role::kAssistant : Role::kUser;
    const json content = one.contains("parts") ? one["parts"] : one.value("content", json());
    if (content.is_string()) add(who, model::Text{content.get<std::string>()});
    if (content.is_array()) {
      for (const json& part : content) piece(who, part);
    }
    for (const json& made : one.value("tool_calls", json::array())) {
      const json function = made.value("function", json::object());
      call(text_or(made, "id", ""), text_or(function, "name", ""),
           function.value("arguments", json()));
    }
  }

  void piece(Role who, const json& part) {
    if (!part.is_object()) return;
    const std::string type = text_or(part, "type", "");
    if (type == "tool_use") {
      call(text_or(part, "id", ""), text_or(part, "name", ""), part.value("input", json()));
    } else if (type == "tool_result") {
      result(text_or(part, "tool_use_id", ""), part.value("content", json()));
    } else if (part.contains("functionCall")) {
      const json& made = part["functionCall"];
      call(text_or(made, "id", ""), text_or(made, "name", ""), made.value("args", json()));
    } else if (part.contains("functionResponse")) {
      const json& came = part["functionResponse"];
      const std::string id = text_or(came, "id", "");
      result(id.empty() ? last_call_[text_or(came, "name", "")] : id,
             came.value("response", json()));
    } else {
      add(who, model::Text{text_or(part, "text", "")});
    }
  }

  void tool(const json& one) {
    const json function = one.value("function", json());
    const std::string name =
        function.is_object() ? text_or(function, "name", "") : text_or(one, "name", "");
    if (!name.empty()) request_.tools.push_back({.name = name});
  }

  void tools(const json& list) {
    if (!list.is_array()) return;
    for (const json& one : list) {
      if (!one.is_object()) continue;
      tool(one);
      for (const json& each : one.value("functionDeclarations", json::array())) tool(each);
    }
  }

  provider::ModelRequest request_{};
  std::vector<model::Message> messages_{};
  std::map<std::string, std::string> last_call_{};
  int calls_ = 0;
};

// ".../models/NAME:generateContent"
std::string model_in_path(const std::string& target) {
  const std::size_t begin = target.find("/models/");
  if (begin == std::string::npos) return "scripted";
  const std::size_t name = begin + 8;
  return target.substr(name, target.find(':', name) - name);
}

}  // namespace

ServedRequest read_loosely(const SeenRequest& seen, const json& body) {
  ServedRequest served{.model = text_or(body, "model", model_in_path(seen.target)),
                       .request = LooseReader().read(body)};
  const bool gemini = seen.target.find(":generateContent") != std::string::npos;
  const bool gemini_stream = seen.target.find(":streamGenerateContent") != std::string::npos;
  served.request.stream = gemini_stream || (!gemini && body.value("stream", false));
  served.include_usage = true;
  return served;
}

}  // namespace clever::test::internal

#include <algorithm>
#include <set>

#include "support/internal/served_openai.h"

namespace clever::test::internal {
namespace {

using model::Role;
using provider::FailureKind;
using provider::ScriptedReply;

// Reads the items of "input": calls and their results stand beside the messages.
class ItemReader {
 public:
  base::Result<void> add(const json& item) {
    const std::string type = text_or(item, "type", "message");
    if (type == "message") return add_message(item);
    if (type == "function_call") return add_call(item);
    if (type == "function_call_output") return add_output(item);
    if (type == "reasoning") return add_reasoning(item);
    return base::invalid_argument("Invalid value: '" + type +
                                  "'. Supported values are: 'message', 'function_call', "
                                  "'function_call_output', 'reasoning', …");
  }
  base::Result<provider::ModelRequest> take() {
    if (!waiting_.empty()) {
      return base::invalid_argument("No tool output found for function call " + *waiting_.begin() +
                                    ".");
    }
    return std::move(request_);
  }
  void add_system(const std::string& text) {
    if (!request_.system.empty()) request_.system += "\n";
    request_.system += text;
  }
  void add_user_text(const std::string& text) {
    parts_of(Role::kUser).emplace_back(model::Text{text});
  }

 private:
  std::vector<model::Part>& parts_of(Role role) {
    if (request_.messages.empty() || request_.messages.back().role != role)
      request_.messages.push_back({role, {}});
    return request_.messages.back().parts;
  }

  base::Result<void> add_message(const json& item) {
    const std::string role = text_or(item, "role", "");
    CLEVER_TRY(
        need(role == "user" || role == "assistant" || role == "system" || role == "developer",
             "Invalid value: '" + role +
                 "'. Supported values are: 'assistant', 'system', 'developer', and 'user'."));
    const json content = item.value("content", json());
    if (content.is_string()) return add_text(role, content.get<std::string>());
    CLEVER_TRY(need(content.is_array() && !content.empty(),
                    "Invalid type for 'input.content': expected a string or a non-empty array."));
    for (const json& part : content) CLEVER_TRY(add_part(role, part));
    return {};
  }
  base::Result<void> add_text(const std::string& role, const std::string& text) {
    if (role == "system" || role == "developer") {
      add_system(text);
    } else {
      parts_of(role == "user" ? Role::kUser : Role::kAssistant).emplace_back(model::Text{text});
    }
    return {};
  }
  base::Result<void> add_part(const std::string& role, const json& part) {
    const std::string type = text_or(part, "type", "");
    const bool assistant = role == "assistant";
    CLEVER_TRY(need(assistant ? type == "output_text" || type == "refusal"
                              : type == "input_text" || type == "input_image",
                    "Invalid value: '" + type + "'. Supported values are: " +
                        (assistant ? "'output_text' and 'refusal'."
                                   : "'input_text', 'input_image', 'input_file'.")));
    if (type != "input_image")
      return add_text(role, text_or(part, type == "refusal" ? "refusal" : "text", ""));
    CLEVER_ASSIGN(model::Image image, decode_data_url(text_or(part, "image_url", "")));
    parts_of(Role::kUser).emplace_back(std::move(image));
    return {};
  }
  base::Result<void> add_call(const json& item) {
    model::ToolCall call{text_or(item, "call_id", ""), text_or(item, "name", ""),
                         text_or(item, "arguments", "")};
    CLEVER_TRY(need(!call.id.empty(), "Missing required parameter: 'input.call_id'."));
    CLEVER_TRY(need(is_tool_name(call.name, 64),
                    "Invalid 'input.name': string does not match pattern. Expected a string that "
                    "matches the pattern '^[a-zA-Z0-9_-]+$'."));
    CLEVER_TRY(need(item.contains("arguments") && item["arguments"].is_string(),
                    "Missing required parameter: 'input.arguments'."));
    CLEVER_TRY(need(calls_.insert(call.id).second, "Duplicate function call id " + call.id + "."));
    waiting_.insert(call.id);
    parts_of(Role::kAssistant).emplace_back(std::move(call));
    return {};
  }
  base::Result<void> add_output(const json& item) {
    model::ToolResult result{.call = text_or(item, "call_id", "")};
    CLEVER_TRY(
        need(waiting_.erase(result.call) == 1,
             "No tool call found for function call output with call_id " + result.call + "."));
    const json output = item.value("output", json());
    if (output.is_string()) {
      if (!output.get_ref<const std::string&>().empty())
        result.content.emplace_back(model::Text{output});
    } else {
      CLEVER_TRY(need(output.is_array(),
                      "Invalid type for 'input.output': expected a string or an array."));
      for (const json& part : output) CLEVER_TRY(add_output_part(part, result));
    }
    parts_of(Role::kUser).emplace_back(std::move(result));
    return {};
  }
  static base::Result<void> add_output_part(const json& part, model::ToolResult& result) {
    const std::string type = text_or(part, "type", "");
    if (type == "input_text") {
      result.content.emplace_back(model::Text{text_or(part, "text", "")});
      return {};
    }
    CLEVER_TRY(need(type == "input_image",
                    "Invalid value: '" + type +
                        "'. Supported values are: 'input_text', 'input_image' and 'input_file'."));
    CLEVER_ASSIGN(model::Image image, decode_data_url(text_or(part, "image_url", "")));
    result.content.emplace_back(std::move(image));
    return {};
  }
  base::Result<void> add_reasoning(const json& item) {
    CLEVER_TRY(need(item.contains("summary") && item["summary"].is_array(),
                    "Missing required parameter: 'input.summary'."));
    std::string text;
    for (const json& part : item["summary"]) text += text_or(part, "text", "");
    parts_of(Role::kAssistant)
        .emplace_back(
            model::Reasoning{text, text_or(item, "encrypted_content", ""), "openai-responses"});
    return {};
  }

  provider::ModelRequest request_;
  std::set<std::string> calls_;
  std::set<std::string> waiting_;
};

base::Result<provider::ToolSpec> read_responses_tool(const json& tool) {
  CLEVER_TRY(need(text_or(tool, "type", "") == "function",
                  "Missing required parameter: 'tools[0].type'."));
  const std::string name = text_or(tool, "name", "");
  CLEVER_TRY(
      need(is_tool_name(name, 64), "Invalid 'tools[0].name': string does not match pattern."));
  const json parameters = tool.value("parameters", json());
  CLEVER_TRY(need(parameters.is_object() && text_or(parameters, "type", "") == "object",
                  "Invalid schema for function '" + name +
                      "': schema must be a JSON Schema of 'type: \"object\"'."));
  return provider::ToolSpec{name, text_or(tool, "description", ""), parameters.dump()};
}

// The answer's items, as they are when it is complete.
json items_of(const ScriptedReply& reply) {
  const char* status = reply.stop == provider::StopReason::kLength ? "incomplete" : "completed";
  json items = json::array();
  if (!reply.reasoning.empty()) {
    items.push_back({{"id", "rs_1"},
                     {"type", "reasoning"},
                     {"summary", {{{"type", "summary_text"}, {"text", reply.reasoning}}}},
                     {"encrypted_content", "opaque-1"}});
  }
  if (!reply.text.empty() || !reply.refusal.empty() || reply.tool_calls.empty()) {
    json content = json::array();
    if (!reply.text.empty())
      content.push_back({{"type", "output_text"},
                         {"text", reply.text},
                         {"annotations", json::array()},
                         {"logprobs", json::array()}});
    if (!reply.refusal.empty())
      content.push_back({{"type", "refusal"}, {"refusal", reply.refusal}});
    items.push_back({{"id", "msg_1"},
                     {"type", "message"},
                     {"role", "assistant"},
                     {"status", status},
                     {"content", content}});
  }
  for (const auto& call : reply.tool_calls) {
    items.push_back({{"id", "fc_" + call.id},
                     {"type", "function_call"},
                     {"status", status},
                     {"call_id", call.id},
                     {"name", call.name},
                     {"arguments", call.arguments}});
  }
  return items;
}

json responses_usage(const ScriptedReply& reply) {
  const provider::Usage used = reply.usage.value_or(provider::Usage{});
  return {{"input_tokens", used.input},
          {"input_tokens_details", {{"cached_tokens", used.cache_read}}},
          {"output_tokens", used.output},
          {"output_tokens_details", {{"reasoning_tokens", used.reasoning}}},
          {"total_tokens", used.input + used.output}};
}

json response_of(const ScriptedReply& reply, const ServedRequest& request) {
  const bool cut = reply.stop == provider::StopReason::kLength;
  return {{"id", "resp_1"},
          {"object", "response"},
          {"created_at", 1'700'000'000},
          {"status", cut ? "incomplete" : "completed"},
          {"error", nullptr},
          {"incomplete_details", cut ? json{{"reason", "max_output_tokens"}} : json()},
          {"instructions", nullptr},
          {"metadata", json::object()},
          {"model", request.model},
          {"output", items_of(reply)},
          {"parallel_tool_calls", true},
          {"temperature", 1.0},
          {"tool_choice", "auto"},
          {"tools", json::array()},
          {"top_p", 1.0},
          {"usage", responses_usage(reply)}};
}

// The events of one answer, numbered.
class ResponsesWriter {
 public:
  ResponsesWriter(const ScriptedReply& reply, const ServedRequest& request)
      : reply_(reply), response_(response_of(reply, request)) {}

  std::vector<Frame> write() {
    json begun = response_;
    begun["status"] = "in_progress";
    begun["output"] = json::array();
    begun["usage"] = nullptr;
    begun["incomplete_details"] = nullptr;
    add("response.created", {{"response", begun}});
    add("response.in_progress", {{"response", begun}});
    const json& items = response_["output"];
    for (index_ = 0; index_ < items.size(); ++index_) write_item(items[index_]);
    const bool cut = reply_.stop == provider::StopReason::kLength;
    add(cut ? "response.incomplete" : "response.completed", {{"response", response_}});
    return std::move(frames_);
  }

 private:
  void add(const std::string& type, json data, bool piece = false) {
    data["type"] = type;
    data["sequence_number"] = frames_.size();
    frames_.push_back({sse(data, type), piece});
  }
  void add_at(const std::string& type, json data, const json& item, bool piece = false) {
    data["output_index"] = index_;
    data["item_id"] = item["id"];
    add(type, std::move(data), piece);
  }
  void write_item(const json& item) {
    json begun = item;
    if (begun.contains("status")) begun["status"] = "in_progress";
    if (begun.contains("content")) begun["content"] = json::array();
    if (begun.contains("summary")) begun["summary"] = json::array();
    if (begun.contains("arguments")) begun["arguments"] = "";
    const bool call = item["type"] == "function_call";
    add("response.output_item.added", {{"output_index", index_}, {"item", begun}}, call);
    if (call) {
      write_arguments(item);
    } else if (item["type"] == "reasoning") {
      write_summary(item);
    } else {
      write_content(item);
    }
    add("response.output_item.done", {{"output_index", index_}, {"item", item}});
  }
  void write_arguments(const json& item) {
    for (const std::string& text : pieces(item["arguments"].get<std::string>(), reply_.chunk)) {
      add_at("response.function_call_arguments.delta", {{"delta", text}}, item);
    }
    add_at("response.function_call_arguments.done",
           {{"arguments", item["arguments"]}, {"name", item["name"]}}, item);
  }
  void write_summary(const json& item) {
    add_at("response.reasoning_summary_part.added",
           {{"summary_index", 0}, {"part", {{"type", "summary_text"}, {"text", ""}}}}, item);
    for (const std::string& text : pieces(reply_.reasoning, reply_.chunk)) {
      add_at("response.reasoning_summary_text.delta", {{"summary_index", 0}, {"delta", text}}, item,
             true);
    }
    add_at("response.reasoning_summary_text.done",
           {{"summary_index", 0}, {"text", reply_.reasoning}}, item);
    add_at("response.reasoning_summary_part.done",
           {{"summary_index", 0}, {"part", item["summary"][0]}}, item);
  }
  void write_content(const json& item) {
    for (std::size_t part = 0; part < item["content"].size(); ++part) {
      const json& whole = item["content"][part];
      const bool refusal = whole["type"] == "refusal";
      json begun = whole;
      begun[refusal ? "refusal" : "text"] = "";
      const std::string name = refusal ? "response.refusal" : "response.output_text";
      add_at("response.content_part.added", {{"content_index", part}, {"part", begun}}, item);
      for (const std::string& text : pieces(refusal ? reply_.refusal : reply_.text, reply_.chunk)) {
        json delta{{"content_index", part}, {"delta", text}};
        if (!refusal) delta["logprobs"] = json::array();
        add_at(name + ".delta", std::move(delta), item, !refusal);
      }
      json done{{"content_index", part},
                {refusal ? "refusal" : "text", refusal ? reply_.refusal : reply_.text}};
      if (!refusal) done["logprobs"] = json::array();
      add_at(name + ".done", std::move(done), item);
      add_at("response.content_part.done", {{"content_index", part}, {"part", whole}}, item);
    }
  }

  const ScriptedReply& reply_;
  const json response_;
  std::size_t index_ = 0;
  std::vector<Frame> frames_;
};

class ResponsesWire final : public ServedWire {
 public:
  base::Result<ServedRequest> read(const SeenRequest& /*seen*/, const json& body) const override {
    static const std::vector<std::string_view> kKnown{"model",
                                                      "input",
                                                      "instructions",
                                                      "tools",
                                                      "tool_choice",
                                                      "parallel_tool_calls",
                                                      "max_output_tokens",
                                                      "temperature",
                                                      "top_p",
                                                      "stream",
                                                      "stream_options",
                                                      "store",
                                                      "include",
                                                      "reasoning",
                                                      "text",
                                                      "metadata",
                                                      "previous_response_id",
                                                      "truncation",
                                                      "user",
                                                      "service_tier",
                                                      "prompt_cache_key",
                                                      "prompt_cache_retention",
                                                      "safety_identifier",
                                                      "background",
                                                      "max_tool_calls",
                                                      "conversation",
                                                      "top_logprobs"};
    CLEVER_TRY(only_keys(body, kKnown, "Unknown parameter: '", "'."));
    CLEVER_TRY(need(!text_or(body, "model", "").empty(), "Missing required parameter: 'model'."));
    const json limit = body.value("max_output_tokens", json());
    CLEVER_TRY(
        need(limit.is_null() || (limit.is_number_integer() && limit.get<std::int64_t>() >= 16),
             "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16."));
    const json input = body.value("input", json());
    CLEVER_TRY(need(input.is_string() || (input.is_array() && !input.empty()),
                    "Missing required parameter: 'input'."));
    CLEVER_TRY(need(body.contains("tools") || !body.contains("tool_choice") ||
                        body["tool_choice"] != "required",
                    "Tool choice 'required' must be specified with 'tools' parameter."));
    ItemReader reader;
    if (const std::string system = text_or(body, "instructions", ""); !system.empty())
      reader.add_system(system);
    if (input.is_string()) {
      reader.add_user_text(input.get<std::string>());
    } else {
      for (const json& item : input) CLEVER_TRY(reader.add(item));
    }
    ServedRequest served{.model = text_or(body, "model", "")};
    CLEVER_ASSIGN(served.request, reader.take());
    for (const json& tool : body.value("tools", json::array())) {
      CLEVER_ASSIGN(provider::ToolSpec read, read_responses_tool(tool));
      served.request.tools.push_back(std::move(read));
    }
    served.request.stream = body.value("stream", false);
    return served;
  }
  json whole(const ScriptedReply& reply, const ServedRequest& request) const override {
    return response_of(reply, request);
  }
  std::vector<Frame> frames(const ScriptedReply& reply,
                            const ServedRequest& request) const override {
    return ResponsesWriter(reply, request).write();
  }
  json error(FailureKind kind, int status, const std::string& message,
             std::optional<std::chrono::milliseconds> /*retry_after*/) const override {
    return openai_error(kind, status, message);
  }
  std::vector<io::HttpHeader> limit_headers(const LimitStates& limits) const override {
    return openai_limit_headers(limits);
  }
  std::vector<io::HttpHeader> retry_headers(std::chrono::milliseconds retry_after) const override {
    return openai_retry_headers(retry_after);
  }
};

}  // namespace

const ServedWire& openai_responses_wire() {
  static const ResponsesWire wire;
  return wire;
}

}  // namespace clever::test::internal

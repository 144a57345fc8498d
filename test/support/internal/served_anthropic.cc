#include <algorithm>
#include <array>
#include <ctime>
#include <set>

#include "support/internal/served_wire.h"

namespace clever::test::internal {
namespace {

using model::Role;
using provider::FailureKind;
using provider::ScriptedReply;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

base::Result<model::Text> read_text(const json& block, const std::string& place) {
  const std::string text = text_or(block, "text", "");
  CLEVER_TRY(need(!text.empty(), place + ": text content blocks must be non-empty"));
  CLEVER_TRY(
      need(!is_blank(text), place + ": text content blocks must contain non-whitespace text"));
  return model::Text{text};
}

base::Result<model::Image> read_image(const json& block, const std::string& place) {
  static const std::set<std::string> kTypes{"image/jpeg", "image/png", "image/gif", "image/webp"};
  const json source = block.value("source", json());
  CLEVER_TRY(need(text_or(source, "type", "") == "base64",
                  place + ".source.type: Input should be 'base64' or 'url'"));
  const std::string type = text_or(source, "media_type", "");
  CLEVER_TRY(need(kTypes.contains(type),
                  place + ".source.base64.media_type: Input should be 'image/jpeg', 'image/png', "
                          "'image/gif' or 'image/webp'"));
  CLEVER_ASSIGN(std::string bytes, decode_base64(text_or(source, "data", "")));
  CLEVER_TRY(need(!bytes.empty(), place + ".source.base64: image cannot be empty"));
  return model::Image{type, std::move(bytes)};
}

// Reads messages; knows the calls of the last assistant message, whose results must come next.
class AnthropicReader {
 public:
  base::Result<void> add(const json& message, std::size_t number, bool last) {
    const std::string place = "messages." + std::to_string(number);
    CLEVER_TRY(
        only_keys(message, {"role", "content"}, place + ".", ": Extra inputs are not permitted"));
    const std::string role = text_or(message, "role", "");
    CLEVER_TRY(need(role == "user" || role == "assistant",
                    place + ": Input should be 'user' or 'assistant'"));
    CLEVER_TRY(
        need(number > 0 || role == "user", "messages: first message must use the \"user\" role"));
    const json content = blocks_of(message.value("content", json()));
    CLEVER_TRY(need(content.is_array() && (!content.empty() || (last && role == "assistant")),
                    place + ": all messages must have non-empty content except for the optional "
                            "final assistant message"));
    return role == "user" ? add_user(content, place) : add_assistant(content, place, last);
  }
  base::Result<provider::ModelRequest> take() {
    CLEVER_TRY(
        need(waiting_.empty(), unanswered("messages." + std::to_string(request_.messages.size()))));
    return std::move(request_);
  }
  [[nodiscard]] std::size_t marks() const { return marks_; }
  void mark(const json& block) {
    if (block.is_object() && block.contains("cache_control")) ++marks_;
  }

 private:
  static json blocks_of(const json& content) {
    if (!content.is_string()) return content;
    return content.get_ref<const std::string&>().empty()
               ? json::array()
               : json::array({{{"type", "text"}, {"text", content}}});
  }
  [[nodiscard]] std::string unanswered(const std::string& place) const {
    std::string ids;
    for (const std::string& id : waiting_) ids += (ids.empty() ? "" : ", ") + id;
    return place +
           ": `tool_use` ids were found without `tool_result` blocks immediately after: " + ids +
           ". Each `tool_use` block must have a corresponding `tool_result` block in the next "
           "message.";
  }
  std::vector<model::Part>& parts_of(Role role) {
    if (request_.messages.empty() || request_.messages.back().role != role)
      request_.messages.push_back({role, {}});
    return request_.messages.back().parts;
  }

  base::Result<void> add_user(const json& content, const std::string& place) {
    bool results_over = false;
    for (std::size_t i = 0; i < content.size(); ++i) {
      const json& block = content[i];
      const std::string here = place + ".content." + std::to_string(i);
      mark(block);
      const std::string type = text_or(block, "type", "");
      if (type == "tool_result") {
        CLEVER_TRY(
            need(!results_over,
                 here + ": `tool_result` blocks must come first in the content of a message"));
        CLEVER_TRY(add_result(block, here));
        continue;
      }
      results_over = true;
      CLEVER_TRY(need(waiting_.empty(), unanswered(place)));
      if (type == "text") {
        CLEVER_ASSIGN(model::Text text, read_text(block, here));
        parts_of(Role::kUser).emplace_back(std::move(text));
      } else if (type == "image") {
        CLEVER_ASSIGN(model::Image image, read_image(block, here));
        parts_of(Role::kUser).emplace_back(std::move(image));
      } else {
        return base::invalid_argument(here + ": Input tag '" + type +
                                      "' found using 'type' does not match any of the expected "
                                      "tags: 'document', 'image', 'text', 'tool_result'");
      }
    }
    return need(waiting_.empty(), unanswered(place));
  }

  base::Result<void> add_result(const json& block, const std::string& here) {
    model::ToolResult result{.call = text_or(block, "tool_use_id", ""),
                             .failed = block.value("is_error", false)};
    CLEVER_TRY(only_keys(block, {"type", "tool_use_id", "content", "is_error", "cache_control"},
                         here + ".tool_result.", ": Extra inputs are not permitted"));
    CLEVER_TRY(need(waiting_.erase(result.call) == 1,
                    here +
                        ": unexpected `tool_use_id` found in `tool_result` blocks: " + result.call +
                        ". Each `tool_result` block must have a corresponding `tool_use` block in "
                        "the previous message."));
    const json content = blocks_of(block.value("content", json::array()));
    for (const json& part : content) {
      if (text_or(part, "type", "") == "image") {
        CLEVER_ASSIGN(model::Image image, read_image(part, here));
        result.content.emplace_back(std::move(image));
      } else {
        CLEVER_ASSIGN(model::Text text, read_text(part, here));
        result.content.emplace_back(std::move(text));
      }
    }
    parts_of(Role::kUser).emplace_back(std::move(result));
    return {};
  }

  base::Result<void> add_assistant(const json& content, const std::string& place, bool last) {
    CLEVER_TRY(need(waiting_.empty(), unanswered(place)));
    parts_of(Role::kAssistant);
    for (std::size_t i = 0; i < content.size(); ++i) {
      const json& block = content[i];
      const std::string here = place + ".content." + std::to_string(i);
      mark(block);
      const std::string type = text_or(block, "type", "");
      if (type == "tool_use") {
        CLEVER_TRY(add_call(block, here));
      } else if (type == "thinking" || type == "redacted_thinking") {
        CLEVER_TRY(need(!text_or(block, type == "thinking" ? "signature" : "data", "").empty(),
                        here + ".thinking.signature: Field required"));
        parts_of(Role::kAssistant)
            .emplace_back(model::Reasoning{text_or(block, "thinking", ""),
                                           text_or(block, "signature", ""), "anthropic"});
      } else {
        CLEVER_TRY(need(type == "text", here + ": Input tag '" + type +
                                            "' does not match any of the expected tags"));
        CLEVER_ASSIGN(model::Text text, read_text(block, here));
        const bool ends_blank = text.text.back() == ' ' || text.text.back() == '\n';
        CLEVER_TRY(need(!last || !ends_blank,
                        "messages: final assistant content cannot end with trailing whitespace"));
        parts_of(Role::kAssistant).emplace_back(std::move(text));
      }
    }
    return {};
  }
  base::Result<void> add_call(const json& block, const std::string& here) {
    const std::string id = text_or(block, "id", "");
    CLEVER_TRY(need(is_tool_name(id, 1000),
                    here + ".tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"));
    CLEVER_TRY(need(calls_.insert(id).second, "messages: `tool_use` ids must be unique"));
    const std::string name = text_or(block, "name", "");
    CLEVER_TRY(need(is_tool_name(name, 200),
                    here + ".tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'"));
    const json input = block.value("input", json());
    CLEVER_TRY(
        need(input.is_object(), here + ".tool_use.input: Input should be a valid dictionary"));
    waiting_.insert(id);
    parts_of(Role::kAssistant).emplace_back(model::ToolCall{id, name, input.dump()});
    return {};
  }

  provider::ModelRequest request_;
  std::set<std::string> calls_;
  std::set<std::string> waiting_;
  std::size_t marks_ = 0;
};

base::Result<std::string> read_system(const json& system, AnthropicReader& reader) {
  if (system.is_null() || system.is_string())
    return system.is_null() ? std::string() : system.get<std::string>();
  CLEVER_TRY(need(system.is_array(), "system: Input should be a valid list"));
  std::string text;
  for (std::size_t i = 0; i < system.size(); ++i) {
    reader.mark(system[i]);
    const std::string part = text_or(system[i], "text", "");
    CLEVER_TRY(need(!part.empty(),
                    "system." + std::to_string(i) + ": text content blocks must be non-empty"));
    text += (text.empty() ? "" : "\n") + part;
  }
  return text;
}

base::Result<provider::ToolSpec> read_anthropic_tool(const json& tool, std::size_t number) {
  const std::string place = "tools." + std::to_string(number) + ".custom.";
  CLEVER_TRY(only_keys(tool,
                       {"name", "description", "input_schema", "cache_control", "type", "strict"},
                       place, ": Extra inputs are not permitted"));
  const std::string name = text_or(tool, "name", "");
  CLEVER_TRY(need(is_tool_name(name, 128),
                  place + "name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"));
  const json schema = tool.value("input_schema", json());
  CLEVER_TRY(need(schema.is_object(), place + "input_schema: Field required"));
  CLEVER_TRY(need(text_or(schema, "type", "") == "object",
                  place + "input_schema.type: Input should be 'object'"));
  return provider::ToolSpec{name, text_or(tool, "description", ""), schema.dump()};
}

json anthropic_usage(const ScriptedReply& reply) {
  const provider::Usage used = reply.usage.value_or(provider::Usage{});
  return {{"input_tokens", used.input - used.cache_read - used.cache_write},
          {"output_tokens", used.output},
          {"cache_creation_input_tokens", used.cache_write},
          {"cache_read_input_tokens", used.cache_read},
          {"cache_creation", nullptr},
          {"server_tool_use", nullptr},
          {"service_tier", "standard"}};
}

std::string stop_of(const ScriptedReply& reply) {
  if (reply.stop == provider::StopReason::kLength) return "max_tokens";
  if (!reply.refusal.empty()) return "refusal";
  return reply.tool_calls.empty() ? "end_turn" : "tool_use";
}

json stop_details(const ScriptedReply& reply) {
  if (reply.refusal.empty()) return nullptr;
  return {{"type", "refusal"}, {"category", nullptr}, {"explanation", reply.refusal}};
}

json message_of(const ScriptedReply& reply, const ServedRequest& request) {
  json content = json::array();
  if (!reply.reasoning.empty())
    content.push_back(
        {{"type", "thinking"}, {"thinking", reply.reasoning}, {"signature", "signature-1"}});
  if (!reply.text.empty())
    content.push_back({{"type", "text"}, {"text", reply.text}, {"citations", nullptr}});
  for (const auto& call : reply.tool_calls) {
    content.push_back({{"type", "tool_use"},
                       {"id", call.id},
                       {"name", call.name},
                       {"input", json::parse(call.arguments)}});
  }
  return {{"id", "msg_1"},
          {"type", "message"},
          {"role", "assistant"},
          {"model", request.model},
          {"content", content},
          {"stop_reason", stop_of(reply)},
          {"stop_sequence", nullptr},
          {"stop_details", stop_details(reply)},
          {"usage", anthropic_usage(reply)}};
}

class AnthropicWriter {
 public:
  explicit AnthropicWriter(const ScriptedReply& reply) : reply_(reply) {}

  std::vector<Frame> write(const json& message) {
    json begun = message;
    begun["content"] = json::array();
    begun["stop_reason"] = nullptr;
    begun["stop_details"] = nullptr;
    begun["usage"]["output_tokens"] = 1;
    add("message_start", {{"message", begun}});
    add("ping", json::object());
    for (const json& block : message["content"]) write_block(block);
    add("message_delta", {{"delta",
                           {{"stop_reason", message["stop_reason"]},
                            {"stop_sequence", nullptr},
                            {"stop_details", message["stop_details"]}}},
                          {"usage", {{"output_tokens", message["usage"]["output_tokens"]}}}});
    add("message_stop", json::object());
    return std::move(frames_);
  }

 private:
  void add(const std::string& type, json data, bool piece = false) {
    data["type"] = type;
    frames_.push_back({sse(data, type), piece});
  }
  void delta(json what, bool piece) {
    add("content_block_delta", {{"index", index_}, {"delta", std::move(what)}}, piece);
  }

  void write_block(const json& block) {
    json begun = block;
    if (block["type"] == "text") begun["text"] = "";
    if (block["type"] == "thinking") begun["thinking"] = begun["signature"] = "";
    if (block["type"] == "tool_use") begun["input"] = json::object();
    add("content_block_start", {{"index", index_}, {"content_block", begun}},
        block["type"] == "tool_use");
    if (block["type"] == "text") {
      for (const std::string& text : pieces(reply_.text, reply_.chunk))
        delta({{"type", "text_delta"}, {"text", text}}, true);
    } else if (block["type"] == "thinking") {
      for (const std::string& text : pieces(reply_.reasoning, reply_.chunk))
        delta({{"type", "thinking_delta"}, {"thinking", text}}, true);
      delta({{"type", "signature_delta"}, {"signature", block["signature"]}}, false);
    } else {
      for (const std::string& text : pieces(block["input"].dump(), reply_.chunk))
        delta({{"type", "input_json_delta"}, {"partial_json", text}}, false);
    }
    add("content_block_stop", {{"index", index_++}});
  }

  const ScriptedReply& reply_;
  std::size_t index_ = 0;
  std::vector<Frame> frames_;
};

std::string rfc3339(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm fields{};
  ::gmtime_r(&seconds, &fields);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &fields);
  return {text.data(), size};
}

std::string_view type_of(FailureKind kind, int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 402:
      return "billing_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 529:
      return "overloaded_error";
    default:
      return status >= 500 || kind == FailureKind::kOverloaded ? "api_error"
                                                               : "invalid_request_error";
  }
}

std::string message_of_kind(FailureKind kind, const std::string& message) {
  if (kind == FailureKind::kQuota)
    return "Your credit balance is too low to access the Anthropic API. " + message;
  if (kind == FailureKind::kContextTooLong)
    return "prompt is too long: 250000 tokens > 200000 maximum. " + message;
  if (kind == FailureKind::kUnknownModel) return "model: " + message;
  return message;
}

class AnthropicWire final : public ServedWire {
 public:
  base::Result<ServedRequest> read(const SeenRequest& seen, const json& body) const override {
    CLEVER_TRY(
        need(!seen.header("anthropic-version").empty(), "anthropic-version: header is required"));
    CLEVER_TRY(check_top(body));
    AnthropicReader reader;
    CLEVER_ASSIGN(std::string system, read_system(body.value("system", json()), reader));
    const json& messages = body["messages"];
    for (std::size_t i = 0; i < messages.size(); ++i)
      CLEVER_TRY(reader.add(messages[i], i, i + 1 == messages.size()));
    std::vector<provider::ToolSpec> tools;
    for (const json& tool : body.value("tools", json::array())) {
      reader.mark(tool);
      CLEVER_ASSIGN(provider::ToolSpec read, read_anthropic_tool(tool, tools.size()));
      tools.push_back(std::move(read));
    }
    CLEVER_TRY(need(reader.marks() <= 4,
                    "A maximum of 4 blocks with cache_control may be provided. Found " +
                        std::to_string(reader.marks()) + "."));
    ServedRequest served{.model = text_or(body, "model", "")};
    CLEVER_ASSIGN(served.request, reader.take());
    served.request.system = std::move(system);
    served.request.tools = std::move(tools);
    served.request.stream = body.value("stream", false);
    return served;
  }
  json whole(const ScriptedReply& reply, const ServedRequest& request) const override {
    return message_of(reply, request);
  }
  std::vector<Frame> frames(const ScriptedReply& reply,
                            const ServedRequest& request) const override {
    return AnthropicWriter(reply).write(message_of(reply, request));
  }

  int status(FailureKind kind) const override {
    if (kind == FailureKind::kOverloaded) return 529;
    if (kind == FailureKind::kQuota) return 400;
    return ServedWire::status(kind);
  }
  json error(FailureKind kind, int status, const std::string& message,
             std::optional<std::chrono::milliseconds> /*retry_after*/) const override {
    return {
        {"type", "error"},
        {"error", {{"type", type_of(kind, status)}, {"message", message_of_kind(kind, message)}}},
        {"request_id", "req_1"}};
  }
  std::vector<io::HttpHeader> limit_headers(const LimitStates& limits) const override {
    std::vector<io::HttpHeader> headers;
    const auto add = [&](const std::optional<LimitState>& state, const std::string& what) {
      if (!state) return;
      const std::string name = "anthropic-ratelimit-" + what;
      headers.push_back({name + "-limit", std::to_string(state->limit)});
      headers.push_back({name + "-remaining", std::to_string(state->remaining)});
      headers.push_back({name + "-reset", rfc3339(limits.now + state->reset)});
    };
    add(limits.requests, "requests");
    add(limits.tokens, "tokens");
    return headers;
  }

 private:
  static base::Result<void> check_top(const json& body) {
    static const std::vector<std::string_view> kKnown{
        "model",       "messages",           "max_tokens",  "system",        "tools",
        "tool_choice", "temperature",        "top_p",       "top_k",         "stop_sequences",
        "stream",      "thinking",           "metadata",    "service_tier",  "output_config",
        "container",   "context_management", "mcp_servers", "cache_control", "inference_geo",
        "speed"};
    CLEVER_TRY(only_keys(body, kKnown, "", ": Extra inputs are not permitted"));
    CLEVER_TRY(need(!text_or(body, "model", "").empty(), "model: Field required"));
    CLEVER_TRY(need(body.contains("max_tokens"), "max_tokens: Field required"));
    CLEVER_TRY(
        need(body["max_tokens"].is_number_integer() && body["max_tokens"].get<std::int64_t>() >= 1,
             "max_tokens: Input should be greater than or equal to 1"));
    CLEVER_TRY(
        need(body.contains("messages") && body["messages"].is_array(), "messages: Field required"));
    CLEVER_TRY(need(!body["messages"].empty(), "messages: at least one message is required"));
    CLEVER_TRY(need(body.contains("tools") || !body.contains("tool_choice"),
                    "tool_choice: may only be specified while providing tools"));
    const double temperature = body.value("temperature", 1.0);
    CLEVER_TRY(need(temperature >= 0 && temperature <= 1, "temperature: range: 0..1"));
    for (const json& stop : body.value("stop_sequences", json::array())) {
      CLEVER_TRY(need(stop.is_string() && !is_blank(stop.get<std::string>()),
                      "stop_sequences: each stop sequence must contain non-whitespace"));
    }
    return check_thinking(body);
  }
  static base::Result<void> check_thinking(const json& body) {
    const json thinking = body.value("thinking", json());
    if (text_or(thinking, "type", "") != "enabled") return {};
    const std::int64_t budget = thinking.value("budget_tokens", std::int64_t{0});
    CLEVER_TRY(
        need(budget >= 1024,
             "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"));
    CLEVER_TRY(need(budget < body["max_tokens"].get<std::int64_t>(),
                    "`max_tokens` must be greater than `thinking.budget_tokens`."));
    CLEVER_TRY(need(body.value("temperature", 1.0) == 1.0,
                    "`temperature` may only be set to 1 when thinking is enabled."));
    return need(text_or(body.value("tool_choice", json()), "type", "auto") != "any",
                "Thinking may not be enabled when tool_choice forces tool use.");
  }
};

}  // namespace

const ServedWire& anthropic_wire() {
  static const AnthropicWire wire;
  return wire;
}

}  // namespace clever::test::internal

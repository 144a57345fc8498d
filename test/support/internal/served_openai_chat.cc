#include <map>
#include <set>

#include "support/internal/served_openai.h"

namespace clever::test::internal {
namespace {

using model::Message;
using model::Role;
using provider::FailureKind;
using provider::ScriptedReply;

base::Result<model::Part> read_content_part(const json& part, bool images) {
  const std::string type = text_or(part, "type", "");
  if (type == "text") {
    CLEVER_TRY(need(part.contains("text") && part["text"].is_string(),
                    "Missing required parameter: 'text'."));
    return model::Part(model::Text{part["text"].get<std::string>()});
  }
  CLEVER_TRY(need(
      images && type == "image_url",
      "Invalid value: '" + type + "'. Supported values are: 'text' and, for users, 'image_url'."));
  CLEVER_ASSIGN(model::Image image,
                decode_data_url(text_or(part.value("image_url", json()), "url", "")));
  return model::Part(std::move(image));
}

base::Result<std::vector<model::Part>> read_content(const json& content, bool images) {
  std::vector<model::Part> parts;
  if (content.is_string()) {
    if (!content.get_ref<const std::string&>().empty()) parts.emplace_back(model::Text{content});
    return parts;
  }
  CLEVER_TRY(need(
      content.is_array() && !content.empty(),
      "Invalid type for 'messages.content': expected a string or a non-empty array of objects."));
  for (const json& part : content) {
    CLEVER_ASSIGN(model::Part read, read_content_part(part, images));
    parts.push_back(std::move(read));
  }
  return parts;
}

// The messages so far, and which calls wait for their results.
class ChatReader {
 public:
  base::Result<void> add(const json& message) {
    const std::string role = text_or(message, "role", "");
    if (role != "tool") CLEVER_TRY(need(waiting_.empty(), unanswered()));
    if (role == "system" || role == "developer") return add_system(message);
    if (role == "user") return add_user(message);
    if (role == "assistant") return add_assistant(message);
    if (role == "tool") return add_result(message);
    return base::invalid_argument("Invalid value: '" + role +
                                  "'. Supported values are: 'system', 'assistant', 'user', "
                                  "'function', 'tool', and 'developer'.");
  }
  base::Result<provider::ModelRequest> take() {
    CLEVER_TRY(need(waiting_.empty(), unanswered()));
    return std::move(request_);
  }

 private:
  [[nodiscard]] std::string unanswered() const {
    std::string ids;
    for (const std::string& id : waiting_) ids += (ids.empty() ? "" : ", ") + id;
    return "An assistant message with 'tool_calls' must be followed by tool messages responding to "
           "each 'tool_call_id'. The following tool_call_ids did not have response messages: " +
           ids;
  }

  base::Result<void> add_system(const json& message) {
    CLEVER_ASSIGN(const auto parts, read_content(message.value("content", json()), false));
    for (const model::Part& part : parts) {
      if (!request_.system.empty()) request_.system += "\n";
      request_.system += std::get<model::Text>(part).text;
    }
    return {};
  }
  base::Result<void> add_user(const json& message) {
    CLEVER_TRY(only_keys(message, {"role", "content", "name"},
                         "Unrecognized request argument supplied: messages.", ""));
    CLEVER_ASSIGN(auto parts, read_content(message.value("content", json()), true));
    request_.messages.push_back({Role::kUser, std::move(parts)});
    return {};
  }
  base::Result<void> add_assistant(const json& message) {
    CLEVER_TRY(only_keys(message,
                         {"role", "content", "name", "tool_calls", "refusal", "reasoning_content",
                          "reasoning", "audio", "function_call"},
                         "Unrecognized request argument supplied: messages.", ""));
    Message made{Role::kAssistant, {}};
    const json content = message.value("content", json());
    if (!content.is_null()) {
      CLEVER_ASSIGN(made.parts, read_content(content, false));
    }
    CLEVER_TRY(
        need(!content.is_null() || message.contains("tool_calls") || message.contains("refusal"),
             "Invalid value for 'content': expected a string, got null."));
    if (message.contains("tool_calls")) CLEVER_TRY(add_calls(message["tool_calls"], made));
    request_.messages.push_back(std::move(made));
    return {};
  }
  base::Result<void> add_calls(const json& calls, Message& made) {
    CLEVER_TRY(need(calls.is_array() && !calls.empty(),
                    "Invalid 'messages.tool_calls': empty array. Expected an array with minimum "
                    "length 1, but got an empty array instead."));
    for (const json& call : calls) {
      const json function = call.value("function", json());
      CLEVER_TRY(need(text_or(call, "type", "") == "function",
                      "Missing required parameter: 'messages.tool_calls.type'."));
      CLEVER_TRY(need(function.is_object() && function.contains("arguments") &&
                          function["arguments"].is_string(),
                      "Missing required parameter: 'messages.tool_calls.function.arguments'."));
      const std::string name = text_or(function, "name", "");
      CLEVER_TRY(need(is_tool_name(name, 64),
                      "Invalid 'messages.tool_calls.function.name': string does not match pattern "
                      "'^[a-zA-Z0-9_-]+$'."));
      const std::string id = text_or(call, "id", "");
      CLEVER_TRY(need(!id.empty(), "Missing required parameter: 'messages.tool_calls.id'."));
      CLEVER_TRY(need(waiting_.insert(id).second,
                      "Duplicate value for 'tool_call_id' of '" + id + "' in message."));
      made.parts.emplace_back(model::ToolCall{id, name, function["arguments"].get<std::string>()});
    }
    return {};
  }
  base::Result<void> add_result(const json& message) {
    const std::string id = text_or(message, "tool_call_id", "");
    CLEVER_TRY(need(waiting_.erase(id) == 1,
                    "Invalid parameter: messages with role 'tool' must be a response to a "
                    "preceding message with 'tool_calls'."));
    model::ToolResult result{.call = id};
    CLEVER_ASSIGN(const auto parts, read_content(message.value("content", json()), false));
    for (const model::Part& part : parts) result.content.emplace_back(std::get<model::Text>(part));
    const bool together =
        !request_.messages.empty() && request_.messages.back().role == Role::kUser;
    if (!together) request_.messages.push_back({Role::kUser, {}});
    request_.messages.back().parts.emplace_back(std::move(result));
    return {};
  }

  provider::ModelRequest request_;
  std::set<std::string> waiting_;
};

base::Result<provider::ToolSpec> read_chat_tool(const json& tool) {
  CLEVER_TRY(need(text_or(tool, "type", "") == "function",
                  "Missing required parameter: 'tools[0].type'."));
  const json function = tool.value("function", json());
  const std::string name = text_or(function, "name", "");
  CLEVER_TRY(need(is_tool_name(name, 64),
                  "Invalid 'tools[0].function.name': string does not match pattern. Expected a "
                  "string that matches the pattern '^[a-zA-Z0-9_-]+$'."));
  const json parameters = function.value("parameters", json::object());
  CLEVER_TRY(
      need(parameters.is_object() && text_or(parameters, "type", "") == "object",
           "Invalid schema for function '" + name +
               "': schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'."));
  return provider::ToolSpec{name, text_or(function, "description", ""), parameters.dump()};
}

class ChatWire final : public ServedWire {
 public:
  base::Result<ServedRequest> read(const SeenRequest& /*seen*/, const json& body) const override {
    CLEVER_TRY(check_top(body));
    ChatReader reader;
    for (const json& message : body["messages"]) CLEVER_TRY(reader.add(message));
    ServedRequest served{.model = text_or(body, "model", "")};
    CLEVER_ASSIGN(served.request, reader.take());
    for (const json& tool : body.value("tools", json::array())) {
      CLEVER_ASSIGN(provider::ToolSpec read, read_chat_tool(tool));
      served.request.tools.push_back(std::move(read));
    }
    served.request.stream = body.value("stream", false);
    served.include_usage =
        body.value("stream_options", json::object()).value("include_usage", false);
    return served;
  }

  json whole(const ScriptedReply& reply, const ServedRequest& request) const override {
    json message{
        {"role", "assistant"},
        {"content", reply.text.empty() && (!reply.tool_calls.empty() || !reply.refusal.empty())
                        ? json()
                        : json(reply.text)},
        {"refusal", reply.refusal.empty() ? json() : json(reply.refusal)}};
    if (!reply.reasoning.empty()) message["reasoning_content"] = reply.reasoning;
    for (const auto& call : reply.tool_calls) {
      message["tool_calls"].push_back(
          {{"id", call.id},
           {"type", "function"},
           {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
    }
    json answer = head("chat.completion", request);
    answer["choices"] = {{{"index", 0},
                          {"message", message},
                          {"logprobs", nullptr},
                          {"finish_reason", finish(reply)}}};
    answer["usage"] = usage(reply);
    return answer;
  }

  std::vector<Frame> frames(const ScriptedReply& reply,
                            const ServedRequest& request) const override {
    std::vector<Frame> frames;
    const auto add = [&](const json& delta, bool piece, const json& reason = json()) {
      json chunk = head("chat.completion.chunk", request);
      chunk["choices"] = {
          {{"index", 0}, {"delta", delta}, {"logprobs", nullptr}, {"finish_reason", reason}}};
      if (request.include_usage) chunk["usage"] = nullptr;
      frames.push_back({sse(chunk), piece});
    };
    add({{"role", "assistant"}, {"content", ""}, {"refusal", nullptr}}, false);
    for (const std::string& text : pieces(reply.reasoning, reply.chunk))
      add({{"reasoning_content", text}}, true);
    for (const std::string& text : pieces(reply.text, reply.chunk)) add({{"content", text}}, true);
    for (const std::string& text : pieces(reply.refusal, reply.chunk))
      add({{"refusal", text}}, false);
    for (std::size_t i = 0; i < reply.tool_calls.size(); ++i) {
      const auto& call = reply.tool_calls[i];
      add({{"tool_calls",
            {{{"index", i},
              {"id", call.id},
              {"type", "function"},
              {"function", {{"name", call.name}, {"arguments", ""}}}}}}},
          true);
      for (const std::string& text : pieces(call.arguments, reply.chunk)) {
        add({{"tool_calls", {{{"index", i}, {"function", {{"arguments", text}}}}}}}, false);
      }
    }
    add(json::object(), false, finish(reply));
    if (request.include_usage) {
      json last = head("chat.completion.chunk", request);
      last["choices"] = json::array();
      last["usage"] = usage(reply);
      frames.push_back({sse(last)});
    }
    frames.push_back({"data: [DONE]\n\n"});
    return frames;
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

 private:
  static base::Result<void> check_top(const json& body) {
    static const std::vector<std::string_view> kKnown{"model",
                                                      "messages",
                                                      "tools",
                                                      "tool_choice",
                                                      "parallel_tool_calls",
                                                      "max_tokens",
                                                      "max_completion_tokens",
                                                      "temperature",
                                                      "top_p",
                                                      "stop",
                                                      "stream",
                                                      "stream_options",
                                                      "response_format",
                                                      "reasoning_effort",
                                                      "n",
                                                      "user",
                                                      "seed",
                                                      "store",
                                                      "metadata",
                                                      "logprobs",
                                                      "top_logprobs",
                                                      "frequency_penalty",
                                                      "presence_penalty",
                                                      "logit_bias",
                                                      "service_tier",
                                                      "prompt_cache_key",
                                                      "safety_identifier",
                                                      "verbosity"};
    CLEVER_TRY(only_keys(body, kKnown, "Unrecognized request argument supplied: ", ""));
    CLEVER_TRY(need(!text_or(body, "model", "").empty(), "you must provide a model parameter"));
    CLEVER_TRY(
        need(body.contains("messages") && body["messages"].is_array() && !body["messages"].empty(),
             "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an "
             "empty array instead."));
    const bool tools = body.contains("tools");
    CLEVER_TRY(need(!tools || (body["tools"].is_array() && !body["tools"].empty()),
                    "Invalid 'tools': empty array. Expected an array with minimum length 1, but "
                    "got an empty array instead."));
    CLEVER_TRY(need(tools || !body.contains("tool_choice"),
                    "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' "
                    "are specified."));
    CLEVER_TRY(need(tools || !body.contains("parallel_tool_calls"),
                    "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only "
                    "allowed when 'tools' are specified."));
    CLEVER_TRY(need(body.value("stream", false) || !body.contains("stream_options"),
                    "The 'stream_options' parameter is only allowed when 'stream' is enabled."));
    CLEVER_TRY(need(
        !(body.contains("max_tokens") && body.contains("max_completion_tokens")),
        "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."));
    for (const char* key : {"max_tokens", "max_completion_tokens"}) {
      CLEVER_TRY(need(!body.contains(key) ||
                          (body[key].is_number_integer() && body[key].get<std::int64_t>() >= 1),
                      std::string("Invalid '") + key +
                          "': integer below minimum value. Expected a value >= 1."));
    }
    const json stop = body.value("stop", json());
    CLEVER_TRY(need(stop.is_null() || stop.is_string() ||
                        (stop.is_array() && !stop.empty() && stop.size() <= 4),
                    "Invalid 'stop': array too long. Expected an array with maximum length 4."));
    return {};
  }

  // Clients take two answers of one id for one: another for each turn of a conversation.
  static json head(const char* object, const ServedRequest& request) {
    return {{"id", "chatcmpl-" + std::to_string(request.request.messages.size())},
            {"object", object},
            {"created", 1'700'000'000},
            {"model", request.model},
            {"system_fingerprint", "fp_0"},
            {"service_tier", "default"}};
  }
  static std::string finish(const ScriptedReply& reply) {
    if (reply.stop == provider::StopReason::kLength) return "length";
    return reply.tool_calls.empty() ? "stop" : "tool_calls";
  }
  static json usage(const ScriptedReply& reply) {
    const provider::Usage used = reply.usage.value_or(provider::Usage{});
    return {{"prompt_tokens", used.input},
            {"completion_tokens", used.output},
            {"total_tokens", used.input + used.output},
            {"prompt_tokens_details", {{"cached_tokens", used.cache_read}, {"audio_tokens", 0}}},
            {"completion_tokens_details",
             {{"reasoning_tokens", used.reasoning},
              {"audio_tokens", 0},
              {"accepted_prediction_tokens", 0},
              {"rejected_prediction_tokens", 0}}}};
  }
};

std::string openai_time(std::chrono::milliseconds time) {
  const auto all = time.count();
  if (all < 1000) return std::to_string(all) + "ms";
  if (all < 60'000)
    return std::to_string(all / 1000) + "." + std::to_string(all % 1000 / 100) + "s";
  return std::to_string(all / 60'000) + "m" + std::to_string(all % 60'000 / 1000) + "s";
}

struct OpenAiCode {
  const char* type;
  json code;
};

OpenAiCode code_of(FailureKind kind, int status) {
  switch (kind) {
    case FailureKind::kQuota:
      return {"insufficient_quota", "insufficient_quota"};
    case FailureKind::kRateLimited:
      return {"requests", "rate_limit_exceeded"};
    case FailureKind::kBadKey:
      return {"invalid_request_error", "invalid_api_key"};
    case FailureKind::kUnknownModel:
      return {"invalid_request_error", "model_not_found"};
    case FailureKind::kContextTooLong:
      return {"invalid_request_error", "context_length_exceeded"};
    case FailureKind::kRefused:
      return {"invalid_request_error", "content_policy_violation"};
    default:
      return {status >= 500 ? "server_error" : "invalid_request_error", nullptr};
  }
}

}  // namespace

json openai_error(FailureKind kind, int status, const std::string& message) {
  const OpenAiCode code = code_of(kind, status);
  return {{"error",
           {{"message", message}, {"type", code.type}, {"param", nullptr}, {"code", code.code}}}};
}

std::vector<io::HttpHeader> openai_limit_headers(const LimitStates& limits) {
  std::vector<io::HttpHeader> headers;
  const auto add = [&](const std::optional<LimitState>& state, const std::string& what) {
    if (!state) return;
    headers.push_back({"x-ratelimit-limit-" + what, std::to_string(state->limit)});
    headers.push_back({"x-ratelimit-remaining-" + what, std::to_string(state->remaining)});
    headers.push_back({"x-ratelimit-reset-" + what, openai_time(state->reset)});
  };
  add(limits.requests, "requests");
  add(limits.tokens, "tokens");
  return headers;
}

std::vector<io::HttpHeader> openai_retry_headers(std::chrono::milliseconds retry_after) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(retry_after).count();
  return {{"retry-after", std::to_string(seconds)},
          {"retry-after-ms", std::to_string(retry_after.count())}};
}

const ServedWire& openai_chat_wire() {
  static const ChatWire wire;
  return wire;
}

}  // namespace clever::test::internal

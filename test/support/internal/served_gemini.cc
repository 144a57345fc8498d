#include <algorithm>

#include "support/internal/served_wire.h"

namespace clever::test::internal {
namespace {

using model::Role;
using provider::FailureKind;
using provider::ScriptedReply;

constexpr std::string_view kUnknownBefore = "Invalid JSON payload received. Unknown name \"";
constexpr std::string_view kUnknownAfter = "\": Cannot find field.";

base::Result<void> known(const json& value, const std::vector<std::string_view>& keys) {
  return only_keys(value, keys, kUnknownBefore, kUnknownAfter);
}

// The part of OpenAPI that function declarations may use; anything goes in parametersJsonSchema.
base::Result<void> check_schema(const json& schema, int depth = 0) {
  static const std::vector<std::string_view> kKeys{
      "type",      "format",    "title",      "description", "nullable",      "enum",
      "maxItems",  "minItems",  "properties", "required",    "minProperties", "maxProperties",
      "minLength", "maxLength", "pattern",    "example",     "anyOf",         "propertyOrdering",
      "default",   "items",     "minimum",    "maximum"};
  if (!schema.is_object() || depth > 20) return {};
  CLEVER_TRY(known(schema, kKeys));
  for (const auto& [name, property] : schema.value("properties", json::object()).items())
    CLEVER_TRY(check_schema(property, depth + 1));
  for (const json& option : schema.value("anyOf", json::array()))
    CLEVER_TRY(check_schema(option, depth + 1));
  return check_schema(schema.value("items", json()), depth + 1);
}

// Calls of a turn are answered in the next one, as many responses as calls.
class ContentReader {
 public:
  base::Result<void> add(const json& content) {
    CLEVER_TRY(known(content, {"role", "parts"}));
    const std::string role = text_or(content, "role", "user");
    CLEVER_TRY(need(role == "user" || role == "model" || role == "function",
                    "Please use a valid role: user, model."));
    const json parts = content.value("parts", json::array());
    CLEVER_TRY(need(parts.is_array() && !parts.empty(),
                    "* GenerateContentRequest.contents[" + std::to_string(count_++) +
                        "].parts: contents.parts must not be empty."));
    return role == "model" ? add_model(parts) : add_user(parts);
  }
  base::Result<provider::ModelRequest> take() {
    CLEVER_TRY(need(calls_.empty(), unanswered()));
    return std::move(request_);
  }

 private:
  static std::string unanswered() {
    return "Please ensure that the number of function response parts is equal to the number of "
           "function call parts of the function call turn.";
  }
  static base::Result<void> check_part(const json& part) {
    CLEVER_TRY(known(part, {"text", "inlineData", "functionCall", "functionResponse", "thought",
                            "thoughtSignature", "fileData"}));
    int data = 0;
    for (const char* key : {"text", "inlineData", "functionCall", "functionResponse"})
      data += part.contains(key) ? 1 : 0;
    return need(data == 1,
                "* GenerateContentRequest.contents.parts.data: required oneof field 'data' must "
                "have one initialized field");
  }

  base::Result<void> add_model(const json& parts) {
    CLEVER_TRY(need(calls_.empty(), unanswered()));
    model::Message message{Role::kAssistant, {}};
    for (const json& part : parts) {
      CLEVER_TRY(check_part(part));
      if (part.contains("text")) {
        const std::string text = part["text"];
        if (part.value("thought", false)) {
          message.parts.emplace_back(model::Reasoning{.text = text});
        } else if (!text.empty()) {
          message.parts.emplace_back(model::Text{text});
        }
        continue;
      }
      CLEVER_TRY(
          need(part.contains("functionCall"), "A model turn holds text and function calls."));
      CLEVER_TRY(add_call(part["functionCall"], message));
    }
    CLEVER_TRY(need(calls_.empty() || !request_.messages.empty(),
                    "Please ensure that function call turn comes immediately after a user turn or "
                    "after a function response turn."));
    request_.messages.push_back(std::move(message));
    return {};
  }
  base::Result<void> add_call(const json& call, model::Message& message) {
    CLEVER_TRY(known(call, {"id", "name", "args"}));
    const std::string name = text_or(call, "name", "");
    CLEVER_TRY(
        need(!name.empty(),
             "GenerateContentRequest.contents.parts.function_call.name: Name cannot be empty."));
    const json args = call.value("args", json::object());
    CLEVER_TRY(need(args.is_object(),
                    "Invalid value at 'contents.parts.function_call.args' "
                    "(type.googleapis.com/google.protobuf.Struct)"));
    const std::string id = text_or(call, "id", "gemini_" + std::to_string(++made_));
    calls_.push_back({id, name});
    message.parts.emplace_back(model::ToolCall{id, name, args.dump()});
    return {};
  }

  base::Result<void> add_user(const json& parts) {
    model::Message message{Role::kUser, {}};
    const auto responses = std::ranges::count_if(
        parts, [](const json& part) { return part.contains("functionResponse"); });
    CLEVER_TRY(need(static_cast<std::size_t>(responses) == calls_.size(), unanswered()));
    for (const json& part : parts) {
      CLEVER_TRY(check_part(part));
      if (part.contains("text")) {
        message.parts.emplace_back(model::Text{part["text"].get<std::string>()});
      } else if (part.contains("inlineData")) {
        CLEVER_ASSIGN(std::string bytes, decode_base64(text_or(part["inlineData"], "data", "")));
        message.parts.emplace_back(
            model::Image{text_or(part["inlineData"], "mimeType", ""), std::move(bytes)});
      } else {
        CLEVER_TRY(need(part.contains("functionResponse"),
                        "A user turn holds text, data and function responses."));
        CLEVER_TRY(add_response(part["functionResponse"], message));
      }
    }
    const bool merge = !request_.messages.empty() && request_.messages.back().role == Role::kUser;
    if (!merge) request_.messages.push_back({Role::kUser, {}});
    auto& target = request_.messages.back().parts;
    target.insert(target.end(), message.parts.begin(), message.parts.end());
    return {};
  }
  base::Result<void> add_response(const json& response, model::Message& message) {
    CLEVER_TRY(known(response, {"id", "name", "response", "parts", "willContinue", "scheduling"}));
    const std::string name = text_or(response, "name", "");
    const std::string id = text_or(response, "id", "");
    const auto call = std::ranges::find_if(
        calls_, [&](const Call& c) { return c.name == name && (id.empty() || c.id == id); });
    CLEVER_TRY(need(call != calls_.end(), unanswered()));
    const json value = response.value("response", json());
    CLEVER_TRY(need(value.is_object(),
                    "Invalid value at 'contents.parts.function_response.response' "
                    "(type.googleapis.com/google.protobuf.Struct)"));
    model::ToolResult result{.call = call->id, .failed = value.contains("error")};
    const json said = value.contains("error") ? value["error"]
                                              : value.value("output", value.value("result", value));
    result.content.emplace_back(
        model::Text{said.is_string() ? said.get<std::string>() : said.dump()});
    message.parts.emplace_back(std::move(result));
    calls_.erase(call);
    return {};
  }

  struct Call {
    std::string id;
    std::string name;
  };
  provider::ModelRequest request_;
  std::vector<Call> calls_;
  std::size_t made_ = 0;
  std::size_t count_ = 0;
};

base::Result<void> read_tools(const json& tools, provider::ModelRequest& request) {
  for (const json& tool : tools) {
    CLEVER_TRY(
        known(tool, {"functionDeclarations", "googleSearch", "codeExecution", "urlContext"}));
    for (const json& declaration : tool.value("functionDeclarations", json::array())) {
      CLEVER_TRY(known(declaration, {"name", "description", "parameters", "parametersJsonSchema",
                                     "response", "responseJsonSchema", "behavior"}));
      const std::string name = text_or(declaration, "name", "");
      CLEVER_TRY(need(is_tool_name(name, 64),
                      "* GenerateContentRequest.tools[0].function_declarations[0].name: "
                      "[FIELD_INVALID] Invalid function name."));
      CLEVER_TRY(check_schema(declaration.value("parameters", json())));
      const json schema = declaration.contains("parameters")
                              ? declaration["parameters"]
                              : declaration.value("parametersJsonSchema", json::object());
      request.tools.push_back({name, text_or(declaration, "description", ""), schema.dump()});
    }
  }
  return {};
}

std::string finish_of(const ScriptedReply& reply) {
  if (reply.stop == provider::StopReason::kLength) return "MAX_TOKENS";
  return reply.refusal.empty() ? "STOP" : "SAFETY";
}

json gemini_usage(const ScriptedReply& reply) {
  const provider::Usage used = reply.usage.value_or(provider::Usage{});
  json usage{{"promptTokenCount", used.input},
             {"candidatesTokenCount", used.output - used.reasoning},
             {"totalTokenCount", used.input + used.output}};
  if (used.cache_read > 0) usage["cachedContentTokenCount"] = used.cache_read;
  if (used.reasoning > 0) usage["thoughtsTokenCount"] = used.reasoning;
  return usage;
}

json chunk(const json& parts, const ServedRequest& request) {
  return {{"candidates", {{{"content", {{"role", "model"}, {"parts", parts}}}, {"index", 0}}}},
          {"modelVersion", request.model},
          {"responseId", "response-1"}};
}

void finish_gemini(json& chunk, const ScriptedReply& reply) {
  json& candidate = chunk["candidates"][0];
  candidate["finishReason"] = finish_of(reply);
  if (!reply.refusal.empty()) {
    candidate.erase("content");
    candidate["finishMessage"] = reply.refusal;
  }
  chunk["usageMetadata"] = gemini_usage(reply);
}

json call_part(const provider::ScriptedToolCall& call) {
  return {{"functionCall",
           {{"id", call.id}, {"name", call.name}, {"args", json::parse(call.arguments)}}},
          {"thoughtSignature", "c2lnbmF0dXJl"}};
}

class GeminiWire final : public ServedWire {
 public:
  base::Result<ServedRequest> read(const SeenRequest& seen, const json& body) const override {
    CLEVER_TRY(known(body, {"contents", "systemInstruction", "tools", "toolConfig",
                            "generationConfig", "safetySettings", "cachedContent", "model"}));
    CLEVER_TRY(
        need(body.contains("contents") && body["contents"].is_array() && !body["contents"].empty(),
             "* GenerateContentRequest.contents: contents is not specified"));
    ContentReader reader;
    for (const json& content : body["contents"]) CLEVER_TRY(reader.add(content));
    ServedRequest served;
    CLEVER_ASSIGN(served.request, reader.take());
    for (const json& part :
         body.value("systemInstruction", json::object()).value("parts", json::array())) {
      served.request.system +=
          (served.request.system.empty() ? "" : "\n") + text_or(part, "text", "");
    }
    CLEVER_TRY(read_tools(body.value("tools", json::array()), served.request));
    CLEVER_TRY(check_generation(body.value("generationConfig", json::object())));
    const std::size_t begin = seen.target.find("/models/") + 8;
    served.model = seen.target.substr(begin, seen.target.find(':', begin) - begin);
    served.request.stream = seen.target.find(":streamGenerateContent") != std::string::npos;
    return served;
  }
  json whole(const ScriptedReply& reply, const ServedRequest& request) const override {
    json parts = json::array();
    if (!reply.reasoning.empty()) parts.push_back({{"text", reply.reasoning}, {"thought", true}});
    if (!reply.text.empty()) parts.push_back({{"text", reply.text}});
    for (const auto& call : reply.tool_calls) parts.push_back(call_part(call));
    json answer = chunk(parts, request);
    finish_gemini(answer, reply);
    return answer;
  }
  std::vector<Frame> frames(const ScriptedReply& reply,
                            const ServedRequest& request) const override {
    std::vector<Frame> frames;
    const auto add = [&](json part) {
      frames.push_back({sse(chunk(json::array({std::move(part)}), request)), true});
    };
    for (const std::string& text : pieces(reply.reasoning, reply.chunk))
      add({{"text", text}, {"thought", true}});
    for (const std::string& text : pieces(reply.text, reply.chunk)) add({{"text", text}});
    for (const auto& call : reply.tool_calls) add(call_part(call));
    json last = chunk(json::array({{{"text", ""}}}), request);
    finish_gemini(last, reply);
    frames.push_back({sse(last)});
    return frames;
  }
  int status(FailureKind kind) const override {
    // Gemini says INVALID_ARGUMENT for a bad key.
    return kind == FailureKind::kBadKey ? 400 : ServedWire::status(kind);
  }
  json error(FailureKind kind, int status, const std::string& message,
             std::optional<std::chrono::milliseconds> retry_after) const override {
    json details = json::array();
    if (kind == FailureKind::kBadKey)
      details.push_back({{"@type", "type.googleapis.com/google.rpc.ErrorInfo"},
                         {"reason", "API_KEY_INVALID"},
                         {"domain", "googleapis.com"}});
    if (kind == FailureKind::kQuota) {
      details.push_back(
          {{"@type", "type.googleapis.com/google.rpc.QuotaFailure"},
           {"violations",
            {{{"quotaMetric",
               "generativelanguage.googleapis.com/generate_content_free_tier_requests"},
              {"quotaId", "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}}}}});
    }
    if (retry_after)
      details.push_back(
          {{"@type", "type.googleapis.com/google.rpc.RetryInfo"},
           {"retryDelay",
            std::to_string(std::chrono::ceil<std::chrono::seconds>(*retry_after).count()) + "s"}});
    json error{{"code", status}, {"message", said(kind, message)}, {"status", name_of(status)}};
    if (!details.empty()) error["details"] = details;
    return {{"error", error}};
  }
  std::vector<io::HttpHeader> retry_headers(
      std::chrono::milliseconds /*retry_after*/) const override {
    return {};
  }

 private:
  static std::string said(FailureKind kind, const std::string& message) {
    if (kind == FailureKind::kBadKey)
      return "API key not valid. Please pass a valid API key. " + message;
    if (kind == FailureKind::kContextTooLong)
      return "The input token count (2000000) exceeds the maximum number of tokens allowed "
             "(1048576). " +
             message;
    if (kind == FailureKind::kQuota)
      return "You exceeded your current quota, please check your plan and billing details. " +
             message;
    return message;
  }
  static std::string name_of(int status) {
    switch (status) {
      case 400:
        return "INVALID_ARGUMENT";
      case 401:
        return "UNAUTHENTICATED";
      case 403:
        return "PERMISSION_DENIED";
      case 404:
        return "NOT_FOUND";
      case 429:
        return "RESOURCE_EXHAUSTED";
      case 503:
        return "UNAVAILABLE";
      default:
        return status >= 500 ? "INTERNAL" : "FAILED_PRECONDITION";
    }
  }
  static base::Result<void> check_generation(const json& config) {
    CLEVER_TRY(known(config, {"temperature", "topP", "topK", "maxOutputTokens", "stopSequences",
                              "candidateCount", "responseMimeType", "responseSchema",
                              "responseJsonSchema", "thinkingConfig", "seed", "presencePenalty",
                              "frequencyPenalty", "responseModalities"}));
    const json limit = config.value("maxOutputTokens", json());
    CLEVER_TRY(
        need(limit.is_null() || (limit.is_number_integer() && limit.get<std::int64_t>() >= 1),
             "max_output_tokens must be positive."));
    return need(config.value("stopSequences", json::array()).size() <= 5,
                "stop_sequences: at most 5");
  }
};

}  // namespace

const ServedWire& gemini_wire() {
  static const GeminiWire wire;
  return wire;
}

}  // namespace clever::test::internal

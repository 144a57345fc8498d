#include "provider/replay/internal/canonical.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "base/sha256.h"

namespace clever::provider::internal {
namespace {

using model::Image;
using model::Reasoning;
using model::Text;
using model::ToolCall;
using model::ToolResult;
using nlohmann::json;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

// Leaves room for the enclosing values.
constexpr int kMostDepth = 100;

// Parses JSON with sorted keys, so that its spelling makes no difference; other text becomes a
// string.
json parsed_or_text(const std::string& text) {
  json value = parse_json(text, kMostDepth);
  return value.is_discarded() ? json(text) : value;
}

json image_json(const Image& image) {
  return {{"image", image.media_type},
          {"sha256", base::sha256(image.bytes).to_hex()},
          {"bytes", image.bytes.size()}};
}

// Numbers tool calls in order of appearance: their ids differ from run to run.
class Numbering {
 public:
  std::string of(const std::string& id) {
    const auto [place, added] = numbers_.emplace(id, numbers_.size() + 1);
    return "call_" + std::to_string(place->second);
  }

 private:
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

json content_json(const ToolResult& result) {
  json content = json::array();
  for (const auto& part : result.content) {
    content.push_back(
        std::visit(Overloaded{[](const Text& text) { return json{{"text", text.text}}; },
                              [](const Image& image) { return image_json(image); }},
                   part));
  }
  return content;
}

json part_json(const model::Part& part, Numbering& numbering) {
  return std::visit(
      Overloaded{[](const Text& text) { return json{{"text", text.text}}; },
                 [](const Image& image) { return image_json(image); },
                 [](const Reasoning& reasoning) { return json{{"reasoning", reasoning.text}}; },
                 [&](const ToolCall& call) {
                   return json{{"call", numbering.of(call.id)},
                               {"name", call.name},
                               {"arguments", parsed_or_text(call.arguments)}};
                 },
                 [&](const ToolResult& result) {
                   return json{{"result_of", numbering.of(result.call)},
                               {"content", content_json(result)},
                               {"failed", result.failed}};
                 }},
      part);
}

json messages_json(const Conversation& messages, std::size_t found_parts) {
  Numbering numbering;
  json list = json::array();
  for (const model::Message& message : messages) {
    json parts = json::array();
    const std::size_t left_out = list.empty() ? std::min(found_parts, message.parts.size()) : 0;
    for (const model::Part& part : std::span(message.parts).subspan(left_out)) {
      parts.push_back(part_json(part, numbering));
    }
    list.push_back({{"role", to_string(message.role)}, {"parts", std::move(parts)}});
  }
  return list;
}

json tools_json(const std::vector<ToolSpec>& tools) {
  json list = json::array();
  for (const ToolSpec& tool : tools) {
    list.push_back({{"name", tool.name},
                    {"description", tool.description},
                    {"parameters", parsed_or_text(tool.parameters)}});
  }
  return list;
}

std::string_view name_of(ToolChoice choice) {
  static constexpr std::array<std::string_view, 3> kNames{"auto", "none", "required"};
  return kNames[static_cast<std::size_t>(choice)];
}

json answer_part_json(const model::Part& part) {
  return std::visit(Overloaded{[](const Text& text) { return json{{"text", text.text}}; },
                               [](const Reasoning& reasoning) {
                                 return json{{"reasoning", reasoning.text},
                                             {"opaque", reasoning.opaque},
                                             {"wire", reasoning.wire}};
                               },
                               [](const ToolCall& call) {
                                 return json{{"call", call.id},
                                             {"name", call.name},
                                             {"arguments", call.arguments},
                                             {"opaque", call.opaque}};
                               },
                               // A model's answer holds no images.
                               [](const Image& image) { return image_json(image); },
                               [](const ToolResult&) { return json(); }},
                    part);
}

json usage_json(const Usage& usage) {
  return {{"input", usage.input},           {"output", usage.output},
          {"cache_read", usage.cache_read}, {"cache_write", usage.cache_write},
          {"reasoning", usage.reasoning},   {"known", usage.known}};
}

}  // namespace

json parse_json(std::string_view text, int most_depth) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (in_string && byte == '\\') {
      ++i;
    } else if (byte == '"') {
      in_string = !in_string;
    } else if (!in_string && (byte == '{' || byte == '[')) {
      if (++depth > most_depth) return json::value_t::discarded;
    } else if (!in_string && (byte == '}' || byte == ']')) {
      --depth;
    }
  }
  return json::parse(text, nullptr, /*allow_exceptions=*/false);
}

json request_json(std::string_view provider, const std::string& model,
                  const ModelRequest& request) {
  json value{{"model", std::string(provider) + "/" + model},
             {"system", request.system},
             {"messages", messages_json(request.messages, request.found_parts)},
             {"tools", tools_json(request.tools)},
             {"tool_choice", name_of(request.tool_choice)},
             {"max_output_tokens", request.max_output_tokens},
             {"stop", request.stop},
             {"reasoning_effort", request.reasoning_effort}};
  if (request.temperature) value["temperature"] = *request.temperature;
  if (!request.answer_schema.empty()) {
    value["answer_schema"] = parsed_or_text(request.answer_schema);
  }
  return value;
}

json answer_json(const ModelAnswer& answer) {
  json parts = json::array();
  for (const model::Part& part : answer.message.parts) {
    json written = answer_part_json(part);
    if (!written.is_null()) parts.push_back(std::move(written));
  }
  return {{"parts", std::move(parts)},
          {"stop", to_string(answer.stop)},
          {"stop_detail", answer.stop_detail},
          {"refusal", answer.refusal},
          {"usage", usage_json(answer.usage)},
          {"model", answer.model},
          {"id", answer.id}};
}

json failure_json(const Failure& failure) {
  json value{{"kind", to_string(failure.kind)},
             {"message", failure.message},
             {"status", failure.status},
             {"request_id", failure.request_id}};
  if (failure.retry_after) value["retry_after_ms"] = failure.retry_after->count();
  return value;
}

void redact_json(json& value, const base::Redactor& redactor) {
  if (value.is_string()) {
    value = redactor.redact(value.get_ref<const std::string&>());
  } else if (value.is_array()) {
    for (json& item : value) redact_json(item, redactor);
  } else if (value.is_object()) {
    for (auto& [key, item] : value.items()) {
      if (key == "opaque") continue;
      if (item.is_string() && base::names_secret(key)) {
        item = base::kRedacted;
      } else {
        redact_json(item, redactor);
      }
    }
  }
}

void withhold_json(json& answer, const base::Secrets& secrets) {
  if (answer.is_string()) {
    answer = secrets.withhold(answer.get_ref<const std::string&>());
    return;
  }
  for (auto& [key, item] : answer.items()) {
    if (key == "opaque") continue;
    const bool is_call = key == "arguments" && item.is_string();
    if (is_call && secrets.found_in(item.get_ref<const std::string&>())) {
      item = json(base::kWithheld).dump();
    } else if (item.is_string() || item.is_structured()) {
      withhold_json(item, secrets);
    }
  }
}

std::string to_line_text(const json& value) {
  return value.dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

}  // namespace clever::provider::internal

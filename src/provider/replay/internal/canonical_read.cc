#include <algorithm>
#include <array>
#include <limits>

#include "provider/replay/internal/canonical.h"

namespace clever::provider::internal {
namespace {

using nlohmann::json;

base::Error wrong_stored(std::string_view key, std::string_view wanted) {
  return base::invalid_argument("\"" + std::string(key) + "\" must be " + std::string(wanted));
}

base::Result<const json*> find_stored(const json& value, const std::string& key) {
  const auto found = value.is_object() ? value.find(key) : value.end();
  if (found == value.end()) return base::invalid_argument("the key \"" + key + "\" is missing");
  return &*found;
}

base::Result<std::string> stored_text(const json& value, const std::string& key) {
  CLEVER_ASSIGN(const json* found, find_stored(value, key));
  if (!found->is_string()) return wrong_stored(key, "a text");
  return found->get<std::string>();
}

base::Result<std::int64_t> stored_integer(const json& value, const std::string& key) {
  CLEVER_ASSIGN(const json* found, find_stored(value, key));
  if (!found->is_number_integer()) return wrong_stored(key, "a whole number");
  return found->get<std::int64_t>();
}

base::Result<std::string> text_or_empty(const json& value, const std::string& key) {
  if (!value.contains(key)) return std::string();
  return stored_text(value, key);
}

base::Result<model::Part> read_part(const json& value) {
  if (!value.is_object()) return wrong_stored("parts", "a list of objects");
  if (value.contains("text")) {
    CLEVER_ASSIGN(std::string written, stored_text(value, "text"));
    return model::Part(model::Text{std::move(written)});
  }
  CLEVER_ASSIGN(std::string opaque, text_or_empty(value, "opaque"));
  if (value.contains("reasoning")) {
    CLEVER_ASSIGN(std::string written, stored_text(value, "reasoning"));
    CLEVER_ASSIGN(std::string wire, text_or_empty(value, "wire"));
    return model::Part(model::Reasoning{std::move(written), std::move(opaque), std::move(wire)});
  }
  if (!value.contains("call"))
    return wrong_stored("parts", "of objects with text, reasoning or call");
  model::ToolCall call{.opaque = std::move(opaque)};
  CLEVER_ASSIGN(call.id, stored_text(value, "call"));
  CLEVER_ASSIGN(call.name, stored_text(value, "name"));
  CLEVER_ASSIGN(call.arguments, stored_text(value, "arguments"));
  return model::Part(std::move(call));
}

base::Result<StopReason> read_stored_stop(const json& value) {
  static constexpr std::array kReasons{StopReason::kEnd, StopReason::kToolCalls,
                                       StopReason::kLength, StopReason::kRefusal,
                                       StopReason::kOther};
  CLEVER_ASSIGN(const std::string name, stored_text(value, "stop"));
  const auto found = std::ranges::find(kReasons, name, [](StopReason r) { return to_string(r); });
  if (found == kReasons.end()) {
    return wrong_stored("stop",
                        "one of end, tool_calls, length, refusal, other, not \"" + name + "\"");
  }
  return *found;
}

base::Result<Usage> read_stored_usage(const json& value) {
  CLEVER_ASSIGN(const json* found, find_stored(value, "usage"));
  Usage usage;
  CLEVER_ASSIGN(usage.input, stored_integer(*found, "input"));
  CLEVER_ASSIGN(usage.output, stored_integer(*found, "output"));
  CLEVER_ASSIGN(usage.cache_read, stored_integer(*found, "cache_read"));
  CLEVER_ASSIGN(usage.cache_write, stored_integer(*found, "cache_write"));
  CLEVER_ASSIGN(usage.reasoning, stored_integer(*found, "reasoning"));
  CLEVER_ASSIGN(const json* known, find_stored(*found, "known"));
  if (!known->is_boolean()) return wrong_stored("known", "true or false");
  usage.known = known->get<bool>();
  return usage;
}

base::Result<FailureKind> read_failure_kind(const json& value) {
  CLEVER_ASSIGN(const std::string name, stored_text(value, "kind"));
  for (int kind = 0; kind <= static_cast<int>(FailureKind::kScript); ++kind) {
    if (to_string(static_cast<FailureKind>(kind)) == name) return static_cast<FailureKind>(kind);
  }
  return wrong_stored("kind",
                      "the name of a kind of failure such as bad_key, not \"" + name + "\"");
}

}  // namespace

base::Result<ModelAnswer> answer_from_json(const json& value) {
  ModelAnswer answer;
  CLEVER_ASSIGN(const json* parts, find_stored(value, "parts"));
  if (!parts->is_array()) return wrong_stored("parts", "a list");
  for (const json& part : *parts) {
    CLEVER_ASSIGN(model::Part read, read_part(part));
    answer.message.parts.push_back(std::move(read));
  }
  CLEVER_ASSIGN(answer.stop, read_stored_stop(value));
  CLEVER_ASSIGN(answer.stop_detail, text_or_empty(value, "stop_detail"));
  CLEVER_ASSIGN(answer.refusal, text_or_empty(value, "refusal"));
  CLEVER_ASSIGN(answer.usage, read_stored_usage(value));
  CLEVER_ASSIGN(answer.model, text_or_empty(value, "model"));
  CLEVER_ASSIGN(answer.id, text_or_empty(value, "id"));
  return answer;
}

base::Result<Failure> failure_from_json(const json& value) {
  Failure failure;
  CLEVER_ASSIGN(failure.kind, read_failure_kind(value));
  CLEVER_ASSIGN(failure.message, stored_text(value, "message"));
  CLEVER_ASSIGN(const std::int64_t status, stored_integer(value, "status"));
  if (status < 0 || status > 999) return wrong_stored("status", "an HTTP status, or 0");
  failure.status = static_cast<int>(status);
  CLEVER_ASSIGN(failure.request_id, text_or_empty(value, "request_id"));
  if (value.contains("retry_after_ms")) {
    CLEVER_ASSIGN(const std::int64_t wait, stored_integer(value, "retry_after_ms"));
    failure.retry_after = std::chrono::milliseconds(wait);
  }
  return failure;
}

}  // namespace clever::provider::internal

#include <array>

#include "provider/scripted/internal/script_reader.h"
#include "provider/scripted/internal/script_values.h"
#include "provider/scripted/script_error.h"

namespace clever::provider::internal {
namespace {

base::Error wrong_kind(const YamlField& field) {
  std::string names;
  for (const FailureKind kind : scriptable_kinds()) names += ", " + std::string(to_string(kind));
  return field.wrong("an HTTP status from 400 to 599 or one of" + names.substr(1));
}

base::Result<void> read_error_kind(const YamlField& field, ScriptedError& error) {
  if (!field.value.is(YamlKind::kScalar)) return wrong_kind(field);
  const auto kind = scriptable_kind(field.value.text);
  if (!kind) return wrong_kind(field);
  error.kind = *kind;
  return {};
}

base::Result<void> read_status(const YamlField& field, ScriptedError& error) {
  CLEVER_ASSIGN(const std::int64_t status, read_integer(field, 400, 599));
  error.status = static_cast<int>(status);
  return {};
}

base::Result<ScriptedError> read_short_error(const YamlField& field) {
  ScriptedError error;
  if (read_error_kind(field, error).ok()) return error;
  if (!read_status(field, error).ok()) return wrong_kind(field);
  error.kind = kind_of_status(error.status);
  return error;
}

base::Result<void> read_member(const YamlField& field, const YamlValue& key, ScriptedError& error) {
  static constexpr std::array<std::string_view, 5> kKeys{"kind", "status", "retry_after", "message",
                                                         "body"};
  if (key.text == "kind") return read_error_kind(field, error);
  if (key.text == "status") return read_status(field, error);
  if (key.text == "retry_after") {
    CLEVER_ASSIGN(error.retry_after, read_duration(field));
  } else if (key.text == "message") {
    CLEVER_ASSIGN(error.message, read_text(field));
  } else if (key.text == "body") {
    CLEVER_ASSIGN(error.body, read_text(field));
  } else {
    return unknown_key(field.file, key, kKeys);
  }
  return {};
}

}  // namespace

base::Result<ScriptedError> read_error(const std::string& file, const YamlValue& node) {
  const YamlField field{file, "error", node};
  if (!node.is(YamlKind::kMapping)) return read_short_error(field);
  ScriptedError error;
  bool has_kind = false;
  for (const auto& [key, value] : node.members) {
    CLEVER_TRY(read_member({file, key.text, value}, key, error));
    has_kind = has_kind || key.text == "kind";
  }
  if (!has_kind && error.status == 0) {
    return field.error("needs a \"kind\" or a \"status\", such as {status: 429, retry_after: 2s}");
  }
  if (!has_kind) error.kind = kind_of_status(error.status);
  return error;
}

}  // namespace clever::provider::internal

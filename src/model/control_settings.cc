#include "model/control_settings.h"

#include <array>

#include "model/internal/control_json.h"
#include "model/internal/names.h"

namespace clever::model {
namespace {

constexpr std::array<std::string_view, 3> kVerdicts{"allow", "ask", "deny"};
constexpr std::array<std::string_view, 4> kScopes{"global", "project", "action", "plan"};

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
  return kVerdicts.at(static_cast<std::size_t>(verdict));
}

base::Result<Verdict> parse_verdict(std::string_view text) {
  return internal::parse_name<Verdict>(kVerdicts, text, "verdict");
}

std::string_view to_string(InvariantScope scope) noexcept {
  return kScopes.at(static_cast<std::size_t>(scope));
}

base::Result<InvariantScope> parse_invariant_scope(std::string_view text) {
  return internal::parse_name<InvariantScope>(kScopes, text, "scope of invariants");
}

namespace internal {
namespace {

using nlohmann::json;

template <class T, class Write>
void put_list(json& object, const char* key, const std::vector<T>& values, Write write) {
  if (values.empty()) return;
  object[key] = json::array();
  for (const T& one : values) object[key].push_back(write(one));
}

json written(const Validation& one) {
  json object{{"name", storable(one.name)},
              {"required", one.required},
              {"timeout_ms", one.timeout.count()}};
  put_texts(object, "argv", one.argv);
  put_text(object, "tool", one.tool);
  put_text(object, "arguments", one.arguments);
  put_text(object, "origin", one.origin);
  put_texts(object, "untrusted", one.untrusted);
  return object;
}

json written(const Permission& one) {
  json object{{"verdict", to_string(one.verdict)}, {"pattern", storable(one.pattern)}};
  put_text(object, "origin", one.origin);
  return object;
}

json written(const Hook& one) {
  json object{{"name", storable(one.name)},
              {"event", storable(one.event)},
              {"timeout_ms", one.timeout.count()}};
  put_text(object, "match", one.match);
  put_texts(object, "argv", one.argv);
  return object;
}

json written(const Invariant& one) {
  json object{{"text", storable(one.text)}, {"scope", to_string(one.scope)}};
  put_text(object, "name", one.name);
  if (one.non_overridable) object["non_overridable"] = true;
  return object;
}

json written(const Automation& one) {
  return {{"strategy", one.strategy}, {"decision", one.decision},   {"write", one.write},
          {"deletion", one.deletion}, {"reversion", one.reversion}, {"apply", one.apply}};
}

json written(const Guards& one) {
  json object = json::object();
  put_texts(object, "denied_tools", one.denied_tools);
  put_texts(object, "allowed_tools", one.allowed_tools);
  if (one.calls_per_step != 0) object["calls_per_step"] = one.calls_per_step;
  return object;
}

base::Result<std::chrono::milliseconds> timeout_of(const JsonObject& object,
                                                   std::chrono::milliseconds fallback) {
  CLEVER_ASSIGN(const std::int64_t ms, object.integer_or("timeout_ms", fallback.count()));
  if (ms < 1) return object.wrong("timeout_ms", "a number from 1");
  return std::chrono::milliseconds(ms);
}

base::Result<Validation> validation_of(const JsonObject& object) {
  Validation read;
  CLEVER_ASSIGN(read.name, object.text("name"));
  CLEVER_ASSIGN(read.argv, object.texts("argv"));
  CLEVER_ASSIGN(read.tool, object.text_or("tool", ""));
  CLEVER_ASSIGN(read.arguments, object.text_or("arguments", ""));
  CLEVER_ASSIGN(read.required, object.flag_or("required", true));
  CLEVER_ASSIGN(read.timeout, timeout_of(object, read.timeout));
  CLEVER_ASSIGN(read.origin, object.text_or("origin", ""));
  CLEVER_ASSIGN(read.untrusted, object.texts("untrusted"));
  return read;
}

base::Result<Permission> permission_of(const JsonObject& object) {
  Permission read;
  CLEVER_ASSIGN(const std::string verdict, object.text("verdict"));
  CLEVER_ASSIGN(read.verdict, object.read("verdict", parse_verdict(verdict)));
  CLEVER_ASSIGN(read.pattern, object.text("pattern"));
  CLEVER_ASSIGN(read.origin, object.text_or("origin", ""));
  return read;
}

base::Result<Hook> hook_of(const JsonObject& object) {
  Hook read;
  CLEVER_ASSIGN(read.name, object.text("name"));
  CLEVER_ASSIGN(read.event, object.text("event"));
  CLEVER_ASSIGN(read.match, object.text_or("match", ""));
  CLEVER_ASSIGN(read.argv, object.texts("argv"));
  CLEVER_ASSIGN(read.timeout, timeout_of(object, read.timeout));
  return read;
}

base::Result<Invariant> invariant_of(const JsonObject& object) {
  Invariant read;
  CLEVER_ASSIGN(read.name, object.text_or("name", ""));
  CLEVER_ASSIGN(read.text, object.text("text"));
  CLEVER_ASSIGN(const std::string scope, object.text_or("scope", "plan"));
  CLEVER_ASSIGN(read.scope, object.read("scope", parse_invariant_scope(scope)));
  CLEVER_ASSIGN(read.non_overridable, object.flag_or("non_overridable", false));
  return read;
}

base::Result<void> threshold(const JsonObject& object, const char* key, double& into) {
  CLEVER_ASSIGN(const std::optional<double> read, object.real(key));
  if (!read) return {};
  if (!(*read >= 0 && *read <= 1)) return object.wrong(key, "a number from 0 to 1");
  into = *read;
  return {};
}

base::Result<Automation> automation_of(const JsonObject& outer) {
  Automation read;
  CLEVER_ASSIGN(const auto object, outer.object("automation"));
  if (!object) return read;
  CLEVER_TRY(threshold(*object, "strategy", read.strategy));
  CLEVER_TRY(threshold(*object, "decision", read.decision));
  CLEVER_TRY(threshold(*object, "write", read.write));
  CLEVER_TRY(threshold(*object, "deletion", read.deletion));
  CLEVER_TRY(threshold(*object, "reversion", read.reversion));
  CLEVER_TRY(threshold(*object, "apply", read.apply));
  return read;
}

base::Result<Guards> guards_of(const JsonObject& outer) {
  Guards read;
  CLEVER_ASSIGN(const auto object, outer.object("guards"));
  if (!object) return read;
  CLEVER_ASSIGN(read.denied_tools, object->texts("denied_tools"));
  CLEVER_ASSIGN(read.allowed_tools, object->texts("allowed_tools"));
  CLEVER_ASSIGN(read.calls_per_step, object->integer_or("calls_per_step", 0));
  if (read.calls_per_step < 0) return object->wrong("calls_per_step", "a number from 0");
  return read;
}

template <class T>
base::Result<void> read_list(const JsonObject& object, std::string_view key, std::vector<T>& into,
                             base::Result<T> (*read)(const JsonObject&)) {
  CLEVER_ASSIGN(const auto written, object.objects(key));
  for (const JsonObject& one : written) {
    CLEVER_ASSIGN(T value, read(one));
    into.push_back(std::move(value));
  }
  return {};
}

}  // namespace

json to_json(const Control& control) {
  json object{{"fixes", control.fixes}, {"automation", written(control.automation)}};
  put_list(object, "validations", control.validations,
           [](const auto& one) { return written(one); });
  put_list(object, "permissions", control.permissions,
           [](const auto& one) { return written(one); });
  put_list(object, "hooks", control.hooks, [](const auto& one) { return written(one); });
  put_list(object, "invariants", control.invariants, [](const auto& one) { return written(one); });
  if (control.guards != Guards()) object["guards"] = written(control.guards);
  if (control.answer_within.count() != 0) {
    object["answer_within_ms"] = control.answer_within.count();
  }
  return object;
}

base::Result<Control> control_of(const JsonObject& object) {
  Control read;
  CLEVER_ASSIGN(read.fixes, object.integer_or("fixes", read.fixes));
  if (read.fixes < 0) return object.wrong("fixes", "a number from 0");
  CLEVER_TRY(read_list(object, "validations", read.validations, validation_of));
  CLEVER_TRY(read_list(object, "permissions", read.permissions, permission_of));
  CLEVER_TRY(read_list(object, "hooks", read.hooks, hook_of));
  CLEVER_TRY(read_list(object, "invariants", read.invariants, invariant_of));
  CLEVER_ASSIGN(read.automation, automation_of(object));
  CLEVER_ASSIGN(read.guards, guards_of(object));
  CLEVER_ASSIGN(const std::int64_t within, object.integer_or("answer_within_ms", 0));
  if (within < 0) return object.wrong("answer_within_ms", "a number from 0");
  read.answer_within = std::chrono::milliseconds(within);
  return read;
}

}  // namespace internal
}  // namespace clever::model

#include "model/plan_settings.h"

#include "model/internal/control_json.h"
#include "model/internal/plan_settings_json.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

json subplans_json(const SubplanSettings& subplans) {
  return {{"max_parallel", subplans.max_parallel},     {"fail_fast", subplans.fail_fast},
          {"retry_failed", subplans.retry_failed},     {"max_retries", subplans.max_retries},
          {"merge_strategy", subplans.merge_strategy}, {"strategize", subplans.strategize}};
}

json limits_json(const WorkLimits& limits) {
  return {{"turns_per_step", limits.turns_per_step}, {"calls_per_turn", limits.calls_per_turn},
          {"same_calls", limits.same_calls},         {"answer_bytes", limits.answer_bytes},
          {"overhead_bytes", limits.overhead_bytes}, {"transcript_bytes", limits.transcript_bytes}};
}

base::Result<std::int64_t> at_least(const JsonObject& object, std::string_view key,
                                    std::int64_t fallback, std::int64_t least) {
  CLEVER_ASSIGN(const std::int64_t number, object.integer_or(key, fallback));
  if (number < least || number > kLargestAmount) {
    return object.wrong(key, "a whole number from " + std::to_string(least) + " to " +
                                 std::to_string(kLargestAmount));
  }
  return number;
}

base::Result<SubplanSettings> subplans_of(const JsonObject& outer) {
  SubplanSettings read;
  CLEVER_ASSIGN(const auto object, outer.object("subplans"));
  if (!object) return read;
  CLEVER_ASSIGN(read.max_parallel, at_least(*object, "max_parallel", read.max_parallel, 1));
  CLEVER_ASSIGN(read.fail_fast, object->flag_or("fail_fast", read.fail_fast));
  CLEVER_ASSIGN(read.retry_failed, object->flag_or("retry_failed", read.retry_failed));
  CLEVER_ASSIGN(read.max_retries, at_least(*object, "max_retries", read.max_retries, 0));
  CLEVER_ASSIGN(read.merge_strategy, object->text_or("merge_strategy", read.merge_strategy));
  CLEVER_ASSIGN(read.strategize, object->flag_or("strategize", read.strategize));
  return read;
}

base::Result<WorkLimits> limits_of(const JsonObject& outer) {
  WorkLimits read;
  CLEVER_ASSIGN(const auto object, outer.object("limits"));
  if (!object) return read;
  CLEVER_ASSIGN(read.turns_per_step, at_least(*object, "turns_per_step", read.turns_per_step, 1));
  CLEVER_ASSIGN(read.calls_per_turn, at_least(*object, "calls_per_turn", read.calls_per_turn, 1));
  CLEVER_ASSIGN(read.same_calls, at_least(*object, "same_calls", read.same_calls, 2));
  CLEVER_ASSIGN(read.answer_bytes, at_least(*object, "answer_bytes", read.answer_bytes, 1));
  CLEVER_ASSIGN(read.overhead_bytes, at_least(*object, "overhead_bytes", read.overhead_bytes, 0));
  CLEVER_ASSIGN(read.transcript_bytes,
                at_least(*object, "transcript_bytes", read.transcript_bytes, 1));
  return read;
}

}  // namespace

namespace internal {

json to_json(const ModelTerms& terms) {
  return {{"model", storable(terms.model)},
          {"input_per_million", terms.input_per_million},
          {"output_per_million", terms.output_per_million},
          {"context_window", terms.context_window},
          {"max_output", terms.max_output}};
}

base::Result<std::optional<ModelTerms>> terms_of(const JsonObject& outer, std::string_view key) {
  CLEVER_ASSIGN(const auto object, outer.object(key));
  if (!object) return std::optional<ModelTerms>();
  ModelTerms read;
  CLEVER_ASSIGN(read.model, object->text_or("model", ""));
  CLEVER_ASSIGN(read.input_per_million, at_least(*object, "input_per_million", 0, 0));
  CLEVER_ASSIGN(read.output_per_million, at_least(*object, "output_per_million", 0, 0));
  CLEVER_ASSIGN(read.context_window, at_least(*object, "context_window", read.context_window, 1));
  CLEVER_ASSIGN(read.max_output, at_least(*object, "max_output", read.max_output, 1));
  return std::optional(std::move(read));
}

json to_json(const PlanSettings& settings) {
  json object{{"actor", storable(settings.actor)},
              {"uses_model", settings.uses_model},
              {"profile", storable(settings.profile)},
              {"direct", settings.direct},
              {"apply_when_ready", settings.apply_when_ready},
              {"subplans", subplans_json(settings.subplans)},
              {"limits", limits_json(settings.limits)},
              {"terms", to_json(settings.terms)},
              {"depth", settings.depth}};
  for (const auto& [name, value] : settings.arguments) {
    object["arguments"][storable(name)] = storable(value);
  }
  if (settings.uses_agent) object["uses_agent"] = true;
  if (settings.read_only) object["read_only"] = true;
  if (settings.control != Control()) object["control"] = to_json(settings.control);
  put_text(object, "strategy_actor", settings.strategy_actor);
  if (!settings.strategy_uses_model) object["strategy_uses_model"] = false;
  if (settings.strategy_uses_agent) object["strategy_uses_agent"] = true;
  if (settings.strategy_terms != ModelTerms()) {
    object["strategy_terms"] = to_json(settings.strategy_terms);
  }
  put_text(object, "definition_of_done", settings.definition_of_done);
  put_text(object, "from", settings.from);
  if (settings.from_plan) object["from_plan"] = settings.from_plan.to_string();
  if (settings.seal_at_start) object["seal_at_start"] = true;
  put_text(object, "session", settings.session);
  for (const PlanId& plan : settings.ancestors) object["ancestors"].push_back(plan.to_string());
  if (settings.spawned_by) object["spawned_by"] = settings.spawned_by.to_string();
  put_text(object, "base_tree", settings.base_tree);
  put_bytes(object, "paths", settings.paths);
  return object;
}

namespace {

base::Result<void> read_work(const JsonObject& object, PlanSettings& read) {
  CLEVER_ASSIGN(read.actor, object.text_or("actor", read.actor));
  CLEVER_ASSIGN(read.uses_model, object.flag_or("uses_model", read.uses_model));
  CLEVER_ASSIGN(read.uses_agent, object.flag_or("uses_agent", false));
  CLEVER_ASSIGN(read.arguments, object.dictionary("arguments"));
  CLEVER_ASSIGN(read.definition_of_done, object.text_or("definition_of_done", ""));
  CLEVER_ASSIGN(read.profile, object.text_or("profile", read.profile));
  CLEVER_ASSIGN(read.direct, object.flag_or("direct", read.direct));
  CLEVER_ASSIGN(read.read_only, object.flag_or("read_only", read.read_only));
  CLEVER_ASSIGN(read.from, object.text_or("from", ""));
  CLEVER_ASSIGN(read.from_plan, object.id_or_none<PlanId>("from_plan"));
  CLEVER_ASSIGN(read.seal_at_start, object.flag_or("seal_at_start", false));
  CLEVER_ASSIGN(read.apply_when_ready, object.flag_or("apply_when_ready", false));
  CLEVER_ASSIGN(read.session, object.text_or("session", ""));
  CLEVER_ASSIGN(read.strategy_actor, object.text_or("strategy_actor", ""));
  CLEVER_ASSIGN(read.strategy_uses_model, object.flag_or("strategy_uses_model", true));
  CLEVER_ASSIGN(read.strategy_uses_agent, object.flag_or("strategy_uses_agent", false));
  CLEVER_ASSIGN(auto strategy_terms, terms_of(object, "strategy_terms"));
  if (strategy_terms) read.strategy_terms = std::move(*strategy_terms);
  CLEVER_ASSIGN(const auto control, object.object("control"));
  if (control) {
    CLEVER_ASSIGN(read.control, control_of(*control));
  }
  return {};
}

base::Result<void> read_family(const JsonObject& object, PlanSettings& read) {
  CLEVER_ASSIGN(read.depth, at_least(object, "depth", 0, 0));
  CLEVER_ASSIGN(read.ancestors, object.ids<PlanId>("ancestors"));
  CLEVER_ASSIGN(read.spawned_by, object.id_or_none<EffectId>("spawned_by"));
  CLEVER_ASSIGN(read.base_tree, object.text_or("base_tree", ""));
  CLEVER_ASSIGN(read.paths, object.byte_strings("paths"));
  return {};
}

}  // namespace

base::Result<PlanSettings> settings_of(const JsonObject& object) {
  PlanSettings read;
  CLEVER_TRY(read_work(object, read));
  CLEVER_ASSIGN(read.subplans, subplans_of(object));
  CLEVER_ASSIGN(read.limits, limits_of(object));
  CLEVER_ASSIGN(std::optional<ModelTerms> terms, terms_of(object, "terms"));
  if (terms) read.terms = std::move(*terms);
  CLEVER_TRY(read_family(object, read));
  return read;
}

}  // namespace internal

std::string PlanSettings::to_json() const { return internal::to_text(internal::to_json(*this)); }

base::Result<PlanSettings> PlanSettings::parse(std::string_view text) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(text, "settings"));
  return internal::settings_of(object);
}

}  // namespace clever::model

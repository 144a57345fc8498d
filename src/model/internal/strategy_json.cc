#include "model/internal/strategy_json.h"

namespace clever::model::internal {

using nlohmann::json;

json to_json(const StrategyStep& step) {
  json object{
      {"id", storable(step.id)}, {"title", storable(step.title)}, {"mode", to_string(step.mode)}};
  put_text(object, "detail", step.detail);
  if (step.depends_on) object["depends_on"] = json::array();
  if (step.depends_on) put_texts(object, "depends_on", *step.depends_on);
  put_bytes(object, "paths", step.paths);
  put_text(object, "actor", step.actor);
  for (const auto& [name, value] : step.arguments) {
    object["arguments"][storable(name)] = storable(value);
  }
  put_text(object, "when", step.when);
  return object;
}

json to_json(const Strategy& strategy) {
  json object{{"summary", storable(strategy.summary)}, {"steps", json::array()}};
  put_text(object, "rationale", strategy.rationale);
  if (strategy.confidence) object["confidence"] = *strategy.confidence;
  put_texts(object, "alternatives", strategy.alternatives);
  for (const StrategyStep& step : strategy.steps) object["steps"].push_back(to_json(step));
  return object;
}

namespace {

base::Result<StepMode> mode_of(const JsonObject& object) {
  CLEVER_ASSIGN(const std::string mode, object.text_or("mode", "inline"));
  if (mode == "inline") return StepMode::kInline;
  if (mode == "subplan") return StepMode::kSubplan;
  return object.wrong("mode", "\"inline\" or \"subplan\" (it is \"" + mode + "\")");
}

base::Result<std::optional<double>> confidence_of(const JsonObject& object) {
  CLEVER_ASSIGN(const auto confidence, object.real("confidence"));
  // Written so that NaN, for which every comparison is false, is refused too.
  if (confidence && !(*confidence >= 0 && *confidence <= 1)) {
    return object.wrong("confidence", "a number between 0 and 1");
  }
  return confidence;
}

}  // namespace

base::Result<StrategyStep> step_of(const JsonObject& object) {
  StrategyStep step;
  CLEVER_ASSIGN(step.id, object.text("id"));
  CLEVER_ASSIGN(step.title, object.text("title"));
  CLEVER_ASSIGN(step.detail, object.text_or("detail", ""));
  CLEVER_ASSIGN(step.mode, mode_of(object));
  if (object.has("depends_on")) {
    CLEVER_ASSIGN(step.depends_on, object.texts("depends_on"));
  }
  CLEVER_ASSIGN(step.paths, object.byte_strings("paths"));
  CLEVER_ASSIGN(step.actor, object.text_or("actor", ""));
  CLEVER_ASSIGN(step.arguments, object.dictionary("arguments"));
  CLEVER_ASSIGN(step.when, object.text_or("when", ""));
  return step;
}

base::Result<Strategy> strategy_of(const JsonObject& object) {
  Strategy strategy;
  CLEVER_ASSIGN(strategy.summary, object.text("summary"));
  CLEVER_ASSIGN(strategy.rationale, object.text_or("rationale", ""));
  CLEVER_ASSIGN(strategy.confidence, confidence_of(object));
  CLEVER_ASSIGN(strategy.alternatives, object.texts("alternatives"));
  CLEVER_ASSIGN(const std::vector<JsonObject> steps, object.objects("steps"));
  for (const JsonObject& written : steps) {
    CLEVER_ASSIGN(StrategyStep step, step_of(written));
    strategy.steps.push_back(std::move(step));
  }
  return strategy;
}

}  // namespace clever::model::internal

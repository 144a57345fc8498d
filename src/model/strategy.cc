#include "model/strategy.h"

#include "model/internal/strategy_json.h"

namespace clever::model {

std::string_view to_string(StepMode mode) noexcept {
  return mode == StepMode::kInline ? "inline" : "subplan";
}

base::Result<Strategy> Strategy::parse(std::string_view text) {
  CLEVER_ASSIGN(const auto object, internal::JsonObject::parse(text, "submit_strategy"));
  CLEVER_ASSIGN(Strategy strategy, internal::strategy_of(object));
  for (StrategyStep& step : strategy.steps) {
    step.actor.clear();
    step.arguments.clear();
    step.when.clear();
  }
  CLEVER_TRY(strategy.check());
  return strategy;
}

std::string Strategy::to_json() const { return internal::to_text(internal::to_json(*this)); }

namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

// An inline step without dependencies waits for all steps before it, so a later step only needs to
// name that step and those after it.
Strategy Strategy::normalised() const {
  Strategy result = *this;
  std::vector<std::string> inline_before;
  std::vector<std::string> subplans_before;
  for (StrategyStep& step : result.steps) {
    const bool is_inline = step.mode == StepMode::kInline;
    const bool is_implied = !step.depends_on.has_value();
    if (is_implied) {
      step.depends_on = inline_before;
      if (is_inline) append(*step.depends_on, subplans_before);
    }
    if (is_inline && is_implied) {
      inline_before.clear();
      subplans_before.clear();
    }
    (is_inline ? inline_before : subplans_before).push_back(step.id);
  }
  return result;
}

}  // namespace clever::model

#include "service/plan/decision_words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace clever::service {
namespace {

using model::StepState;

struct KindWords {
  std::string_view kind;
  std::string_view name;
  std::string_view glyph;
};
constexpr std::array kKinds{
    KindWords{"prompt_definition", "task", "● "},
    KindWords{"strategy_choice", "strategy", "◆ "},
    KindWords{"implementation_choice", "step", "▪ "},
    KindWords{"subplan_spawn", "subplan", "▪ "},
    KindWords{"subplan_parallel_spawn", "subplans", "▪ "},
    KindWords{"invariant_enforced", "invariant", "§ "},
    KindWords{"resource_selection", "resource", "▫ "},
    KindWords{"tool_invocation", "tool", "▹ "},
    KindWords{"validation_response", "validation", "◇ "},
    KindWords{"error_recovery", "recovery", "! "},
    KindWords{"reversion", "reversion", "↩ "},
    KindWords{"user_intervention", "person", "✎ "},
};

const KindWords* find_kind(std::string_view kind) {
  const auto* found = std::ranges::find(kKinds, kind, &KindWords::kind);
  return found == kKinds.end() ? nullptr : found;
}

std::string_view glyph_of_step(StepState state) {
  switch (state) {
    case StepState::kPending:
      return "○ ";
    case StepState::kRunning:
      return "◐ ";
    case StepState::kDone:
      return "✔ ";
    case StepState::kFailed:
      return "✘ ";
    case StepState::kSkipped:
      return "⊘ ";
  }
  return "▪ ";
}

}  // namespace

std::string_view name_of_kind(std::string_view kind) noexcept {
  const KindWords* known = find_kind(kind);
  return known == nullptr ? kind : known->name;
}

Span glyph_of(const storage::DecisionNode& node, const FamilyStep* step) {
  if (node.superseded != 0) return {"╳ ", Tone::kDim};
  if (step != nullptr) return {std::string(glyph_of_step(step->state)), tone_of_step(step->state)};
  const KindWords* known = find_kind(node.kind);
  return {std::string(known == nullptr ? "▪ " : known->glyph), Tone::kAccent};
}

std::string words_of(const storage::DecisionNode& node, const FamilyStep* step) {
  if (step != nullptr) return step->id + ": " + step->title;
  return node.chosen.empty() ? node.question : node.chosen;
}

std::string percent(double confidence) {
  return std::to_string(std::lround(std::clamp(confidence, 0.0, 1.0) * 100)) + " %";
}

Tone tone_of_confidence(double confidence) noexcept {
  if (confidence >= 0.8) return Tone::kGood;
  return confidence >= 0.5 ? Tone::kWarn : Tone::kBad;
}

Tone tone_of_step(StepState state) noexcept {
  switch (state) {
    case StepState::kPending:
    case StepState::kSkipped:
      return Tone::kDim;
    case StepState::kRunning:
      return Tone::kAccent;
    case StepState::kDone:
      return Tone::kGood;
    case StepState::kFailed:
      return Tone::kBad;
  }
  return Tone::kPlain;
}

}  // namespace clever::service

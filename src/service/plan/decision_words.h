#pragma once
// Decisions in the words and signs that people are shown. Pure functions. Private to the module.
#include <string>
#include <string_view>

#include "model/work_events.h"
#include "service/plan/family_tree.h"
#include "service/view.h"
#include "storage/decisions.h"

namespace clever::service {

/// "task", "strategy", "step", "subplan", "correction", …; a kind that is not known, as it is.
[[nodiscard]] std::string_view name_of_kind(std::string_view kind) noexcept;
/// A glyph for the decision's kind or its step's status, followed by a space.
[[nodiscard]] Span glyph_of(const storage::DecisionNode& node, const FamilyStep* step);
/// What was chosen, with the name of the step it is about.
[[nodiscard]] std::string words_of(const storage::DecisionNode& node, const FamilyStep* step);
/// "90 %"
[[nodiscard]] std::string percent(double confidence);
[[nodiscard]] Tone tone_of_confidence(double confidence) noexcept;
[[nodiscard]] Tone tone_of_step(model::StepState state) noexcept;

}  // namespace clever::service

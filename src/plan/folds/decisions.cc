#include <algorithm>

#include "model/decision_events.h"
#include "plan/internal/folds.h"

namespace clever::plan::folds {

base::Result<void> decision_recorded(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto recorded, read<model::DecisionRecorded>(state, event));
  if (recorded.kind == model::DecisionKind::kPromptDefinition) {
    if (state.root_decision) return cannot_follow(state, event, "the decisions have one root");
    state.root_decision = recorded.id;
    state.decision = recorded.id;
  }
  state.decisions.push_back({recorded.id, event.sequence, recorded.parent, recorded.kind});
  return {};
}

base::Result<void> decision_superseded(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto superseded, read<model::DecisionSuperseded>(state, event));
  std::vector<model::DecisionId> gone = superseded.ids;
  std::ranges::sort(gone);
  const auto is_gone = [&](const model::DecisionId& id) {
    return std::ranges::binary_search(gone, id);
  };
  std::erase_if(state.decisions, [&](const auto& one) { return is_gone(one.id); });
  state.superseded.insert(state.superseded.end(), superseded.ids.begin(), superseded.ids.end());
  if (is_gone(state.decision)) state.decision = state.root_decision;
  return {};
}

}  // namespace clever::plan::folds

#include "plan/internal/enforce.h"

#include <algorithm>

#include "model/decision_events.h"
#include "plan/reconciliation.h"

namespace clever::plan {

std::string broken_invariants(const State& state) {
  return reconcile(state.settings.control.invariants).conflict;
}

void enforce_invariants(Draft& draft) {
  const State& state = draft.state();
  const bool recorded = std::ranges::any_of(state.decisions, [](const HeldDecision& one) {
    return one.kind == model::DecisionKind::kInvariantEnforced;
  });
  if (recorded || state.settings.control.invariants.empty()) return;
  for (const model::Invariant& one : reconcile(state.settings.control.invariants).in_force) {
    const std::string scope(model::to_string(one.scope));
    draft.add(model::DecisionRecorded{
        .id = draft.make_id<model::DecisionId>(),
        .parent = draft.state().root_decision,
        .kind = model::DecisionKind::kInvariantEnforced,
        .question = one.name.empty() ? "What must hold?" : "What must hold (" + one.name + ")?",
        .chosen = one.text,
        .rationale =
            "a " + scope + " invariant" + (one.non_overridable ? " that nothing overrides" : "")});
  }
}

}  // namespace clever::plan

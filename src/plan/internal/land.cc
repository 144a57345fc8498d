#include "plan/internal/land.h"

#include "plan/advice.h"
#include "plan/internal/enforce.h"
#include "plan/internal/validate.h"

namespace clever::plan {

using model::Phase;
using model::PlanState;

void reopen(Draft& draft) { draft.move(Phase::kExecute, PlanState::kComplete); }

void start_apply(Draft& draft, const model::ApplyRequested& request) {
  draft.add(request);
  const std::string broken = broken_invariants(draft.state());
  if (!draft.state().conflicts.empty() || !broken.empty()) {
    draft.move(Phase::kApply, PlanState::kConstrained,
               broken.empty() ? open_conflicts(draft.state()) : broken);
    return;
  }
  if (draft.state().phase == Phase::kExecute) draft.move(Phase::kApply, PlanState::kQueued);
  draft.move(PlanState::kProcessing);
  validate_then(draft, EffectKind::kApply);
}

}  // namespace clever::plan

#include "plan/internal/go_on.h"

#include "plan/internal/changes.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/execute.h"
#include "plan/internal/strategize.h"
#include "plan/internal/talk.h"
#include "plan/internal/validate.h"

namespace clever::plan {
namespace {

using model::PlanState;
using model::StepState;

void try_failed_again(Draft& draft) {
  for (std::size_t i = 0; i < draft.state().steps.size(); ++i) {
    const Step& step = draft.state().steps[i];
    if (step.state != StepState::kFailed && step.state != StepState::kSkipped) continue;
    draft.add(model::StepMoved{.step = step.definition.id, .state = StepState::kPending});
  }
}

void strategize_on(Draft& draft) {
  const bool approved = draft.state().waiting == Waiting::kApproval;
  if (approved && !draft.state().steps.empty()) return begin_execute(draft);
  if (!draft.state().base) {
    draft.move(PlanState::kQueued);
    draft.request(EffectKind::kBase);
    return;
  }
  if (is_exhausted(draft.state())) draft.forget_conversation();
  draft.move(PlanState::kProcessing);
  think(draft);
}

void execute_on(Draft& draft) {
  const std::optional<OpenEffect> unknown = draft.state().unknown;
  if (is_exhausted(draft.state())) draft.forget_conversation();
  draft.move(PlanState::kProcessing);
  try_failed_again(draft);
  open_changeset(draft);
  if (unknown) draft.request(unknown->kind, unknown->data);
  advance(draft);
}

// Validates or seals first what is not yet validated or sealed.
void apply_on(Draft& draft) {
  const State& state = draft.state();
  const auto& digest = state.changeset.digest;
  // Without consent, passing validation completes the plan instead of applying it.
  const bool agreed = !digest || (state.apply && state.apply->digest == *digest);
  if (must_be_validated(state) && !agreed) {
    draft.move(model::Phase::kExecute, PlanState::kProcessing);
    open_changeset(draft);
    return validate_then(draft, EffectKind::kSeal);
  }
  const EffectKind then = digest ? EffectKind::kApply : EffectKind::kSeal;
  draft.move(PlanState::kProcessing);
  validate_then(draft, then);
}

}  // namespace

void go_on(Draft& draft) {
  switch (draft.state().phase) {
    case model::Phase::kAction:
      return;
    case model::Phase::kStrategize:
      return strategize_on(draft);
    case model::Phase::kExecute:
      return execute_on(draft);
    case model::Phase::kApply:
      return apply_on(draft);
  }
}

bool finish_cancel(Draft& draft) {
  if (!draft.state().cancel_requested) return false;
  const bool stopped =
      draft.state().effects.empty() && draft.state().state == PlanState::kCancelling;
  if (stopped) draft.move(PlanState::kCancelled, draft.state().reason);
  return true;
}

}  // namespace clever::plan

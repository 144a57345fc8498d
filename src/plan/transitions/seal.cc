#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"
#include "plan/internal/validate.h"

namespace clever::plan::transitions {
namespace {

base::Result<void> check_seal(const State& state) {
  CLEVER_TRY(check_not_ended(state));
  if (state.parent) {
    return refuse(state, "a subplan is not sealed",
                  "`agents plan status " + root_of(state).to_string() + "` shows its plan");
  }
  if (!state.waits_after_rollback()) {
    return refuse(state, "only a plan that was rolled back can be sealed as it is",
                  what_works(state));
  }
  if (state.tree == state.base->tree) {
    return refuse(state, "there is nothing to seal: it changed no file", what_works(state));
  }
  return {};
}

}  // namespace

base::Result<Decided> transition(const State& state, const Seal& /*command*/,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_seal(state));
  Draft draft(state, circumstances);
  draft.move(model::PlanState::kProcessing);
  open_changeset(draft);
  validate_then(draft, EffectKind::kSeal);
  return draft.finish();
}

}  // namespace clever::plan::transitions

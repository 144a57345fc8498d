#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"
#include "plan/internal/validate.h"

namespace clever::plan::transitions {
namespace {

using model::PlanState;

// The changeset was sealed once: the remerged changes get a new one.
void seal_anew(Draft& draft, const ApplyCame& came) {
  if (came.remerged_base) draft.add(*came.remerged_base);
  move_work(draft, came.remerged_tree, "remerge");
  open_changeset(draft);
  validate_then(draft, EffectKind::kSeal);
}

std::string why_not_applied(const State& state, const model::ApplyEnded& ended) {
  std::string reason = ended.reason.empty() ? "it could not be applied" : ended.reason;
  for (const std::string& one : ended.moved_on) reason += "; " + one;
  reason += "; nothing was changed: " + command_line(state, "resume") + " tries again";
  if (!state.settings.takes_words()) return reason;
  return reason + ", " + command_line(state, "prompt", " TEXT") + " continues the work";
}

}  // namespace

base::Result<Decided> transition(const State& state, const ApplyCame& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(open_effect(state, command.effect, {EffectKind::kApply}));
  Draft draft(state, circumstances);
  draft.settle(command.effect, command.outcome.applied ? "done" : "failed");
  model::ApplyEnded ended = command.outcome;
  ended.digest = state.apply->digest;
  draft.add(ended);
  if (ended.applied) {
    draft.move(PlanState::kApplied);
    return draft.finish();
  }
  if (finish_cancel(draft)) return draft.finish();
  if (command.remerged_tree.empty()) {
    draft.move(PlanState::kConstrained, why_not_applied(state, ended));
  } else {
    seal_anew(draft, command);
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions

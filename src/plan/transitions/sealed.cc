#include "model/change_events.h"
#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/go_on.h"
#include "plan/internal/land.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

using model::PlanState;

bool applies_by_itself(const State& state) {
  const std::string& profile = state.settings.profile;
  return state.is_ready_to_apply() &&
         (state.settings.apply_when_ready || profile == "full-auto" || profile == "ci");
}

void complete(Draft& draft) {
  draft.move(PlanState::kComplete);
  if (applies_by_itself(draft.state())) {
    start_apply(draft, {.digest = *draft.state().changeset.digest, .remerge = true});
  }
}

// Files had moved on, and what would land instead is sealed now.
void seal_remerged(Draft& draft) {
  model::ApplyRequested request = *draft.state().apply;
  const base::Sha256Digest digest = *draft.state().changeset.digest;
  if (is_nothing(digest)) {
    draft.move(PlanState::kConstrained, "all of it is there already: nothing is left to apply");
    return;
  }
  if (request.remerge && draft.state().conflicts.empty()) {
    request.digest = digest;
    draft.add(request);
    draft.request(EffectKind::kApply);
    return;
  }
  draft.move(PlanState::kConstrained,
             "files changed since, and were merged anew: look with " +
                 command_line(draft.state(), "diff") + ", then " +
                 command_line(draft.state(), "apply", " --digest " + digest.to_hex()));
}

}  // namespace

base::Result<Decided> transition(const State& state, const Sealed& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(open_effect(state, command.effect, {EffectKind::kSeal}));
  Draft draft(state, circumstances);
  draft.settle(command.effect, "done");
  if (finish_cancel(draft)) return draft.finish();
  record_changes(draft, command.missing);
  const CurrentChangeset changeset = draft.state().changeset;
  draft.add(model::ChangesetSealed{changeset.id, command.digest, changeset.entries});
  if (state.phase == model::Phase::kApply) {
    seal_remerged(draft);
  } else {
    complete(draft);
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions

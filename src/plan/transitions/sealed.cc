#include "model/automation.h"
#include "model/change_events.h"
#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/go_on.h"
#include "plan/internal/land.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"
#include "plan/internal/validate.h"

namespace clever::plan::transitions {
namespace {

using model::PlanState;

// A person chooses hunks, or rolled back: they decide when it lands.
bool was_chosen(const State& state) {
  if (state.checkpoints.empty()) return false;
  const std::string& why = state.checkpoints.back().why;
  return why == "review" || why == "rollback";
}

bool needs_no_word(const State& state) {
  return state.settings.apply_when_ready ||
         !model::asks(model::automation_of(state.settings).apply);
}

bool applies_by_itself(const State& state) {
  return state.is_ready_to_apply() && !was_chosen(state) && needs_no_word(state);
}

std::string held_reason(const State& state, const std::string& why) {
  return why + "; look with " + command_line(state, "diff") + ", then " +
         command_line(state, "apply", " --digest " + state.changeset.digest->to_hex());
}

// Holds the apply until a person confirms it.
void hold(Draft& draft, const std::string& why) {
  draft.add(model::ApplyRequested{.digest = *draft.state().changeset.digest, .remerge = true});
  draft.move(model::Phase::kApply, PlanState::kConstrained, held_reason(draft.state(), why));
}

void complete(Draft& draft, const std::string& held) {
  draft.move(PlanState::kComplete);
  if (must_be_validated(draft.state())) {
    draft.move(model::Phase::kApply, PlanState::kConstrained, validation_reason(draft.state()));
    return;
  }
  if (!applies_by_itself(draft.state())) return;
  if (!held.empty()) {
    hold(draft, held);
  } else {
    start_apply(draft, {.digest = *draft.state().changeset.digest, .remerge = true});
  }
}

// The project's files changed, and the new merge is sealed now.
void seal_remerged(Draft& draft, const std::string& held) {
  model::ApplyRequested request = *draft.state().apply;
  const base::Sha256Digest digest = *draft.state().changeset.digest;
  if (is_nothing(digest)) {
    draft.move(PlanState::kConstrained, "the project has all of these changes already");
    return;
  }
  if (must_be_validated(draft.state())) {
    draft.move(PlanState::kConstrained, validation_reason(draft.state()));
    return;
  }
  if (!held.empty() && needs_no_word(draft.state())) {
    draft.move(PlanState::kConstrained, held_reason(draft.state(), held));
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

void record_missing(Draft& draft, const std::vector<model::ChangeEntry>& missing) {
  if (missing.empty()) return;
  open_changeset(draft);
  draft.add(model::ChangesRecorded{draft.state().changeset.id, missing});
}

}  // namespace

base::Result<Decided> transition(const State& state, const Sealed& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(open_effect(state, command.effect, {EffectKind::kSeal}));
  Draft draft(state, circumstances);
  draft.settle(command.effect, "done");
  if (finish_cancel(draft)) return draft.finish();
  record_missing(draft, command.missing);
  const CurrentChangeset changeset = draft.state().changeset;
  draft.add(model::ChangesetSealed{changeset.id, command.digest, changeset.entries});
  if (state.phase == model::Phase::kApply) {
    seal_remerged(draft, command.held);
  } else {
    complete(draft, command.held);
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions

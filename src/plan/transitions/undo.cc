#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/land.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {

base::Result<Decided> transition(const State& state, const Undo& command,
                                 const Circumstances& circumstances) {
  if (state.state != model::PlanState::kApplied && !state.undone) {
    return refuse(state, "it was not applied", what_works(state));
  }
  Draft draft(state, circumstances);
  const bool runs = !state.effects.empty();
  if (!state.undone && !runs) draft.request(EffectKind::kUndo, undo_data(command.by));
  return draft.finish(state.undone ? "\"accepted\":true,\"undone\":true" : "\"accepted\":true");
}

base::Result<Decided> transition(const State& state, const UndoCame& command,
                                 const Circumstances& circumstances) {
  CLEVER_ASSIGN(const OpenEffect effect, open_effect(state, command.effect, {EffectKind::kUndo}));
  Draft draft(state, circumstances);
  draft.settle(command.effect, command.undone ? "done" : "failed");
  if (command.undone) {
    draft.add(model::ApplyUndone{state.applied->digest, command.commit, command.projects,
                                 read_undo_by(effect.data)});
    reopen(draft);
  } else {
    draft.move(model::PlanState::kApplied, "it could not be undone: " + command.reason);
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions

#include "model/control_events.h"
#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"
#include "plan/internal/validate.h"

namespace clever::plan::transitions {
namespace {

using model::PlanState;

// The earlier changes stay sealed under their digest.
void leave_as_it_was(Draft& draft, std::string reason = {}) {
  draft.move(PlanState::kComplete, std::move(reason));
}

void go_on_with(Draft& draft, const Chosen& chosen) {
  draft.add(model::ChangesChosen{.reviewed = *draft.state().changeset.digest,
                                 .kept = chosen.kept,
                                 .dropped = chosen.dropped,
                                 .edited = chosen.edited});
  move_work(draft, chosen.tree, "review");
  resolve_conflicts(draft, chosen.open_conflicts);
  open_changeset(draft);
  validate_then(draft, EffectKind::kSeal);
}

}  // namespace

base::Result<Decided> transition(const State& state, const Chosen& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(open_effect(state, command.effect, {EffectKind::kChoose}));
  Draft draft(state, circumstances);
  draft.settle(command.effect, "done");
  if (finish_cancel(draft)) return draft.finish();
  if (command.tree.empty() || command.tree == state.tree) {
    leave_as_it_was(draft);
  } else if (command.tree == state.base->tree) {
    leave_as_it_was(draft, "the choice leaves nothing to apply; " + command_line(state, "cancel") +
                               " cancels the plan");
  } else {
    go_on_with(draft, command);
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions

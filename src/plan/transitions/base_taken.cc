#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/enforce.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/strategize.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {

base::Result<Decided> transition(const State& state, const BaseIsTaken& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(open_effect(state, command.effect, {EffectKind::kBase}));
  if (command.base.tree.empty()) return base::invalid_argument("a base has a tree");
  Draft draft(state, circumstances);
  draft.settle(command.effect, "done");
  if (finish_cancel(draft)) return draft.finish();
  // Recorded before the base, so that a rollback to the base keeps them in force.
  enforce_invariants(draft);
  draft.add(command.base);
  const bool conflicts = !command.conflicts.empty();
  if (conflicts) draft.add(model::ChildrenMerged{{}, command.conflicts, {}});
  move_work(draft, command.tree, std::string(conflicts ? kTakenOverInConflict : kTakenOver));
  draft.move(model::PlanState::kProcessing);
  begin_strategy(draft);
  return draft.finish();
}

}  // namespace clever::plan::transitions

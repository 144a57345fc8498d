#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/execute.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {

base::Result<Decided> transition(const State& state, const Merged& command,
                                 const Circumstances& circumstances) {
  CLEVER_ASSIGN(const OpenEffect effect, open_effect(state, command.effect, {EffectKind::kMerge}));
  if (command.steps != read_merge(effect.data)) {
    return base::invalid_argument("other steps were to be merged: " + effect.data);
  }
  Draft draft(state, circumstances);
  draft.settle(command.effect, "done");
  if (finish_cancel(draft)) return draft.finish();
  draft.add(model::ChildrenMerged{command.steps, command.conflicts, command.stale_reads});
  move_work(draft, command.tree, "merge");
  advance(draft);
  return draft.finish();
}

}  // namespace clever::plan::transitions

#include <vector>

#include "plan/internal/draft.h"
#include "plan/internal/execute.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

using model::PlanState;

// No process works on a timer.
void settle_timers(Draft& draft) {
  std::vector<model::EffectId> timers;
  for (const auto& [id, effect] : draft.state().effects) {
    if (effect.kind == EffectKind::kTimer) timers.push_back(id);
  }
  for (const model::EffectId& id : timers) draft.settle(id, "cancelled");
}

void cancel_children(Draft& draft) {
  for (const auto& [id, effect] : draft.state().effects) {
    if (effect.kind != EffectKind::kSubplan) continue;
    draft.send(child_of(id), "cancel/parent", Cancel{"its parent no longer needs it"});
  }
}

}  // namespace

base::Result<Decided> transition(const State& state, const Cancel& command,
                                 const Circumstances& circumstances) {
  if (state.state == PlanState::kApplied) {
    return refuse(state, "it was applied", command_line(state, "undo") + " undoes that");
  }
  Draft draft(state, circumstances);
  if (state.cancel_requested) return draft.finish();
  draft.move(PlanState::kCancelling, command.reason);
  settle_timers(draft);
  cancel_children(draft);
  finish_cancel(draft);
  return draft.finish();
}

base::Result<Decided> transition(const State& state, const EffectStopped& command,
                                 const Circumstances& circumstances) {
  using enum EffectKind;
  CLEVER_TRY(open_effect(state, command.effect,
                         {kBase, kModel, kTools, kActorStrategize, kActorWork, kSubplan, kMerge,
                          kSeal, kApply, kUndo, kTimer, kValidate, kChoose}));
  if (!state.cancel_requested) {
    return refuse(state, "it was not cancelled",
                  "the effect stays open until a process drives the plan again");
  }
  Draft draft(state, circumstances);
  draft.settle(command.effect, "cancelled", command.spent);
  const Step* step = draft.state().step_of(child_of(command.effect));
  if (step != nullptr) child_failed(draft, *step, "it was cancelled", false);
  finish_cancel(draft);
  return draft.finish();
}

}  // namespace clever::plan::transitions

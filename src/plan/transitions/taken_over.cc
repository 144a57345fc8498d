#include <vector>

#include "model/budget_events.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/go_on.h"
#include "plan/internal/money.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

using model::PlanState;

// Whatever ran belonged to the process that is gone; only what landed, or what children do, is
// still to be heard of.
void stop_all(Draft& draft) {
  const auto open = draft.state().effects;
  for (const auto& [id, effect] : open) {
    if (effect.kind == EffectKind::kApply || effect.kind == EffectKind::kUndo) continue;
    if (effect.kind == EffectKind::kSubplan) {
      draft.send(child_of(id), "cancel/parent", Cancel{"its parent needs it no longer"});
    } else {
      draft.settle(id, effect.reservation == 0 ? "cancelled" : "abandoned");
    }
  }
}

void call_again(Draft& draft, const model::EffectId& id) {
  if (draft.may_spend()) {
    draft.add(model::BudgetReserved{budget_scopes(draft.state(), draft.now()),
                                    worst_case(draft.state()), id});
    return;
  }
  draft.settle(id, "abandoned");
  draft.wait_for_money();
}

void ask_about(Draft& draft, const model::EffectId& id, const OpenEffect& effect) {
  std::string names;
  for (const ToolsData::Call& call : read_tools(effect.data).calls) {
    if (call.call_class != CallClass::kOutside) continue;
    names += (names.empty() ? "" : ", ") + call.name;
  }
  draft.settle(id, "unknown");
  draft.move(PlanState::kWaiting,
             names + " may have run, and has effects outside of the sandbox: " +
                 command_line(draft.state(), "resume") + " runs it again, " +
                 command_line(draft.state(), "cancel") + " gives up",
             "person");
}

}  // namespace

base::Result<Decided> transition(const State& state, const TakenOver& /*command*/,
                                 const Circumstances& circumstances) {
  Draft draft(state, circumstances);
  if (state.cancel_requested) {
    stop_all(draft);
    finish_cancel(draft);
    return draft.finish();
  }
  for (const auto& [id, effect] : state.effects) {
    if (effect.kind == EffectKind::kModel) {
      call_again(draft, id);
    } else if (resume_rule(effect.kind, effect.data) == ResumeRule::kAsk) {
      ask_about(draft, id, effect);
    }
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions

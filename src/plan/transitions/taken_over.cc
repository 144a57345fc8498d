#include <vector>

#include "model/budget_events.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/go_on.h"
#include "plan/internal/land.h"
#include "plan/internal/money.h"
#include "plan/internal/refuse.h"
#include "plan/internal/stop.h"
#include "plan/internal/talk.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

using model::PlanState;

// Running work ended with the old process; only applies and children can still report.
void stop_all(Draft& draft) {
  const auto open = draft.state().effects;
  for (const auto& [id, effect] : open) {
    if (effect.kind == EffectKind::kApply || effect.kind == EffectKind::kUndo) continue;
    if (effect.kind == EffectKind::kSubplan) {
      draft.send(child_of(id), "cancel/parent", Cancel{"its parent no longer needs it"});
    } else {
      draft.settle(id, effect.reservation == 0 ? "cancelled" : "abandoned");
    }
  }
}

// Work that a correction asked to stop ended with the process.
void stop_useless(Draft& draft) {
  const auto open = draft.state().effects;
  for (const auto& [id, effect] : open) {
    if (!effect.stopping) continue;
    draft.settle(id, effect.reservation == 0 ? "cancelled" : "abandoned");
    go_on_corrected(draft);
  }
}

void call_again(Draft& draft, const model::EffectId& id) {
  if (draft.may_spend() && !draft.left()) {
    // Asks the same question again, within the same bounds.
    draft.add(model::BudgetReserved{budget_scopes(draft.state(), draft.now()),
                                    draft.state().effects.at(id).reserved, id});
    return;
  }
  draft.settle(id, "abandoned");
  // A smaller call may fit.
  draft.may_spend() ? ask(draft) : draft.wait_for_money();
}

void ask_about(Draft& draft, const model::EffectId& id, const OpenEffect& effect) {
  std::string names;
  for (const ToolsData::Call& call : read_tools(effect.data).calls) {
    if (call.call_class != CallClass::kOutside || !call.refused.empty()) continue;
    names += (names.empty() ? "" : ", ") + call.name;
  }
  draft.settle(id, "unknown");
  draft.move(PlanState::kWaiting,
             names + " may have run, and has effects outside of the sandbox: " +
                 command_line(draft.state(), "resume") + " runs it again, " +
                 command_line(draft.state(), "cancel") + " gives up",
             "person");
}

// Prompts that arrived during or after the interrupted work come before any of it is repeated.
void give_way(Draft& draft, const model::EffectId& id, const OpenEffect& effect) {
  const bool calls = effect.kind == EffectKind::kTools;
  draft.settle(id, calls ? "cancelled" : "abandoned");
  if (calls) {
    draft.say(failed_results(read_tools(effect.data),
                             "interrupted before its end; its changes were undone"),
              model::MessageWhy::kResults);
  }
  ask(draft);
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
  // An earlier release left it applied.
  if (state.state == PlanState::kApplied && state.undone) reopen(draft);
  stop_useless(draft);
  for (const auto& [id, effect] : state.effects) {
    if (effect.stopping) continue;
    if (gives_way_to_words(effect) && !state.pending_prompts.empty()) {
      give_way(draft, id, effect);
    } else if (effect.kind == EffectKind::kModel) {
      call_again(draft, id);
    } else if (resume_rule(effect.kind, effect.data) == ResumeRule::kAsk) {
      ask_about(draft, id, effect);
    }
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions

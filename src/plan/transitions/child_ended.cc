#include <algorithm>

#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/execute.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"
#include "plan/internal/words.h"

namespace clever::plan::transitions {
namespace {

using model::PlanState;

std::string outcome_of(PlanState state) {
  if (state == PlanState::kComplete) return "done";
  return state == PlanState::kCancelled ? "cancelled" : "failed";
}

void step_is_done(Draft& draft, const Step& step, const ChildEnded& ended) {
  draft.add(model::StepMoved{.step = step.definition.id,
                             .state = model::StepState::kDone,
                             .child = ended.child,
                             .attempt = step.attempt,
                             .base = ended.base.empty() ? step.base : ended.base,
                             .tree = ended.tree,
                             .reads = ended.reads,
                             .summary = words::beginning(ended.summary, 4'000),
                             .files = ended.files});
}

std::string why_child_failed(const ChildEnded& ended) {
  if (!ended.error.empty()) return ended.error;
  return "the subplan ended " + std::string(model::to_string(ended.state));
}

// A correction stopped a child that no step names: only its end counts.
base::Result<void> check_child(const State& state, const model::EffectId& effect,
                               const model::PlanId& child) {
  CLEVER_TRY(open_effect(state, effect, {EffectKind::kSubplan}));
  if (child == child_of(effect)) return {};
  return base::invalid_argument("plan " + child.to_string() + " is not the child of effect " +
                                effect.to_string());
}

}  // namespace

base::Result<Decided> transition(const State& state, const ChildEnded& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_child(state, command.effect, command.child));
  const bool complete = command.state == PlanState::kComplete && !command.tree.empty();
  Draft draft(state, circumstances);
  draft.settle(command.effect, complete ? "done" : outcome_of(command.state));
  const Step* step = state.step_of(command.child);
  if (step != nullptr && complete) {
    step_is_done(draft, *step, command);
  } else if (step != nullptr) {
    child_failed(draft, *step, why_child_failed(command),
                 command.state == PlanState::kErrored && !state.cancel_requested);
  }
  if (finish_cancel(draft)) return draft.finish();
  const bool works = state.phase == model::Phase::kExecute && state.state == PlanState::kProcessing;
  if (works) advance(draft);
  return draft.finish();
}

base::Result<Decided> transition(const State& state, const ChildWaits& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_child(state, command.effect, command.child));
  Draft draft(state, circumstances);
  const Step* step = state.step_of(command.child);
  if (step == nullptr) return draft.finish();
  draft.add(model::StepMoved{.step = step->definition.id,
                             .state = step->state,
                             .child = step->child,
                             .attempt = step->attempt,
                             .base = step->base,
                             .waits = command.reason});
  return draft.finish();
}

}  // namespace clever::plan::transitions

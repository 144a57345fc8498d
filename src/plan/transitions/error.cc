#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/execute.h"
#include "plan/internal/failure.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/talk.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

using model::PlanState;

RecoveryDecision no_retry(Draft& draft, const RecordError& error) {
  return note(draft,
              {.category = error.category, .message = error.message, .effect = error.effect});
}

// A child that could not be created counts as failed.
RecoveryDecision child_error(Draft& draft, const State& state, const RecordError& error) {
  const RecoveryDecision decision = no_retry(draft, error);
  const Step* step = state.step_of(child_of(error.effect));
  if (step != nullptr) child_failed(draft, *step, error.message, true);
  const bool works = state.phase == model::Phase::kExecute && state.state == PlanState::kProcessing;
  if (works) advance(draft);
  return decision;
}

RecoveryDecision undo_error(Draft& draft, const RecordError& error) {
  const RecoveryDecision decision = no_retry(draft, error);
  draft.move(PlanState::kApplied, "it could not be undone: " + error.message);
  return decision;
}

// The reviewed changes stay sealed: the person can choose again.
RecoveryDecision choose_error(Draft& draft, const RecordError& error) {
  const RecoveryDecision decision = no_retry(draft, error);
  draft.move(PlanState::kComplete, "nothing was chosen: " + error.message);
  return decision;
}

RecoveryDecision effect_error(Draft& draft, const State& state, const RecordError& error,
                              const OpenEffect& effect) {
  draft.settle(error.effect, "failed", error.spent);
  if (draft.state().cancel_requested) {
    const RecoveryDecision decision = no_retry(draft, error);
    const Step* step = draft.state().step_of(child_of(error.effect));
    if (step != nullptr) child_failed(draft, *step, error.message, false);
    finish_cancel(draft);
    return decision;
  }
  if (effect.kind == EffectKind::kSubplan) return child_error(draft, state, error);
  if (effect.kind == EffectKind::kUndo) return undo_error(draft, error);
  if (effect.kind == EffectKind::kChoose) return choose_error(draft, error);
  const bool too_long =
      error.category == model::ErrorCategory::kContextOverflow && effect.kind == EffectKind::kModel;
  if (too_long) compact_overflow(draft);
  const bool restarts = error.category == model::ErrorCategory::kModelMisbehaviour &&
                        effect.kind == EffectKind::kModel;
  return fail(draft, {.category = error.category,
                      .message = error.message,
                      .lasts = error.lasts,
                      .effect = error.effect,
                      .retry_after = error.retry_after,
                      .then = std::string(restarts ? kWholeStep : to_string(effect.kind)),
                      .data = effect.data});
}

}  // namespace

base::Result<Decided> transition(const State& state, const RecordError& command,
                                 const Circumstances& circumstances) {
  Draft draft(state, circumstances);
  if (command.effect) {
    using enum EffectKind;
    CLEVER_ASSIGN(const OpenEffect effect,
                  open_effect(state, command.effect,
                              {kBase, kModel, kTools, kActorStrategize, kActorWork, kSubplan,
                               kMerge, kSeal, kApply, kUndo, kChoose, kValidate}));
    return draft.finish_with(effect_error(draft, state, command, effect).to_json());
  }
  if (state.is_final()) {
    return refuse(state, "it has ended", "no more errors are recorded");
  }
  const RecoveryDecision decision = fail(draft, {.category = command.category,
                                                 .message = command.message,
                                                 .lasts = command.lasts,
                                                 .retry_after = command.retry_after});
  return draft.finish_with(decision.to_json());
}

}  // namespace clever::plan::transitions

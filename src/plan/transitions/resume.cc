#include <algorithm>

#include "plan/internal/approval.h"
#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/go_on.h"
#include "plan/internal/money.h"
#include "plan/internal/question.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"
#include "plan/internal/validate.h"

namespace clever::plan::transitions {
namespace {

using model::Phase;
using model::PlanState;

// A rollback sealed it with unfinished steps.
bool was_sealed_early(const State& state) {
  return state.phase == Phase::kExecute && !state.parent && state.has_unfinished_steps();
}

bool stands_still(const State& state) {
  switch (state.state) {
    case PlanState::kWaiting:
    case PlanState::kErrored:
    case PlanState::kConstrained:
      return true;
    case PlanState::kQueued:
      return state.effects.empty();
    case PlanState::kComplete:
      return was_sealed_early(state);
    default:
      return false;
  }
}

// Resumes the children; one that still waits reports it again.
bool wake_children(Draft& draft) {
  bool any = false;
  for (std::size_t i = 0; i < draft.state().steps.size(); ++i) {
    const Step& step = draft.state().steps[i];
    if (step.waits.empty() || !step.child) continue;
    draft.send(step.child, "resume/" + std::to_string(draft.state().sequence), Resume{});
    draft.add(model::StepMoved{.step = step.definition.id,
                               .state = step.state,
                               .child = step.child,
                               .attempt = step.attempt,
                               .base = step.base});
    any = true;
  }
  return any;
}

base::Error refusal(const State& state) {
  if (state.state == PlanState::kComplete)
    return refuse(state, "it is complete", what_works(state));
  if (state.is_final() || state.state == PlanState::kCancelling) {
    return refuse(state, "it has ended", begin_anew(state));
  }
  return refuse(state, "it is being worked on", what_works(state));
}

// A plan that is to land may land only what was agreed to.
base::Result<void> check_landing(const State& state) {
  if (!state.conflicts.empty()) return refuse(state, "conflicts are open", what_works(state));
  const auto& digest = state.changeset.digest;
  if (!digest) return {};
  if (must_be_validated(state)) return {};
  if (is_nothing(*digest)) return refuse(state, "nothing is left to land", what_works(state));
  if (state.apply->digest == *digest) return {};
  return refuse(state, "the changes are not those that were approved",
                "look with " + command_line(state, "diff") + ", then " +
                    command_line(state, "apply", " --digest " + digest->to_hex()));
}

base::Result<void> check_resume(const State& state) {
  CLEVER_TRY(check_not_ended(state));
  const bool ends = state.is_final() || state.state == PlanState::kCancelling;
  if (state.phase == Phase::kApply && !ends) return check_landing(state);
  return {};
}

}  // namespace

base::Result<Decided> transition(const State& state, const Resume& /*command*/,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_resume(state));
  Draft draft(state, circumstances);
  const bool woke = wake_children(draft);
  if (state.approval && state.approval->is_expired(draft.now())) {
    ask_again(draft);
  } else if (state.approval) {
    answer_approval(draft, {}, "", "");
  } else if (stands_still(state)) {
    answer_nothing(draft);
    go_on(draft);
  } else if (!woke) {
    return refusal(state);
  }
  return draft.finish();
}

base::Result<Decided> transition(const State& state, const BudgetFreed& /*command*/,
                                 const Circumstances& circumstances) {
  Draft draft(state, circumstances);
  const bool waits = state.state == PlanState::kWaiting && state.waiting == Waiting::kBudget;
  const auto& left = circumstances.left;
  const bool may_spend =
      circumstances.may_spend && (!left || fits(least_call(state).cost, left->cost));
  if (waits && may_spend) go_on(draft);
  const bool worse = state.room_may_come && !circumstances.room_may_come;
  if (waits && !may_spend && worse) draft.wait_for_money();
  return draft.finish();
}

}  // namespace clever::plan::transitions

#include "plan/state.h"

#include <algorithm>

#include "plan/internal/changes.h"

namespace clever::plan {

using model::PlanState;

bool State::is_final() const noexcept {
  return state == PlanState::kApplied || state == PlanState::kCancelled;
}

bool State::is_at_rest() const noexcept {
  if (!exists()) return false;
  // A waiting child ends when the cancel reaches it.
  if (state == PlanState::kCancelling) return effects.empty();
  const auto stands_still = [&](const auto& open) {
    if (open.second.kind != EffectKind::kSubplan) return false;
    const Step* step = step_of(child_of(open.first));
    return step != nullptr && !step->waits.empty();
  };
  return std::ranges::all_of(effects, stands_still);
}

bool State::is_ready_to_apply() const noexcept {
  return phase == model::Phase::kExecute && state == PlanState::kComplete && !parent &&
         conflicts.empty() && changeset.digest && !is_nothing(*changeset.digest);
}

bool State::waits_after_rollback() const noexcept {
  return phase == model::Phase::kExecute && state == PlanState::kQueued && effects.empty();
}

bool State::has_unfinished_steps() const noexcept {
  return std::ranges::any_of(steps, [](const Step& step) {
    return step.state == model::StepState::kPending || step.state == model::StepState::kRunning;
  });
}

std::int64_t State::open_changes() const noexcept {
  const auto entries_of = [](const CurrentChangeset& one) {
    return one.digest || one.closed ? 0 : one.entries;
  };
  std::int64_t changes = entries_of(changeset);
  for (const auto& one : changesets) changes += entries_of(one.second);
  return changes;
}

const Step* State::step_of(const model::PlanId& child) const noexcept {
  const auto found = std::ranges::find_if(
      steps, [&](const Step& step) { return step.child == child && step.child; });
  return found == steps.end() ? nullptr : &*found;
}

}  // namespace clever::plan

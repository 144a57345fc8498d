#include <algorithm>

#include "model/decision_events.h"
#include "plan/internal/draft.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

using model::Phase;
using model::PlanState;

base::Result<void> check(const State& state) {
  if (state.is_final() || state.state == PlanState::kCancelling) {
    return refuse(state, "it has come to its end", "begin a new one with `agents run`");
  }
  CLEVER_TRY(check_not_ended(state));
  if (!state.effects.empty() || state.state == PlanState::kProcessing) {
    return refuse(state, "it is being worked on",
                  "wait until it rests (" + command_line(state, "watch") + ")");
  }
  if (state.phase == Phase::kStrategize || state.phase == Phase::kAction) {
    return refuse(state, "nothing was done yet", command_line(state, "cancel") + " gives it up");
  }
  return {};
}

std::string known(const State& state) {
  std::string list;
  const std::size_t count = state.checkpoints.size();
  for (std::size_t i = count > 10 ? count - 10 : 0; i < count; ++i) {
    const State::Checkpoint& point = state.checkpoints[i];
    list += (list.empty() ? "" : ", ") + std::to_string(point.sequence) + " (" + point.why + ")";
  }
  return list;
}

// The strategy stays, and with it what was decided about its steps.
bool still_holds(const State& state, const model::DecisionId& id) {
  return id == state.root_decision || id == state.strategy_decision ||
         std::ranges::any_of(state.steps, [&](const Step& step) { return step.decision == id; });
}

void supersede_after(Draft& draft, std::int64_t sequence) {
  model::DecisionSuperseded superseded;
  for (const HeldDecision& one : draft.state().decisions) {
    if (one.sequence > sequence && !still_holds(draft.state(), one.id)) {
      superseded.ids.push_back(one.id);
    }
  }
  if (!superseded.ids.empty()) draft.add(superseded);
}

const model::BaseTaken& base_at(const State& state, std::int64_t sequence) {
  const auto earlier =
      std::ranges::upper_bound(state.earlier_bases, sequence, {}, &State::EarlierBase::until);
  return earlier == state.earlier_bases.end() ? *state.base : earlier->base;
}

}  // namespace

base::Result<Decided> transition(const State& state, const Rollback& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check(state));
  const auto point =
      std::ranges::find(state.checkpoints, command.to_sequence, &State::Checkpoint::sequence);
  if (point == state.checkpoints.end()) {
    return base::not_found("there is no checkpoint at event " +
                           std::to_string(command.to_sequence) + "; the latest are " +
                           known(state));
  }
  Draft draft(state, circumstances);
  supersede_after(draft, command.to_sequence);
  if (const model::BaseTaken& then = base_at(state, command.to_sequence); then != *state.base) {
    draft.add(then);
  }
  draft.add(
      model::WorkMoved{.tree = point->tree, .why = "rollback", .to_sequence = command.to_sequence});
  draft.forget_conversation();
  draft.move(Phase::kExecute, PlanState::kQueued,
             "rolled back to event " + std::to_string(command.to_sequence) + "; " +
                 command_line(state, "resume") + " goes on from there");
  return draft.finish();
}

}  // namespace clever::plan::transitions

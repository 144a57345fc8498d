#include <algorithm>

#include "model/decision_events.h"
#include "model/restored_events.h"
#include "plan/internal/draft.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

using model::Phase;
using model::PlanState;
using model::StepState;

base::Result<void> check_rollback(const State& state) {
  if (state.is_final() || state.state == PlanState::kCancelling) {
    return refuse(state, "it has ended", begin_anew(state));
  }
  CLEVER_TRY(check_not_ended(state));
  if (!state.effects.empty() || state.state == PlanState::kProcessing) {
    return refuse(state, "it is being worked on",
                  "wait until it rests (" + command_line(state, "watch") + ")");
  }
  if (state.phase == Phase::kStrategize || state.phase == Phase::kAction) {
    return refuse(state, "nothing was done yet", command_line(state, "cancel") + " cancels it");
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

bool holds(const State& state, const model::DecisionId& id) {
  return std::ranges::find(state.decisions, id, &HeldDecision::id) != state.decisions.end();
}

void supersede_later(Draft& draft, const State& past) {
  model::DecisionSuperseded superseded;
  for (const HeldDecision& one : draft.state().decisions) {
    if (!holds(past, one.id)) superseded.ids.push_back(one.id);
  }
  if (!superseded.ids.empty()) draft.add(superseded);
}

const model::BaseTaken& base_at(const State& state, std::int64_t sequence) {
  const auto earlier =
      std::ranges::upper_bound(state.earlier_bases, sequence, {}, &State::EarlierBase::until);
  return earlier == state.earlier_bases.end() ? *state.base : earlier->base;
}

model::MessageAdded message_of(const TranscriptEntry& entry) {
  return {entry.role, entry.body, entry.bytes, entry.why};
}

std::vector<model::MessageAdded> messages_of(const std::vector<TranscriptEntry>& entries) {
  std::vector<model::MessageAdded> messages;
  std::ranges::transform(entries, std::back_inserter(messages), message_of);
  return messages;
}

std::vector<model::RestoredWords> restored_words(const std::vector<Guidance>& guidance) {
  std::vector<model::RestoredWords> restored;
  for (const Guidance& words : guidance) {
    restored.push_back({message_of(words), words.correction});
  }
  return restored;
}

// The tree that a strategy begins with holds no step's work.
bool holds_no_work(const State::Checkpoint& point) {
  return point.why == "base" || point.why == "revert";
}

// The tree of a checkpoint lacks unfinished work, so such a step starts over, unless the
// conversation records its progress.
bool begins_anew(const State& past, const Step& step, const State::Checkpoint& point) {
  if (holds_no_work(point)) return true;
  if (step.state != StepState::kRunning) return false;
  return step.definition.mode == model::StepMode::kSubplan || !past.settings.uses_model;
}

std::int64_t attempts(const State& state, const Step& step) {
  const auto now = std::ranges::find_if(
      state.steps, [&](const Step& one) { return one.definition.id == step.definition.id; });
  return now == state.steps.end() ? step.attempt : std::max(step.attempt, now->attempt);
}

model::RestoredStep restored_step(const State& state, const State& past, const Step& step,
                                  const State::Checkpoint& point) {
  model::RestoredStep restored{.added = {step.definition, step.decision},
                               .moved = {.step = step.definition.id},
                               .guidance = restored_words(step.guidance)};
  if (begins_anew(past, step, point)) {
    restored.moved.attempt = attempts(state, step);
    return restored;
  }
  restored.moved = {.step = step.definition.id,
                    .state = step.state,
                    .child = step.child,
                    .attempt = step.attempt,
                    .base = step.base,
                    .tree = step.tree,
                    .reads = step.reads,
                    .summary = step.summary,
                    .files = step.files};
  restored.moved_at = step.moved_at;
  restored.merged_at = step.merged_at;
  return restored;
}

model::WorkRestored restored_work(const State& state, const State& past,
                                  const State::Checkpoint& point) {
  model::WorkRestored restored{.tree = point.tree,
                               .to_sequence = point.sequence,
                               .summary = past.strategy_summary,
                               .strategy = past.strategy_decision,
                               .decision = past.decision,
                               .prompts = past.prompts,
                               .pending_prompts = messages_of(past.pending_prompts),
                               .guidance = restored_words(past.guidance)};
  bool goes_on = false;
  for (const Step& step : past.steps) {
    restored.steps.push_back(restored_step(state, past, step, point));
    goes_on = goes_on || restored.steps.back().moved.state == StepState::kRunning;
  }
  for (const HeldDecision& one : past.decisions) {
    if (!holds(state, one.id)) {
      restored.decisions.push_back({one.id, one.parent, one.kind, one.sequence});
    }
  }
  if (goes_on) {
    restored.messages = messages_of(past.transcript);
    restored.turns = past.turns_in_step;
    restored.calls = past.calls_in_step;
  }
  if (!holds_no_work(point)) restored.conflicts = past.conflicts;
  return restored;
}

}  // namespace

base::Result<Decided> transition(const State& state, const Rollback& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_rollback(state));
  const auto point =
      std::ranges::find(state.checkpoints, command.to_sequence, &State::Checkpoint::sequence);
  if (point == state.checkpoints.end()) {
    return base::not_found("there is no checkpoint at event " +
                           std::to_string(command.to_sequence) + "; the latest are " +
                           known(state));
  }
  if (!circumstances.past) {
    return base::internal_error("a rollback needs the plan as it was at the checkpoint");
  }
  const State& past = *circumstances.past;
  Draft draft(state, circumstances);
  supersede_later(draft, past);
  if (const model::BaseTaken& then = base_at(state, command.to_sequence); then != *state.base) {
    draft.add(then);
  }
  draft.add(restored_work(state, past, *point));
  draft.move(Phase::kExecute, PlanState::kQueued,
             "rolled back to event " + std::to_string(command.to_sequence) + "; " +
                 command_line(state, "resume") + " continues from there");
  return draft.finish();
}

}  // namespace clever::plan::transitions

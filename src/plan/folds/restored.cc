#include <algorithm>

#include "model/restored_events.h"
#include "plan/internal/folds.h"

namespace clever::plan::folds {
namespace {

TranscriptEntry entry_of(const model::MessageAdded& message) {
  return {message.role, message.body, message.bytes, message.why};
}

std::vector<TranscriptEntry> entries_of(const std::vector<model::MessageAdded>& messages) {
  std::vector<TranscriptEntry> entries;
  std::ranges::transform(messages, std::back_inserter(entries), entry_of);
  return entries;
}

std::vector<Guidance> words_of(const std::vector<model::RestoredWords>& restored) {
  std::vector<Guidance> guidance;
  for (const model::RestoredWords& words : restored) {
    guidance.push_back({entry_of(words.message), words.correction});
  }
  return guidance;
}

Step step_of(model::RestoredStep& restored) {
  model::StepMoved& moved = restored.moved;
  return {.definition = std::move(restored.added.step),
          .state = moved.state,
          .child = moved.child,
          .attempt = moved.attempt,
          .base = std::move(moved.base),
          .tree = std::move(moved.tree),
          .reads = std::move(moved.reads),
          .summary = std::move(moved.summary),
          .merged = restored.merged_at > 0,
          .files = moved.files,
          .decision = restored.added.decision,
          .moved_at = restored.moved_at,
          .merged_at = restored.merged_at,
          .guidance = words_of(restored.guidance)};
}

void restore_steps(State& state, model::WorkRestored& restored) {
  state.steps.clear();
  state.active.reset();
  for (model::RestoredStep& one : restored.steps) {
    Step step = step_of(one);
    const bool works = step.definition.mode == model::StepMode::kInline &&
                       step.state == model::StepState::kRunning;
    if (works) state.active = state.steps.size();
    state.steps.push_back(std::move(step));
  }
}

void restore_decisions(State& state, const model::WorkRestored& restored) {
  for (const model::RestoredDecision& one : restored.decisions) {
    state.decisions.push_back({one.id, one.sequence, one.parent, one.kind});
    std::erase(state.superseded, one.id);
  }
  std::ranges::sort(state.decisions, {}, &HeldDecision::sequence);
  state.strategy_summary = restored.summary;
  state.strategy_decision = restored.strategy;
  state.decision = restored.decision;
}

void restore_conversation(State& state, const model::WorkRestored& restored) {
  state.transcript = entries_of(restored.messages);
  state.transcript_bytes = 0;
  for (const TranscriptEntry& entry : state.transcript) state.transcript_bytes += entry.bytes;
  state.turns_in_step = restored.turns;
  state.calls_in_step = restored.calls;
  state.reminders = 0;
  state.recent_calls.clear();
  state.unknown.reset();
  state.held.reset();
  state.last_error.reset();
  state.prompts = restored.prompts;
  state.pending_prompts = entries_of(restored.pending_prompts);
  state.guidance = words_of(restored.guidance);
  state.fixes = 0;
}

}  // namespace

base::Result<void> work_restored(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(auto restored, read<model::WorkRestored>(state, event));
  if (!state.base) return cannot_follow(state, event, "there is no base yet");
  state.tree = restored.tree;
  restore_steps(state, restored);
  restore_decisions(state, restored);
  restore_conversation(state, restored);
  forget_trees_after(state, restored.to_sequence);
  state.conflicts = std::move(restored.conflicts);
  leave_changeset(state);
  add_checkpoint(state, event.sequence, "rollback");
  return {};
}

}  // namespace clever::plan::folds

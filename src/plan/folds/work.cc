#include <algorithm>

#include "model/work_events.h"
#include "plan/internal/folds.h"
#include "plan/internal/strategize.h"

namespace clever::plan::folds {
namespace {

constexpr std::size_t kMostCheckpoints = 256;

void forget_after(State& state, std::int64_t sequence) {
  for (Step& step : state.steps) {
    const bool runs = step.state == model::StepState::kRunning;
    if (runs || step.moved_at > sequence) {
      const Step old = std::move(step);
      step = Step{.definition = old.definition,
                  .attempt = old.attempt,
                  .decision = old.decision,
                  .guidance = old.guidance};
    } else if (step.merged_at > sequence) {
      step.merged = false;
      step.merged_at = 0;
    }
  }
  forget_trees_after(state, sequence);
  state.active.reset();
}

// Steps that start over were moved before; the other steps are merged again.
void unmerge_after(State& state, std::int64_t sequence) {
  for (Step& step : state.steps) {
    if (step.merged_at <= sequence) continue;
    step.merged = false;
    step.merged_at = 0;
  }
  forget_trees_after(state, sequence);
}

}  // namespace

void add_checkpoint(State& state, std::int64_t sequence, std::string why) {
  auto& points = state.checkpoints;
  if (points.size() == kMostCheckpoints) points.erase(points.begin() + 1);
  points.push_back({sequence, state.tree, std::move(why)});
}

void forget_trees_after(State& state, std::int64_t sequence) {
  // Those without a step came with the work that the plan began with.
  const bool keeps_work =
      std::ranges::any_of(state.checkpoints, [&](const State::Checkpoint& point) {
        return point.why.starts_with(kTakenOver) && point.sequence <= sequence;
      });
  const auto is_merged = [&](const model::OpenConflict& conflict) {
    if (conflict.step.empty()) return keeps_work;
    return std::ranges::any_of(state.steps, [&](const Step& step) {
      return step.definition.id == conflict.step && step.merged;
    });
  };
  std::erase_if(state.conflicts, [&](const auto& conflict) { return !is_merged(conflict); });
  std::erase_if(state.checkpoints, [&](const auto& point) { return point.sequence > sequence; });
  std::erase_if(state.earlier_bases, [&](const auto& earlier) { return earlier.until > sequence; });
}

void leave_changeset(State& state) {
  if (state.changeset.id) state.changesets.emplace(state.changeset.id, state.changeset);
  state.changeset = {};
}

base::Result<void> base_taken(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::BaseTaken taken, read<model::BaseTaken>(state, event));
  state.tree = taken.tree;
  if (state.base) state.earlier_bases.push_back({event.sequence, std::move(*state.base)});
  state.base = std::move(taken);
  add_checkpoint(state, event.sequence, "base");
  return {};
}

// The tree no longer holds what was recorded before a rollback, so the next work begins its own
// changeset.
base::Result<void> work_moved(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::WorkMoved moved, read<model::WorkMoved>(state, event));
  if (!state.base) return cannot_follow(state, event, "there is no base yet");
  state.tree = std::move(moved.tree);
  if (moved.why == "rollback") forget_after(state, moved.to_sequence);
  if (moved.why == "correct") unmerge_after(state, moved.to_sequence);
  if (moved.why == "rollback" || moved.why == "revert" || moved.why == "correct") {
    leave_changeset(state);
  }
  if (moved.why == "revert") state.conflicts.clear();
  add_checkpoint(state, event.sequence, std::move(moved.why));
  return {};
}

base::Result<void> children_merged(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::ChildrenMerged merged, read<model::ChildrenMerged>(state, event));
  for (Step& step : state.steps) {
    if (std::ranges::find(merged.steps, step.definition.id) == merged.steps.end()) continue;
    step.merged = true;
    step.merged_at = event.sequence;
  }
  state.conflicts = std::move(merged.conflicts);
  return {};
}

base::Result<void> conflicts_resolved(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto resolved, read<model::ConflictsResolved>(state, event));
  std::erase_if(state.conflicts, [&](const model::OpenConflict& conflict) {
    return std::ranges::find(resolved.paths, conflict.path) != resolved.paths.end();
  });
  return {};
}

}  // namespace clever::plan::folds

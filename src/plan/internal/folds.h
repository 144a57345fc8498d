#pragma once
#include "base/result.h"
#include "model/event.h"
#include "plan/state.h"

// Applies events to the state: one function per kind, in folds/. `corruption` names an event that
// cannot follow.
namespace clever::plan::folds {

base::Result<void> plan_created(State& state, const model::StoredEvent& event);
base::Result<void> plan_configured(State& state, const model::StoredEvent& event);
base::Result<void> plan_prompted(State& state, const model::StoredEvent& event);
base::Result<void> plan_moved(State& state, const model::StoredEvent& event);
base::Result<void> decision_recorded(State& state, const model::StoredEvent& event);
base::Result<void> decision_superseded(State& state, const model::StoredEvent& event);
base::Result<void> budget_reserved(State& state, const model::StoredEvent& event);
base::Result<void> budget_settled(State& state, const model::StoredEvent& event);
base::Result<void> effect_requested(State& state, const model::StoredEvent& event);
base::Result<void> effect_settled(State& state, const model::StoredEvent& event);
base::Result<void> changeset_started(State& state, const model::StoredEvent& event);
base::Result<void> changes_recorded(State& state, const model::StoredEvent& event);
base::Result<void> changeset_sealed(State& state, const model::StoredEvent& event);
base::Result<void> work_began(State& state, const model::StoredEvent& event);
base::Result<void> message_added(State& state, const model::StoredEvent& event);
base::Result<void> transcript_cut(State& state, const model::StoredEvent& event);
base::Result<void> model_answered(State& state, const model::StoredEvent& event);
base::Result<void> tools_recorded(State& state, const model::StoredEvent& event);
base::Result<void> strategy_accepted(State& state, const model::StoredEvent& event);
base::Result<void> step_added(State& state, const model::StoredEvent& event);
base::Result<void> step_moved(State& state, const model::StoredEvent& event);
base::Result<void> base_taken(State& state, const model::StoredEvent& event);
base::Result<void> work_moved(State& state, const model::StoredEvent& event);
base::Result<void> work_restored(State& state, const model::StoredEvent& event);
base::Result<void> children_merged(State& state, const model::StoredEvent& event);
base::Result<void> conflicts_resolved(State& state, const model::StoredEvent& event);
base::Result<void> error_recorded(State& state, const model::StoredEvent& event);
base::Result<void> apply_requested(State& state, const model::StoredEvent& event);
base::Result<void> apply_ended(State& state, const model::StoredEvent& event);
base::Result<void> apply_undone(State& state, const model::StoredEvent& event);
base::Result<void> plan_corrected(State& state, const model::StoredEvent& event);
base::Result<void> validations_ran(State& state, const model::StoredEvent& event);
base::Result<void> approval_requested(State& state, const model::StoredEvent& event);
base::Result<void> approval_given(State& state, const model::StoredEvent& event);

/// Makes the present tree a checkpoint.
void add_checkpoint(State& state, std::int64_t sequence, std::string why);
/// Drops checkpoints, bases and conflicts that came after an event.
void forget_trees_after(State& state, std::int64_t sequence);
/// The next work begins its own changeset.
void leave_changeset(State& state);

/// The error for an event that is impossible here.
[[nodiscard]] base::Error cannot_follow(const State& state, const model::StoredEvent& event,
                                        const std::string& why);

/// Parses the data of an event of kind T; invalid data is corruption.
template <class T>
[[nodiscard]] base::Result<T> read(const State& state, const model::StoredEvent& event) {
  auto parsed = T::parse(event.data);
  if (!parsed.ok()) return cannot_follow(state, event, parsed.error().sentence());
  return parsed;
}

}  // namespace clever::plan::folds

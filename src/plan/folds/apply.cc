#include "model/work_events.h"
#include "plan/internal/folds.h"

namespace clever::plan::folds {

base::Result<void> apply_requested(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(state.apply, read<model::ApplyRequested>(state, event));
  return {};
}

base::Result<void> apply_ended(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(state.applied, read<model::ApplyEnded>(state, event));
  if (state.applied->applied) state.undone = false;
  return {};
}

base::Result<void> apply_undone(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto undone, read<model::ApplyUndone>(state, event));
  if (!state.applied || undone.digest != state.applied->digest) {
    return cannot_follow(state, event, "that was not applied");
  }
  state.undone = true;
  return {};
}

}  // namespace clever::plan::folds

#include "plan/past.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/change_events.h"
#include "model/work_events.h"
#include "plan/decide.h"

namespace clever::plan {
namespace {

using Journal = std::span<const model::StoredEvent>;

base::Error nothing_at(std::int64_t checkpoint) {
  return base::not_found("the journal has no work at event " + std::to_string(checkpoint));
}

base::Result<bool> begins_strategy(const State& state, const model::StoredEvent& event) {
  if (state.phase == model::Phase::kStrategize) return true;
  if (event.kind != model::WorkMoved::kKind) return false;
  CLEVER_ASSIGN(const auto moved, model::WorkMoved::parse(event.data));
  return moved.why == "revert";
}

base::Result<State> when_carried_out(State state, Journal rest, std::int64_t checkpoint) {
  for (const model::StoredEvent& event : rest) {
    const bool was_strategy = state.phase == model::Phase::kStrategize;
    CLEVER_TRY(evolve(state, event));
    if (was_strategy && state.phase == model::Phase::kExecute) return state;
  }
  return nothing_at(checkpoint);
}

// Returns whether an event of the checkpoint's transaction still belongs to its tree.
base::Result<bool> belongs_to_checkpoint(const State& state, const model::StoredEvent& event) {
  constexpr std::array kKinds{model::ChangesetStarted::kKind, model::WorkBegan::kKind,
                              model::ChangesRecorded::kKind, model::ConflictsResolved::kKind};
  if (std::ranges::find(kKinds, event.kind) != kKinds.end()) return true;
  if (event.kind != model::StepMoved::kKind || !state.active) return false;
  CLEVER_ASSIGN(const auto moved, model::StepMoved::parse(event.data));
  return moved.state == model::StepState::kDone &&
         moved.step == state.steps[*state.active].definition.id;
}

}  // namespace

base::Result<State> state_at(Journal journal, std::int64_t checkpoint) {
  const auto found = std::ranges::find(journal, checkpoint, &model::StoredEvent::sequence);
  if (found == journal.end()) return nothing_at(checkpoint);
  const auto end = found + 1;
  State state;
  for (auto event = journal.begin(); event != end; ++event) CLEVER_TRY(evolve(state, *event));
  const Journal rest(end, journal.end());
  CLEVER_ASSIGN(const bool begins, begins_strategy(state, *found));
  if (begins) return when_carried_out(std::move(state), rest, checkpoint);
  for (const model::StoredEvent& event : rest) {
    CLEVER_ASSIGN(const bool belongs, belongs_to_checkpoint(state, event));
    if (!belongs) break;
    CLEVER_TRY(evolve(state, event));
  }
  return state;
}

}  // namespace clever::plan

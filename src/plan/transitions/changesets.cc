#include "model/change_events.h"
#include "model/decision_events.h"
#include "plan/internal/draft.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

base::Result<void> check_open(const State& state) {
  if (!state.is_final()) return {};
  return refuse(state, "it has come to its end", "nothing more is recorded");
}

const CurrentChangeset* find(const State& state, const model::ChangesetId& id) {
  if (state.changeset.id == id && id) return &state.changeset;
  const auto other = state.changesets.find(id);
  return other == state.changesets.end() ? nullptr : &other->second;
}

// One that can still be recorded into.
base::Result<CurrentChangeset> open_changeset(const State& state, const model::ChangesetId& id) {
  CLEVER_TRY(check_open(state));
  const CurrentChangeset* changeset = find(state, id);
  if (changeset == nullptr) {
    return base::not_found("changeset " + id.to_string() + " is none of this plan");
  }
  if (changeset->digest) {
    return refuse(state, "changeset " + id.to_string() + " is sealed", "start another one");
  }
  return *changeset;
}

}  // namespace

base::Result<Decided> transition(const State& state, const StartChangeset& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_open(state));
  if (!command.id) return base::invalid_argument("a changeset needs an id");
  if (find(state, command.id) != nullptr) {
    return refuse(state, "changeset " + command.id.to_string() + " is there already",
                  "give each its own id");
  }
  Draft draft(state, circumstances);
  draft.add(model::ChangesetStarted{command.id, command.decision});
  return draft.finish();
}

base::Result<Decided> transition(const State& state, const RecordChanges& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(open_changeset(state, command.id));
  Draft draft(state, circumstances);
  if (!command.entries.empty()) draft.add(model::ChangesRecorded{command.id, command.entries});
  return draft.finish();
}

base::Result<Decided> transition(const State& state, const SealChangeset& command,
                                 const Circumstances& circumstances) {
  CLEVER_ASSIGN(const CurrentChangeset changeset, open_changeset(state, command.id));
  if (changeset.entries != command.entries) {
    return refuse(state,
                  "changeset " + command.id.to_string() + " has " +
                      std::to_string(changeset.entries) + " entries, not " +
                      std::to_string(command.entries),
                  "seal what is there now");
  }
  Draft draft(state, circumstances);
  draft.add(model::ChangesetSealed{command.id, command.digest, command.entries});
  return draft.finish();
}

}  // namespace clever::plan::transitions

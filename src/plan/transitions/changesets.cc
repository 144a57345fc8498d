#include "model/change_events.h"
#include "plan/internal/draft.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

base::Result<void> check_open(const State& state, const model::ChangesetId& id) {
  const auto other = state.changesets.find(id);
  const bool sealed =
      other != state.changesets.end() && (other->second.digest || other->second.closed);
  if (!sealed && id != state.changeset.id) return {};
  return refuse(state, "changeset " + id.to_string() + " is sealed, or is that of the whole plan",
                "start another one");
}

}  // namespace

base::Result<Decided> transition(const State& state, const RecordChanges& command,
                                 const Circumstances& circumstances) {
  if (state.is_final()) {
    return refuse(state, "it has ended", "nothing more is recorded");
  }
  if (!command.id) return base::invalid_argument("a changeset needs an id");
  CLEVER_TRY(check_open(state, command.id));
  Draft draft(state, circumstances);
  if (!command.entries.empty()) {
    const bool begins = !state.changesets.contains(command.id);
    if (begins) draft.add(model::ChangesetStarted{command.id, command.decision});
    draft.add(model::ChangesRecorded{command.id, command.entries});
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions

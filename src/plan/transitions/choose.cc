#include "plan/edits.h"
#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

using model::Phase;
using model::PlanState;

// At rest, with changes that could land.
bool can_be_chosen_from(const State& state) {
  if (!state.changeset.digest) return false;
  if (state.phase == Phase::kExecute) {
    return state.state == PlanState::kComplete || state.state == PlanState::kConstrained;
  }
  return state.phase == Phase::kApply &&
         (state.state == PlanState::kConstrained || state.state == PlanState::kErrored ||
          state.state == PlanState::kWaiting);
}

// A person who edits files may resolve what is open in them.
base::Result<void> check_can_choose(const State& state, bool edits) {
  if (state.parent) {
    return refuse(state, "a subplan lands with the plan it belongs to",
                  "`agents plan status " + root_of(state).to_string() + "` shows it");
  }
  if (!can_be_chosen_from(state) || !state.effects.empty()) {
    return refuse(state, "there is nothing to choose from", what_works(state));
  }
  if (is_nothing(*state.changeset.digest)) {
    return refuse(state, "there is nothing to choose from: it changed no file", what_works(state));
  }
  if (!state.conflicts.empty() && !edits) {
    return refuse(state,
                  "conflicts are open in " + state.conflicts.front().path +
                      (state.conflicts.size() > 1 ? " and other files" : ""),
                  what_works(state));
  }
  return {};
}

base::Result<void> check_choice(const State& state, const Choose& command) {
  const base::Sha256Digest& digest = *state.changeset.digest;
  if (command.reviewed != digest) {
    return refuse(state, "digest " + command.reviewed.to_hex() + " is not what would land",
                  "the plan would land " + digest.to_hex() + ": look again with " +
                      command_line(state, "hunks"));
  }
  if (command.keep.empty() && command.edits.empty()) {
    return base::invalid_argument("nothing is chosen, so nothing is left to apply: " +
                                  command_line(state, "cancel") + " cancels the plan");
  }
  return {};
}

}  // namespace

base::Result<Decided> transition(const State& state, const Choose& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_can_choose(state, !command.edits.empty()));
  CLEVER_TRY(check_choice(state, command));
  Draft draft(state, circumstances);
  const std::string edits =
      command.edits.empty() ? "" : draft.keep(edits_to_json(command.edits)).to_hex();
  // The rest is work to review again, also for a plan that was about to land.
  draft.move(Phase::kExecute, PlanState::kProcessing);
  draft.request(EffectKind::kChoose, choose_data(command.reviewed, command.keep, edits));
  return draft.finish("\"reviewed\":\"" + command.reviewed.to_hex() + "\"");
}

}  // namespace clever::plan::transitions

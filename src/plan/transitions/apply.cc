#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/land.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"
#include "plan/internal/validate.h"

namespace clever::plan::transitions {
namespace {

using model::Phase;
using model::PlanState;

std::string receipt_of(const base::Sha256Digest& digest) {
  return "\"accepted\":true,\"digest\":\"" + digest.to_hex() + "\"";
}

bool waits_for_apply(const State& state) {
  if (state.phase == Phase::kExecute) return state.state == PlanState::kComplete;
  return state.phase == Phase::kApply &&
         (state.state == PlanState::kConstrained || state.state == PlanState::kErrored ||
          state.state == PlanState::kWaiting);
}

base::Result<void> check_apply(const State& state, const model::ApplyRequested& request) {
  if (state.parent) {
    return refuse(state, "a subplan lands with the plan it belongs to",
                  "`agents plan status " + root_of(state).to_string() + "` shows that");
  }
  if (!waits_for_apply(state) || !state.changeset.digest) {
    return refuse(state, "it is not ready to be applied", what_works(state));
  }
  if (is_nothing(*state.changeset.digest)) {
    return refuse(state, "there is nothing to apply: it changed no file", what_works(state));
  }
  if (validation_failed(state)) {
    return refuse(state, "it did not pass", validation_reason(state));
  }
  if (request.digest != *state.changeset.digest) {
    return refuse(state, "digest " + request.digest.to_hex() + " is not what would land",
                  "that is " + state.changeset.digest->to_hex() + ": look with " +
                      command_line(state, "diff"));
  }
  return {};
}

// Whoever asks again for what was asked for, or done, gets the same answer.
bool is_repeated(const State& state, const model::ApplyRequested& request) {
  if (state.state == PlanState::kApplied) return state.applied->digest == request.digest;
  return state.phase == Phase::kApply && state.state == PlanState::kProcessing &&
         state.apply->digest == request.digest;
}

}  // namespace

base::Result<Decided> transition(const State& state, const Apply& command,
                                 const Circumstances& circumstances) {
  Draft draft(state, circumstances);
  if (!is_repeated(state, command.request)) {
    if (state.state == PlanState::kApplied) {
      return refuse(state, "digest " + state.applied->digest.to_hex() + " was applied",
                    "it cannot be applied a second time");
    }
    CLEVER_TRY(check_apply(state, command.request));
    start_apply(draft, command.request);
  }
  return draft.finish(receipt_of(command.request.digest));
}

}  // namespace clever::plan::transitions

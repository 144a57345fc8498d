#include <algorithm>

#include "model/decision_events.h"
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

// The plan's state as it would land.
State as_requested(const State& state, const model::ApplyRequested& request) {
  State asked = state;
  asked.phase = Phase::kApply;
  asked.apply = request;
  return asked;
}

base::Result<void> check_validations(const State& state, const model::ApplyRequested& request) {
  const auto& all = state.settings.control.validations;
  for (const std::string& name : request.without) {
    if (std::ranges::find(all, name, &model::Validation::name) != all.end()) continue;
    std::string known;
    for (const model::Validation& one : all) known += (known.empty() ? "" : ", ") + one.name;
    return base::not_found("the plan has no validation '" + name + "'" +
                           (known.empty() ? "; it has none" : "; there are " + known));
  }
  if (const State asked = as_requested(state, request); validation_failed(asked)) {
    return refuse(state, "it did not pass", validation_reason(asked));
  }
  return {};
}

// Records the validations that a person overrides.
void record_override(Draft& draft, const model::ApplyRequested& request) {
  const State& state = draft.state();
  const bool counts = must_be_validated(state) && !request.without.empty();
  if (!counts) return;
  std::string names;
  for (const std::string& name : request.without) names += (names.empty() ? "" : ", ") + name;
  const std::string failed = what_did_not_pass(state);
  draft.add(model::DecisionRecorded{
      .id = draft.make_id<model::DecisionId>(),
      .parent = state.root_decision,
      .kind = model::DecisionKind::kUserIntervention,
      .question = "Is it to land" + (failed.empty() ? "?" : " although " + failed + "?"),
      .chosen = "yes, without " + names});
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
  CLEVER_TRY(check_validations(state, request));
  if (request.digest != *state.changeset.digest) {
    return refuse(state, "digest " + request.digest.to_hex() + " is not what would land",
                  "that is " + state.changeset.digest->to_hex() + ": look with " +
                      command_line(state, "diff"));
  }
  return {};
}

// Repeating a request that is pending or done gives the same answer.
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
                    "it cannot be applied again");
    }
    CLEVER_TRY(check_apply(state, command.request));
    record_override(draft, command.request);
    start_apply(draft, command.request);
  }
  return draft.finish(receipt_of(command.request.digest));
}

}  // namespace clever::plan::transitions

#include "plan/internal/land.h"

#include "plan/internal/enforce.h"
#include "plan/internal/refuse.h"
#include "plan/internal/validate.h"

namespace clever::plan {
namespace {

using model::Phase;
using model::PlanState;

constexpr std::size_t kMostConflictsNamed = 20;

std::string conflicts_of(const State& state) {
  std::string names;
  for (std::size_t i = 0; i < state.conflicts.size() && i < kMostConflictsNamed; ++i) {
    names += (i == 0 ? "" : ", ") + state.conflicts[i].path + " (" + state.conflicts[i].kind + ")";
  }
  if (state.conflicts.size() > kMostConflictsNamed) {
    names += " and " + std::to_string(state.conflicts.size() - kMostConflictsNamed) + " more";
  }
  return "open conflicts: " + names + "; " +
         (state.settings.takes_words()
              ? command_line(state, "prompt", " TEXT") + " asks the plan to resolve them"
              : command_line(state, "cancel") + " cancels it");
}

}  // namespace

void reopen(Draft& draft) { draft.move(Phase::kExecute, PlanState::kComplete); }

void start_apply(Draft& draft, const model::ApplyRequested& request) {
  draft.add(request);
  const std::string broken = broken_invariants(draft.state());
  if (!draft.state().conflicts.empty() || !broken.empty()) {
    draft.move(Phase::kApply, PlanState::kConstrained,
               broken.empty() ? conflicts_of(draft.state()) : broken);
    return;
  }
  if (draft.state().phase == Phase::kExecute) draft.move(Phase::kApply, PlanState::kQueued);
  draft.move(PlanState::kProcessing);
  validate_then(draft, EffectKind::kApply);
}

}  // namespace clever::plan

#include <algorithm>
#include <array>

#include "model/budget_events.h"
#include "model/change_events.h"
#include "model/control_events.h"
#include "model/decision_events.h"
#include "model/effect_events.h"
#include "model/plan_events.h"
#include "model/restored_events.h"
#include "model/work_events.h"
#include "plan/decide.h"
#include "plan/internal/folds.h"

namespace clever::plan {
namespace {

struct Entry {
  std::string_view kind;
  base::Result<void> (*fold)(State& state, const model::StoredEvent& event);
};

constexpr std::array kFolds{
    Entry{model::PlanCreated::kKind, folds::plan_created},
    Entry{model::PlanConfigured::kKind, folds::plan_configured},
    Entry{model::PlanPrompted::kKind, folds::plan_prompted},
    Entry{model::PlanMoved::kKind, folds::plan_moved},
    Entry{model::DecisionRecorded::kKind, folds::decision_recorded},
    Entry{model::DecisionSuperseded::kKind, folds::decision_superseded},
    Entry{model::BudgetReserved::kKind, folds::budget_reserved},
    Entry{model::BudgetSettled::kKind, folds::budget_settled},
    Entry{model::EffectRequested::kKind, folds::effect_requested},
    Entry{model::EffectSettled::kKind, folds::effect_settled},
    Entry{model::ChangesetStarted::kKind, folds::changeset_started},
    Entry{model::ChangesRecorded::kKind, folds::changes_recorded},
    Entry{model::ChangesetSealed::kKind, folds::changeset_sealed},
    Entry{model::WorkBegan::kKind, folds::work_began},
    Entry{model::MessageAdded::kKind, folds::message_added},
    Entry{model::TranscriptCut::kKind, folds::transcript_cut},
    Entry{model::ModelAnswered::kKind, folds::model_answered},
    Entry{model::ToolsRecorded::kKind, folds::tools_recorded},
    Entry{model::StrategyAccepted::kKind, folds::strategy_accepted},
    Entry{model::StepAdded::kKind, folds::step_added},
    Entry{model::StepMoved::kKind, folds::step_moved},
    Entry{model::BaseTaken::kKind, folds::base_taken},
    Entry{model::WorkMoved::kKind, folds::work_moved},
    Entry{model::WorkRestored::kKind, folds::work_restored},
    Entry{model::ChildrenMerged::kKind, folds::children_merged},
    Entry{model::ConflictsResolved::kKind, folds::conflicts_resolved},
    Entry{model::ErrorRecorded::kKind, folds::error_recorded},
    Entry{model::ApplyRequested::kKind, folds::apply_requested},
    Entry{model::ApplyEnded::kKind, folds::apply_ended},
    Entry{model::ApplyUndone::kKind, folds::apply_undone},
    Entry{model::PlanCorrected::kKind, folds::plan_corrected},
    Entry{model::ValidationsRan::kKind, folds::validations_ran},
    Entry{model::ApprovalRequested::kKind, folds::approval_requested},
    Entry{model::ApprovalGiven::kKind, folds::approval_given},
};

base::Result<void> check_place(const State& state, const model::StoredEvent& event) {
  if (event.sequence != state.sequence + 1) {
    return folds::cannot_follow(state, event,
                                "the next one is " + std::to_string(state.sequence + 1));
  }
  if (state.exists() && event.plan != state.id) {
    return folds::cannot_follow(state, event, "it is of plan " + event.plan.to_string());
  }
  if (!state.exists() && event.kind != model::PlanCreated::kKind) {
    return folds::cannot_follow(state, event,
                                "a plan begins with " + std::string(model::PlanCreated::kKind));
  }
  return {};
}

}  // namespace

namespace folds {

base::Error cannot_follow(const State& state, const model::StoredEvent& event,
                          const std::string& why) {
  return base::corruption("event " + std::to_string(event.sequence) + " (" + event.kind +
                          ") of plan " + event.plan.to_string() + " cannot follow event " +
                          std::to_string(state.sequence) + ": " + why);
}

}  // namespace folds

base::Result<void> evolve(State& state, const model::StoredEvent& event) {
  CLEVER_TRY(check_place(state, event));
  const auto* entry = std::ranges::find(kFolds, std::string_view(event.kind), &Entry::kind);
  if (entry != kFolds.end()) {
    CLEVER_TRY(entry->fold(state, event));
  }
  state.sequence = event.sequence;
  return {};
}

base::Result<State> fold(const std::vector<model::StoredEvent>& events) {
  State state;
  for (const model::StoredEvent& event : events) {
    CLEVER_TRY(evolve(state, event));
  }
  return state;
}

}  // namespace clever::plan

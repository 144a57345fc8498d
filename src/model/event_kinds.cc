#include "model/event_kinds.h"

#include "model/budget_events.h"
#include "model/change_events.h"
#include "model/control_events.h"
#include "model/decision_events.h"
#include "model/effect_events.h"
#include "model/plan_events.h"
#include "model/restored_events.h"
#include "model/retention_events.h"
#include "model/work_events.h"

namespace clever::model {

EventKinds::EventKinds() {
  for (const std::string_view kind :
       {PlanCreated::kKind,        PlanMoved::kKind,         DecisionRecorded::kKind,
        DecisionSuperseded::kKind, BudgetReserved::kKind,    BudgetSettled::kKind,
        BudgetReleased::kKind,     EffectRequested::kKind,   EffectSettled::kKind,
        ChangesetStarted::kKind,   ChangesRecorded::kKind,   ChangesetSealed::kKind,
        PlanConfigured::kKind,     PlanPrompted::kKind,      BaseTaken::kKind,
        MessageAdded::kKind,       TranscriptCut::kKind,     ModelAnswered::kKind,
        ToolsRecorded::kKind,      StrategyAccepted::kKind,  StepAdded::kKind,
        StepMoved::kKind,          WorkMoved::kKind,         WorkBegan::kKind,
        ChildrenMerged::kKind,     ConflictsResolved::kKind, ErrorRecorded::kKind,
        ApplyRequested::kKind,     ApplyEnded::kKind,        ApplyUndone::kKind,
        CommandRefused::kKind,     PlanCorrected::kKind,     ValidationsRan::kKind,
        ApprovalRequested::kKind,  ApprovalGiven::kKind,     ChangesChosen::kKind,
        WorkRestored::kKind,       PayloadsExpired::kKind}) {
    add(std::string(kind));
  }
}

EventKinds& EventKinds::add(std::string kind, std::vector<Upcast> upcasts) {
  upcasts_.insert_or_assign(std::move(kind), std::move(upcasts));
  return *this;
}

std::int64_t EventKinds::newest(std::string_view kind) const {
  const auto known = upcasts_.find(kind);
  return known == upcasts_.end() ? 0 : static_cast<std::int64_t>(known->second.size()) + 1;
}

base::Result<void> EventKinds::to_newest(StoredEvent& event) const {
  const auto known = upcasts_.find(event.kind);
  if (known == upcasts_.end()) return {};
  const auto newest = static_cast<std::int64_t>(known->second.size()) + 1;
  if (event.version > newest) {
    return base::conflict("event " + std::to_string(event.sequence) + " of plan " +
                          event.plan.to_string() + " is a " + event.kind + " of version " +
                          std::to_string(event.version) + "; this program knows versions up to " +
                          std::to_string(newest) + ": use a newer one");
  }
  if (event.version < 1) {
    return base::corruption(event.kind + " has no version " + std::to_string(event.version));
  }
  for (; event.version < newest; ++event.version) {
    const Upcast& upcast = known->second[static_cast<std::size_t>(event.version) - 1];
    CLEVER_ASSIGN(event.data, upcast(event.data));
  }
  return {};
}

}  // namespace clever::model

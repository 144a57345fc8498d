#include "storage/projections.h"

#include <array>

#include "model/budget_events.h"
#include "model/change_events.h"
#include "model/decision_events.h"
#include "model/effect_events.h"
#include "model/plan_events.h"
#include "model/restored_events.h"
#include "storage/projections/projections.h"

namespace clever::storage {
namespace {

using Projection = base::Result<void> (*)(const model::StoredEvent&, Projecting, UnitOfWork&);

struct Entry {
  std::string_view kind;
  Projection projection;
};

constexpr std::array<Entry, 13> kProjections{{
    {model::PlanCreated::kKind, projections::plan_created},
    {model::PlanMoved::kKind, projections::plan_moved},
    {model::DecisionRecorded::kKind, projections::decision_recorded},
    {model::DecisionSuperseded::kKind, projections::decision_superseded},
    {model::WorkRestored::kKind, projections::work_restored},
    {model::BudgetReserved::kKind, projections::budget_reserved},
    {model::BudgetSettled::kKind, projections::budget_settled},
    {model::BudgetReleased::kKind, projections::budget_released},
    {model::EffectRequested::kKind, projections::effect_requested},
    {model::EffectSettled::kKind, projections::effect_settled},
    {model::ChangesetStarted::kKind, projections::changeset_started},
    {model::ChangesRecorded::kKind, projections::changes_recorded},
    {model::ChangesetSealed::kKind, projections::changeset_sealed},
}};

}  // namespace

base::Result<void> project(const model::StoredEvent& event, Projecting why, UnitOfWork& unit) {
  for (const Entry& entry : kProjections) {
    if (entry.kind == event.kind) return entry.projection(event, why, unit);
  }
  return {};
}

}  // namespace clever::storage

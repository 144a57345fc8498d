#include "model/decision_events.h"
#include "model/restored_events.h"
#include "storage/keys.h"
#include "storage/projections/projections.h"

namespace clever::storage::projections {
namespace {

constexpr Sql kInsertDecision =
    "INSERT INTO decision (id, plan, parent, sequence, kind, question, chosen, confidence, data) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
// The rows of the plan are deleted by now; a row with this id was edited by hand.
constexpr Sql kReplaceDecision =
    "INSERT INTO decision (id, plan, parent, sequence, kind, question, chosen, confidence, data) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO UPDATE SET "
    "plan = excluded.plan, parent = excluded.parent, sequence = excluded.sequence, "
    "kind = excluded.kind, question = excluded.question, chosen = excluded.chosen, "
    "confidence = excluded.confidence, superseded = NULL, data = excluded.data";

constexpr Refusal kNoDecision{base::ErrorCode::kInvalidArgument,
                              "a decision to be superseded or restored is not one of this plan"};

}  // namespace

base::Result<void> decision_recorded(const model::StoredEvent& event, Projecting why,
                                     UnitOfWork& unit) {
  CLEVER_ASSIGN(model::DecisionRecorded decision, model::DecisionRecorded::parse(event.data));
  unit.require(1, kNotCreated,
               "UPDATE plan SET decisions = decisions + 1, updated = $2, sequence = $3 "
               "WHERE id = $1",
               to_blob(event.plan), model::to_microseconds(event.time), event.sequence);
  const Value confidence = decision.confidence ? Value(*decision.confidence) : Value(Null{});
  unit.run(why == Projecting::kAppend ? kInsertDecision : kReplaceDecision, to_blob(decision.id),
           to_blob(event.plan), to_blob_or_null(decision.parent), event.sequence,
           to_string(decision.kind), std::move(decision.question), std::move(decision.chosen),
           confidence, Blob{event.data});
  return {};
}

base::Result<void> decision_superseded(const model::StoredEvent& event, Projecting /*why*/,
                                       UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto superseded, model::DecisionSuperseded::parse(event.data));
  for (const model::DecisionId& id : superseded.ids) {
    unit.require(1, kNoDecision,
                 "UPDATE decision SET superseded = COALESCE(superseded, $3) "
                 "WHERE id = $1 AND plan = $2",
                 to_blob(id), to_blob(event.plan), event.sequence);
  }
  return {};
}

base::Result<void> work_restored(const model::StoredEvent& event, Projecting /*why*/,
                                 UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto restored, model::WorkRestored::parse(event.data));
  for (const model::RestoredDecision& decision : restored.decisions) {
    unit.require(1, kNoDecision,
                 "UPDATE decision SET superseded = NULL WHERE id = $1 AND plan = $2",
                 to_blob(decision.id), to_blob(event.plan));
  }
  return {};
}

}  // namespace clever::storage::projections

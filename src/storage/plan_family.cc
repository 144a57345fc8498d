#include "storage/plan_family.h"

#include "model/event_kinds.h"
#include "storage/internal/filled_id.h"
#include "storage/internal/plan_row.h"
#include "storage/keys.h"

namespace clever::storage {
namespace {

#define CLEVER_FAMILY                                                                           \
  "WITH RECURSIVE family(id) AS (SELECT id FROM plan WHERE id = $1 UNION ALL SELECT p.id FROM " \
  "plan p JOIN family f ON p.parent = f.id) "
#define CLEVER_DECISION                                                                     \
  "SELECT d.plan, d.id, d.parent, d.sequence, d.kind, d.question, d.chosen, d.confidence, " \
  "d.superseded, d.data FROM decision d "

constexpr Sql kFamilyPlans = CLEVER_FAMILY
    "SELECT p.id, p.parent, p.title, p.action, p.project, p.phase, p.state, p.decisions, p.spent, "
    "p.created, p.updated, p.sequence FROM plan p JOIN family f ON p.id = f.id ORDER BY p.id";
constexpr Sql kFamilyDecisions = CLEVER_FAMILY CLEVER_DECISION
    "JOIN family f ON d.plan = f.id ORDER BY d.plan, d.sequence, d.id";
constexpr Sql kByPrefix =
    CLEVER_DECISION "WHERE d.id >= $1 AND d.id <= $2 ORDER BY d.id DESC LIMIT 2";
constexpr Sql kFamilySteps = CLEVER_FAMILY
    "SELECT e.plan, e.sequence, e.kind, e.version, e.time, e.data FROM event e JOIN family f "
    "ON e.plan = f.id WHERE e.kind IN ('strategy.accepted', 'step.added', 'step.moved', "
    "'plan.corrected', 'plan.moved', 'work.moved', 'work.restored') ORDER BY e.plan, e.sequence";

#undef CLEVER_FAMILY
#undef CLEVER_DECISION

FamilyDecision decision_of(const Row& row) {
  return {.plan = id_of<model::PlanId>(row.blob(0)),
          .node = {.id = id_of<model::DecisionId>(row.blob(1)),
                   .parent = id_of<model::DecisionId>(row.blob(2)),
                   .sequence = row.integer(3),
                   .kind = row.text(4),
                   .question = row.text(5),
                   .chosen = row.text(6),
                   .confidence = row.is_null(7) ? std::nullopt : std::optional(row.real(7)),
                   .superseded = row.integer(8),
                   .data = row.blob(9),
                   .children = {}}};
}

model::StoredEvent event_of(const Row& row) {
  model::StoredEvent event;
  event.plan = id_of<model::PlanId>(row.blob(0));
  event.sequence = row.integer(1);
  event.kind = row.text(2);
  event.version = row.integer(3);
  event.time = model::to_timestamp(row.integer(4));
  event.data = row.blob(5);
  return event;
}

template <class T, class Read>
std::vector<T> all_of(const Rows& rows, Read read) {
  std::vector<T> all;
  all.reserve(rows.size());
  for (const Row& row : rows) all.push_back(read(row));
  return all;
}

}  // namespace

base::Result<std::vector<PlanSummary>> PlanFamily::plans(const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kFamilyPlans, to_blob(top_)), stop));
  return all_of<PlanSummary>(rows, internal::summary_of);
}

base::Result<std::vector<FamilyDecision>> PlanFamily::decisions(const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kFamilyDecisions, to_blob(top_)), stop));
  return all_of<FamilyDecision>(rows, decision_of);
}

base::Result<std::vector<model::StoredEvent>> PlanFamily::step_events(const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kFamilySteps, to_blob(top_)), stop));
  auto events = all_of<model::StoredEvent>(rows, event_of);
  const model::EventKinds kinds;
  for (model::StoredEvent& event : events) CLEVER_TRY(kinds.to_newest(event));
  return events;
}

base::Result<std::vector<FamilyDecision>> decisions_by_prefix(Engine& engine,
                                                              const std::string& prefix,
                                                              const base::StopToken& stop) {
  CLEVER_ASSIGN(Blob first, internal::filled_id<model::DecisionId>(prefix, '0'));
  CLEVER_ASSIGN(Blob last,
                internal::filled_id<model::DecisionId>(prefix.empty() ? "7" : prefix, 'Z'));
  CLEVER_ASSIGN(const Rows rows,
                engine.query(statement(kByPrefix, std::move(first), std::move(last)), stop));
  return all_of<FamilyDecision>(rows, decision_of);
}

}  // namespace clever::storage

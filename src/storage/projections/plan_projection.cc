#include "model/plan_events.h"
#include "storage/keys.h"
#include "storage/projections/projections.h"

namespace clever::storage::projections {

base::Result<void> plan_created(const model::StoredEvent& event, Projecting /*why*/,
                                UnitOfWork& unit) {
  CLEVER_ASSIGN(model::PlanCreated created, model::PlanCreated::parse(event.data));
  const std::int64_t time = model::to_microseconds(event.time);
  unit.run(
      "INSERT INTO plan (id, parent, title, action, project, phase, state, decisions, spent, "
      "created, updated, sequence) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8, $9, $10)",
      to_blob(event.plan), to_blob_or_null(created.parent), std::move(created.title),
      std::move(created.action), std::move(created.project), to_string(created.phase),
      to_string(created.state), time, time, event.sequence);
  return {};
}

base::Result<void> plan_moved(const model::StoredEvent& event, Projecting /*why*/,
                              UnitOfWork& unit) {
  CLEVER_ASSIGN(const model::PlanMoved moved, model::PlanMoved::parse(event.data));
  unit.require(1, kNotCreated,
               "UPDATE plan SET phase = $2, state = $3, updated = $4, sequence = $5 WHERE id = $1",
               to_blob(event.plan), to_string(moved.phase), to_string(moved.state),
               model::to_microseconds(event.time), event.sequence);
  return {};
}

}  // namespace clever::storage::projections

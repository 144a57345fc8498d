#include "storage/internal/event_rows.h"

#include "storage/keys.h"

namespace clever::storage::internal {
namespace {

constexpr Sql kRead =
    "SELECT sequence, epoch, time, kind, version, data, hash, position FROM event "
    "WHERE plan = $1 AND sequence >= $2 ORDER BY sequence LIMIT $3";

model::StoredEvent event_of(const model::PlanId& plan, const Row& row) {
  return {.plan = plan,
          .sequence = row.integer(0),
          .epoch = row.integer(1),
          .time = model::to_timestamp(row.integer(2)),
          .kind = row.text(3),
          .version = row.integer(4),
          .data = row.blob(5),
          .hash = digest_of(row.blob(6)),
          .position = row.integer(7)};
}

}  // namespace

base::Result<std::vector<model::StoredEvent>> read_events(Snapshot& view, const model::PlanId& plan,
                                                          std::int64_t from, std::size_t limit) {
  CLEVER_ASSIGN(const Rows rows, view.query(kRead, to_blob(plan), from, limit));
  std::vector<model::StoredEvent> events;
  events.reserve(rows.size());
  for (const Row& row : rows) events.push_back(event_of(plan, row));
  return events;
}

base::Result<JournalState> read_state(Snapshot& view, const model::PlanId& plan) {
  CLEVER_ASSIGN(
      const Rows rows,
      view.query("SELECT sequence, hash, epoch FROM journal WHERE plan = $1", to_blob(plan)));
  if (rows.empty()) return base::not_found("there is no plan " + plan.to_string());
  return JournalState{{rows[0].integer(0), digest_of(rows[0].blob(1))}, rows[0].integer(2)};
}

void insert_event(UnitOfWork& unit, model::StoredEvent event) {
  unit.run(
      "INSERT INTO event (plan, sequence, kind, version, epoch, time, data, hash) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
      to_blob(event.plan), event.sequence, std::move(event.kind), event.version, event.epoch,
      model::to_microseconds(event.time), Blob{std::move(event.data)}, to_blob(event.hash));
}

}  // namespace clever::storage::internal

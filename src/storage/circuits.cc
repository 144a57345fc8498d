#include "storage/circuits.h"

namespace clever::storage {
namespace {

CircuitRecord record_of(const Row& row) {
  return {row.text(0),
          row.text(1),
          row.text(2),
          row.text(3),
          model::to_timestamp(row.integer(4)),
          model::to_timestamp(row.integer(5)),
          row.integer(6)};
}

}  // namespace

UnitOfWork Circuits::opened(const std::string& provider, const std::string& model,
                            const std::string& reason, std::chrono::microseconds until_probe) {
  UnitOfWork unit;
  unit.run(
      "INSERT INTO circuit (provider, model, state, reason, next_probe, changed, resets) "
      "VALUES ($1, $2, 'open', $3, clever_now() + $4, clever_now(), 0) "
      "ON CONFLICT (provider, model) DO UPDATE SET state = excluded.state, "
      "reason = excluded.reason, next_probe = excluded.next_probe, changed = excluded.changed",
      provider, model, reason, until_probe.count());
  return unit;
}

UnitOfWork Circuits::closed(const std::string& provider, const std::string& model) {
  UnitOfWork unit;
  unit.run(
      "UPDATE circuit SET state = 'closed', reason = '', changed = clever_now() "
      "WHERE provider = $1 AND model = $2",
      provider, model);
  return unit;
}

base::Result<std::vector<CircuitRecord>> Circuits::list(const base::StopToken& stop,
                                                        base::Deadline deadline) {
  const Statement look = statement(
      "SELECT provider, model, state, reason, next_probe, changed, resets FROM circuit "
      "ORDER BY provider, model");
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  std::vector<CircuitRecord> records;
  for (const Row& row : rows) records.push_back(record_of(row));
  return records;
}

base::Result<std::size_t> Circuits::reset(const std::string& provider, const base::StopToken& stop,
                                          base::Deadline deadline) {
  UnitOfWork unit;
  const std::size_t open = unit.run(
      "SELECT count(*) FROM circuit WHERE state <> 'closed' AND (provider = $1 OR $1 = '')",
      provider);
  unit.run(
      "UPDATE circuit SET state = 'closed', reason = '', changed = clever_now(), "
      "resets = resets + 1 WHERE provider = $1 OR $1 = ''",
      provider);
  unit.notify(kTopic);
  CLEVER_ASSIGN(const Receipt receipt, engine_.commit(std::move(unit), stop, deadline));
  return static_cast<std::size_t>(receipt.outcomes[open].rows[0].integer(0));
}

}  // namespace clever::storage

#include "storage/effects.h"

#include "storage/keys.h"

namespace clever::storage {

base::Result<std::vector<OpenEffect>> Effects::open(const model::PlanId& plan,
                                                    const base::StopToken& stop,
                                                    base::Deadline deadline) {
  const Statement look = statement(
      "SELECT id, kind, data, requested FROM effect WHERE plan = $1 AND settled IS NULL "
      "ORDER BY requested, id",
      to_blob(plan));
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  std::vector<OpenEffect> effects;
  for (const Row& row : rows) {
    effects.push_back(
        {id_of<model::EffectId>(row.blob(0)), row.text(1), row.blob(2), row.integer(3)});
  }
  return effects;
}

}  // namespace clever::storage

#pragma once
#include "storage/keys.h"
#include "storage/plans.h"
#include "storage/rows.h"

namespace clever::storage::internal {

/// Reads a row of: id, parent, title, action, project, phase, state, decisions, spent, created,
/// updated, sequence.
[[nodiscard]] inline PlanSummary summary_of(const Row& row) {
  return {.id = id_of<model::PlanId>(row.blob(0)),
          .parent = id_of<model::PlanId>(row.blob(1)),
          .title = row.text(2),
          .action = row.text(3),
          .project = row.text(4),
          .phase = row.text(5),
          .state = row.text(6),
          .decisions = row.integer(7),
          .spent = row.integer(8),
          .created = model::to_timestamp(row.integer(9)),
          .updated = model::to_timestamp(row.integer(10)),
          .sequence = row.integer(11)};
}

}  // namespace clever::storage::internal

#pragma once
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/event_kinds.h"
#include "model/id.h"
#include "storage/engine.h"
#include "storage/row_verify.h"

namespace clever::storage::internal {

/// Compares the projections of plans with those that their events give in a database in memory.
/// Used by one thread.
class ProjectionCheck {
 public:
  static base::Result<ProjectionCheck> open(const model::EventKinds& kinds, base::Clock& clock);

  /// Checks the plan at one moment, which `view` shows.
  base::Result<void> check(Snapshot& view, const model::PlanId& plan, RowVerdict& verdict);

 private:
  ProjectionCheck(const model::EventKinds& kinds, std::unique_ptr<Engine> scratch)
      : kinds_(kinds), scratch_(std::move(scratch)) {}
  base::Result<void> project_events(Snapshot& view, const model::PlanId& plan);
  base::Result<void> clear(const model::PlanId& plan);

  const model::EventKinds& kinds_;
  std::unique_ptr<Engine> scratch_;
};

/// Adds the fault unless there are too many.
void add_row_fault(RowVerdict& verdict, RowFault fault);

}  // namespace clever::storage::internal

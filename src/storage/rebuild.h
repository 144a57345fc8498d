#pragma once
#include <cstdint>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/event_kinds.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::storage {

/// Rebuilds the tables beside the journal from the events: plans, decisions, effects, shares of
/// budgets and their sums. Raises epochs of leases and journals to those of the events, and
/// restores the jobs of waiting effects. Other jobs, and caps, stay unchanged.
///
/// Thread-safe; others may work meanwhile: each plan is rebuilt in its own transaction, which
/// starts again if the plan gained events. The engine must outlive it.
class Rebuild {
 public:
  explicit Rebuild(Engine& engine, model::EventKinds kinds = {})
      : engine_(engine), kinds_(std::move(kinds)) {}

  struct Done {
    std::uint64_t plans = 0;
    std::uint64_t events = 0;
  };
  /// `cancelled` on a stop; finished plans stay rebuilt. `conflict` if an event is newer than this
  /// program.
  base::Result<Done> run(const Progress& progress, const base::StopToken& stop = {});

  /// Rebuilds one plan alone, without the sums of budgets; returns the number of its events.
  base::Result<std::uint64_t> run_plan(const model::PlanId& plan, const base::StopToken& stop = {});

 private:
  base::Result<void> drop_orphans(const base::StopToken& stop);
  base::Result<void> sum_budgets(const base::StopToken& stop);

  Engine& engine_;
  const model::EventKinds kinds_;
};

}  // namespace clever::storage

#pragma once
#include <cstdint>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/event_kinds.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::storage {

/// Makes the tables beside the journal anew from the events: plans, decisions, effects, shares of
/// budgets and their sums; epochs of leases and journals are raised to those of the events, and the
/// jobs of effects that wait for one are put back. Jobs that belong to no effect stay as they are,
/// and so do caps.
///
/// Thread-safe; others may work meanwhile: each plan is done in a transaction of its own, which
/// begins anew if the plan moved on. The engine must outlive it.
class Rebuild {
 public:
  explicit Rebuild(Engine& engine, model::EventKinds kinds = {})
      : engine_(engine), kinds_(std::move(kinds)) {}

  struct Done {
    std::uint64_t plans = 0;
    std::uint64_t events = 0;
  };
  /// `cancelled` on a stop: the plans done so far are done. `conflict` if an event is newer than
  /// this program.
  base::Result<Done> run(const Progress& progress, const base::StopToken& stop = {});

  /// One plan alone, without the sums of budgets; the number of its events.
  base::Result<std::uint64_t> run_plan(const model::PlanId& plan, const base::StopToken& stop = {});

 private:
  base::Result<void> drop_orphans(const base::StopToken& stop);
  base::Result<void> sum_budgets(const base::StopToken& stop);

  Engine& engine_;
  const model::EventKinds kinds_;
};

}  // namespace clever::storage

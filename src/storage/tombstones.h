#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/event.h"
#include "model/id.h"
#include "model/time.h"
#include "model/tombstone.h"
#include "storage/engine.h"
#include "storage/owner_lock.h"
#include "storage/plans.h"

namespace clever::storage {

/// What was deleted. A value.
struct DeletedJournals {
  std::uint64_t plans = 0;
  std::uint64_t events = 0;
};

/// Deletes whole journals of applied or cancelled plans, with all rows beside them, and leaves a
/// tombstone for each. Tombstones form a chain. A plan's costs, traces of calls and lease stay, so
/// that sums hold and a journal that vanished without a tombstone is noticed.
///
/// Thread-safe; its references must outlive it. A plan goes with its subplans in one transaction,
/// under their leases, so a crash leaves all or nothing of it. `conflict` while a process drives
/// the plan, or if it has not ended.
class Tombstones {
 public:
  /// Makes the lines of an audit from the events of one plan.
  using AuditOf = std::function<base::Result<std::vector<model::Tombstone::Audit>>(
      const std::vector<model::StoredEvent>& events)>;

  Tombstones(Engine& engine, base::Clock& clock, const OwnerLock& owner)
      : engine_(engine), clock_(clock), owner_(owner) {}

  /// The root plans whose journals may go and last grew before `before`, oldest first. Excludes
  /// plans with unsaved work, an unreleased reservation, or a failed subplan.
  [[nodiscard]] static base::Result<std::vector<PlanSummary>> due(Engine& engine,
                                                                  model::Timestamp before,
                                                                  std::size_t limit,
                                                                  const base::StopToken& stop = {});
  /// Deletes the journals of the plan, which due() lists, and of its subplans.
  base::Result<DeletedJournals> bury(const model::PlanId& plan, const AuditOf& audit,
                                     const base::StopToken& stop = {});

  /// How many plans have one.
  [[nodiscard]] static base::Result<std::uint64_t> count(Engine& engine,
                                                         const base::StopToken& stop = {});
  /// The tombstone of the plan whose id has this prefix, or none.
  [[nodiscard]] static base::Result<std::optional<model::Tombstone>> find_by_prefix(
      Engine& engine, const std::string& prefix, const base::StopToken& stop = {});

 private:
  Engine& engine_;
  base::Clock& clock_;
  const OwnerLock& owner_;
};

}  // namespace clever::storage

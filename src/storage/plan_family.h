#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/event.h"
#include "model/id.h"
#include "storage/decisions.h"
#include "storage/engine.h"
#include "storage/plans.h"

namespace clever::storage {

/// A decision and its plan. A value.
struct FamilyDecision {
  model::PlanId plan{};
  DecisionNode node{};
};

/// A plan and all plans below it, as trees show them: one statement per query, for any number of
/// plans.
///
/// Thread-safe. The engine must outlive it.
class PlanFamily {
 public:
  PlanFamily(Engine& engine, const model::PlanId& top) : engine_(engine), top_(top) {}

  /// Sorted by id.
  [[nodiscard]] base::Result<std::vector<PlanSummary>> plans(const base::StopToken& stop = {});
  /// Sorted by plan, then in the order in which they were made; `children` stays empty.
  [[nodiscard]] base::Result<std::vector<FamilyDecision>> decisions(
      const base::StopToken& stop = {});
  /// The events about their steps: strategies, added, moved or corrected steps, rollbacks. Sorted
  /// by plan, then by sequence; without hashes.
  [[nodiscard]] base::Result<std::vector<model::StoredEvent>> step_events(
      const base::StopToken& stop = {});

 private:
  Engine& engine_;
  const model::PlanId top_;
};

/// The decisions of all plans whose id has this prefix, in either case; at most two.
/// `invalid_argument` if no id can begin like this.
[[nodiscard]] base::Result<std::vector<FamilyDecision>> decisions_by_prefix(
    Engine& engine, const std::string& prefix, const base::StopToken& stop = {});

}  // namespace clever::storage

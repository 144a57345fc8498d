#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "base/ulid.h"
#include "engine/plan_writer.h"
#include "model/id.h"
#include "sandbox/changeset.h"

namespace clever::engine {

/// What the nodes, tools and services that work for one plan at the same time share: its identity,
/// its stop and the one way to write something down. Nothing in it is "current": whoever starts a
/// changeset gets a handle of its own and records through that.
///
/// Owned by who drives the plan, for as long as its lease lasts. Thread-safe. When a call returns
/// what it wrote is durable; `conflict` once the lease is lost.
class PlanExecutionContext {
 public:
  PlanExecutionContext(PlanWriter& writer, PlanStore& store, base::UlidGenerator& ids,
                       base::StopToken stop);
  ~PlanExecutionContext();

  [[nodiscard]] model::PlanId plan() const;
  [[nodiscard]] const base::StopToken& stop() const { return stop_; }

  [[nodiscard]] base::Result<sandbox::Changeset> start_changeset(
      const model::DecisionId& decision = {});
  [[nodiscard]] base::Result<sandbox::Changeset> resume_changeset(const model::ChangesetId& id);
  base::Result<model::DecisionId> record(plan::RecordDecision decision);

 private:
  PlanWriter& writer_;
  base::UlidGenerator& ids_;
  const base::StopToken stop_;
  const std::unique_ptr<sandbox::ChangeLog> log_;
};

}  // namespace clever::engine

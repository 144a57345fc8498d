#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "base/result.h"
#include "base/stop_token.h"
#include "engine/observer.h"
#include "model/id.h"
#include "plan/state.h"
#include "service/commands/plan_follow.h"
#include "service/context.h"
#include "service/demo/demo_worker.h"
#include "storage/engine.h"

namespace clever::service {

/// Looks at a plan that another process works on, and at its subplans, through that process's
/// database alone.
///
/// Used by one thread.
class DemoWatch {
 public:
  /// The plan in the database of `home`, as soon as the worker has made it. `unavailable` if the
  /// worker ends without one; `cancelled`.
  [[nodiscard]] static base::Result<std::unique_ptr<DemoWatch>> find(
      const std::filesystem::path& home, const DemoWorker& worker, Context& context);
  DemoWatch(std::shared_ptr<storage::Engine> engine, const model::PlanId& plan, Context& context);

  using Enough = std::function<bool(const plan::State&)>;
  /// Shows what comes until `enough` or the worker's end.
  base::Result<void> watch(engine::Observer& observer, const DemoWorker& worker,
                           const base::StopToken& stop, const Enough& enough);
  /// What is there now; without an observer nothing is shown.
  base::Result<void> look(engine::Observer* observer, const base::StopToken& stop);

  [[nodiscard]] const plan::State& state() const { return follower_.state(); }
  [[nodiscard]] const model::PlanId& id() const { return plan_; }
  /// Of models, in the plan and those below it.
  [[nodiscard]] std::int64_t answers() const { return answers_; }

 private:
  const std::shared_ptr<storage::Engine> engine_;
  PlanFollower follower_;
  const model::PlanId plan_;
  std::int64_t answers_ = 0;
};

}  // namespace clever::service

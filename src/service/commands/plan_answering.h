#pragma once
// Private to the module.
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/observer.h"
#include "plan/command.h"
#include "service/commands/plan_follow.h"
#include "service/live.h"
#include "service/plan/workplace.h"

namespace clever::service {

/// Asks at a terminal for the approvals that followed plans wait for, each once. Sends the answers
/// to the plan. While it lives, this process drives the plan, unless another one does.
///
/// Used by one thread. What it is given outlives it.
class PlanAnswering {
 public:
  PlanAnswering(const PlanDatabase& database, WorkplaceOptions options, LiveDisplay& progress,
                Context& context);

  /// Returns true if a person answered: the plan has the answer and continues. `tell`: of what
  /// happens meanwhile.
  base::Result<bool> answer(PlanFollower& follower, const PlanFollower::Seen& tell);

 private:
  // What a plan does that is driven here, beside its events: those come from the journal, whichever
  // process drives the plan.
  class AllButEvents;

  // The plan itself or the first of its subplans that asks for something new.
  [[nodiscard]] const plan::State* asking(const PlanFollower& follower,
                                          const plan::State& plan) const;
  base::Result<std::vector<plan::Command>> ask(const Screen& screen, const plan::State& plan);
  base::Result<void> send(const plan::State& plan, const std::vector<plan::Command>& commands);
  base::Result<void> hear(PlanFollower& follower, std::int64_t before,
                          const PlanFollower::Seen& tell);

  const PlanDatabase& database_;
  LiveDisplay& progress_;
  Context& context_;
  const std::unique_ptr<engine::Observer> rest_;
  WorkplaceOptions options_;
  std::set<std::pair<model::PlanId, std::int64_t>> asked_;
  // Shows itself to rest_.
  std::unique_ptr<Workplace> workplace_;
};

}  // namespace clever::service

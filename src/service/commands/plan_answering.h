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

/// Asks for what plans that are followed wait for, where somebody sits at a terminal; each request
/// once. What they say is sent to the plan, which this process drives on if nobody else does, for
/// as long as this lives.
///
/// Used by one thread. What it is given outlives it.
class PlanAnswering {
 public:
  PlanAnswering(const PlanDatabase& database, WorkplaceOptions options, LiveDisplay& progress,
                Context& context);

  /// Whether somebody said something: the plan has heard of it, and goes on. `tell`: of what
  /// happens meanwhile.
  base::Result<bool> answer(PlanFollower& follower, const PlanFollower::Seen& tell);

 private:
  // What a plan does that is driven here, beside its events: those come from the journal, whoever
  // drives it.
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

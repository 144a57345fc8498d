#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stop_token.h"
#include "model/id.h"
#include "plan/command.h"
#include "plan/state.h"
#include "storage/leases.h"

namespace clever::engine {

class Observer;
class PlanExecutionContext;

/// An effect whose request is durable, and what it works with. A value.
struct EffectOrder {
  model::EffectId id{};
  plan::EffectKind kind = plan::EffectKind::kBase;
  /// As requested, JSON.
  std::string data{};
  /// The plan as it was when the effect was requested (or taken over); never changes.
  std::shared_ptr<const plan::State> plan{};
  /// Of the plan, as this process holds it: workspaces belong to it.
  storage::Lease lease{};
  /// Asked for when the plan is cancelled, the lease was lost or the process ends.
  base::StopToken stop{};
  Observer* observer = nullptr;
  /// Of work by an external agent: writes down what it used so far. `answered`, at most once and on
  /// whatever thread, says whether it may use more. May be empty.
  std::function<void(plan::AgentCharged used, std::function<void(bool)> answered)> charge{};
  /// Of work by an external agent: records what it said and did since the last call. May be empty.
  std::function<void(std::vector<plan::AgentTurn>)> said{};
  /// Writes down something that a person should find in the plan's decisions. May be empty.
  std::function<void(plan::RecordDecision)> note{};
  /// What it changes is recorded through a changeset that it starts here, before its outcome.
  std::shared_ptr<PlanExecutionContext> context{};
};

/// Runs effects of some kinds. Owned by the composition root; the destructor waits for what runs.
///
/// start() is called on the plan's strand and must not block: what blocks goes to
/// Scheduler::blocking(). `done` is called exactly once, on whatever thread, with the command that
/// brings the outcome back (a RecordError if it failed, EffectStopped after a stop). It may be
/// called before start() returns. An effect may be started again after a crash, with the same id.
class EffectRunner {
 public:
  using Done = std::move_only_function<void(plan::Command)>;
  virtual ~EffectRunner() = default;
  virtual void start(EffectOrder order, Done done) = 0;
};

}  // namespace clever::engine

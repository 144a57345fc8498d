#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/random.h"
#include "base/result.h"
#include "base/secrets.h"
#include "base/stop_token.h"
#include "base/ulid.h"
#include "engine/effect_runner.h"
#include "engine/observer.h"
#include "engine/plan_store.h"
#include "engine/plan_writer.h"
#include "engine/scheduler.h"
#include "plan/command.h"
#include "plan/decide.h"
#include "storage/unit_of_work.h"

namespace clever::engine {

/// What a command sent to a plan came to.
struct CommandAnswer {
  /// False: the same command was sent before, and this is what became of that one.
  bool is_new = true;
  std::int64_t sequence = 0;
  /// JSON; of a refusal {"refused":CODE,"reason":…,"phase":…,"state":…}.
  std::string receipt{};
};

/// Drives plans: one strand per plan; effects start after commit, and their outcome is a command
/// again. One process drives a tree of plans: the holder of the root's lease also takes those of
/// its subplans.
///
/// One per process, made by the composition root. Thread-safe. A plan that waits holds no thread.
/// Destroying it asks all effects to stop, waits for them and releases the leases: the plans stay
/// as they are, and any process can resume them.
class PlanEngine {
 public:
  struct Parts {
    PlanStore& store;
    Scheduler& scheduler;
    base::UlidGenerator& ids;
    /// All kinds of effects but kTimer and kSubplan, which are the engine's own.
    EffectRunner& effects;
    /// What the child of a subplan.run effect is created with; answers once, on whatever thread,
    /// and does not block. Asked only if the child has no journal yet.
    std::function<void(EffectOrder, std::move_only_function<void(base::Result<plan::Create>)>)>
        child;
    /// May be null.
    Observer* observer = nullptr;
    /// Fills in what a command needs to know that only this process knows (Prompt::terms).
    std::function<base::Result<void>(plan::Command&)> prepare{};
    /// Masked in the words of commands before they are stored; may be null.
    const base::Secrets* secrets = nullptr;
    /// What a budget's scope that has no cap yet ("day/…", a subplan's) may cost; none given: as
    /// much as it takes.
    std::function<storage::Caps(const std::string& scope)> caps{};
    /// For each append of a plan that is driven, on its strand; may be empty.
    Amend amend{};
    /// Leases are renewed at a third of it.
    std::chrono::milliseconds lease{std::chrono::seconds{30}};
    /// Most plans that are driven at once; further subplans wait in the order of their spawning.
    std::size_t most_plans = 20'000;
  };

  [[nodiscard]] static std::unique_ptr<PlanEngine> make(Parts parts);
  ~PlanEngine();

  /// A new plan, durable when this returns, and driven by this process. It and its subplans never
  /// cost more than `caps` (scope plan/ID).
  base::Result<model::PlanId> create(plan::Create command, const storage::Caps& caps,
                                     const base::StopToken& stop = {});

  /// What is committed together with a new plan: a job of which a process drives it, for one.
  using With = std::function<base::Result<storage::UnitOfWork>(const model::PlanId& plan)>;
  /// The same, but not driven yet: another process is to do that. `with` may be empty.
  base::Result<model::PlanId> record(plan::Create command, const storage::Caps& caps,
                                     const With& with = {}, const base::StopToken& stop = {});

  /// Takes the plan's root over, and drives it and its subplans on. Fine if this process does so
  /// already. `conflict` names the living process that does; `not_found`.
  base::Result<void> drive(const model::PlanId& plan, const base::StopToken& stop = {});

  /// Sends a command under an idempotency key, has the plan driven (by this process, if no other
  /// does), and waits for the answer. A refusal is an answer; an error means that the command was
  /// not sent or its answer not received. `conflict`: the key was used for something else.
  base::Result<CommandAnswer> command(const model::PlanId& plan, std::string key,
                                      const plan::Command& command,
                                      const base::StopToken& stop = {},
                                      base::Deadline deadline = base::Deadline::never());

  /// Waits until the plan is at rest (plan::State::is_at_rest), driven by this process if no other
  /// does; returns the state then. If this process cannot write to the store any more, returns the
  /// store's error; the plans are then left as they are, as after a stop.
  base::Result<std::shared_ptr<const plan::State>> wait(
      const model::PlanId& plan, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

  /// The plan as its journal has it now. `not_found`.
  [[nodiscard]] base::Result<std::shared_ptr<const plan::State>> state(const model::PlanId& plan);

 private:
  class Impl;
  explicit PlanEngine(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace clever::engine

#pragma once
// What commands on plans begin with: the database, the plan that is meant, and the engine. Private
// to the module.
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/random.h"
#include "base/result.h"
#include "base/ulid.h"
#include "engine/actor/new_plan.h"
#include "engine/observer.h"
#include "engine/runtime.h"
#include "plan/state.h"
#include "service/context.h"
#include "service/invocation.h"
#include "service/models.h"
#include "service/notice/notice_targets.h"
#include "storage/decisions.h"
#include "storage/engine.h"
#include "storage/plans.h"
#include "storage/subscription.h"

namespace clever::service {

using storage::DecisionNode;
using storage::PlanSummary;
using storage::Subscription;

/// --database, for every command on plans.
[[nodiscard]] Option plan_database_option();
/// The plans of a project, alone or together with others.
[[nodiscard]] storage::PlanFilter plans_of(const std::string& project, const Context& context);
/// PLAN: an id, a unique beginning or end of one, or nothing for the newest plan of this directory.
[[nodiscard]] Positional plan_positional();

/// The database of a command line, open. Looking at plans needs nothing else.
class PlanDatabase {
 public:
  [[nodiscard]] static base::Result<PlanDatabase> open(const Invocation& invocation,
                                                       Context& context);

  /// One that is open already.
  [[nodiscard]] static PlanDatabase over(std::shared_ptr<storage::Engine> engine,
                                         Context& context) {
    return {std::move(engine), context};
  }

  [[nodiscard]] storage::Engine& engine() const { return *engine_; }
  /// The plan that a word means; an empty one: the newest root plan of the project in which the
  /// command works. `not_found` says how to make one.
  [[nodiscard]] base::Result<storage::PlanSummary> find(const std::string& word) const;
  /// The root plans of that project in these states, the newest first.
  [[nodiscard]] base::Result<std::vector<PlanSummary>> in_states(
      const std::vector<std::string_view>& states) const;
  /// Folded from its journal.
  [[nodiscard]] base::Result<plan::State> state(const model::PlanId& plan) const;
  /// The plans at and below it, the root first, then by id.
  [[nodiscard]] base::Result<std::vector<storage::PlanSummary>> tree(
      const model::PlanId& plan) const;
  /// The newest plans of a project, of all projects for an empty one; subplans too.
  [[nodiscard]] base::Result<std::vector<PlanSummary>> list(const std::string& project,
                                                            std::size_t most,
                                                            const base::StopToken& stop) const;
  /// The decisions of a plan, the superseded ones too.
  [[nodiscard]] base::Result<std::vector<DecisionNode>> decisions(
      const model::PlanId& plan, const base::StopToken& stop) const;
  /// Calls `note`, which must not block, when a plan is made, or when something happens to one.
  [[nodiscard]] std::unique_ptr<Subscription> on_new_plan(std::function<void()> note) const;
  [[nodiscard]] std::unique_ptr<Subscription> on_change(const model::PlanId& plan,
                                                        std::function<void()> note) const;

 private:
  base::Result<void> each_plan(const storage::PlanFilter& filter,
                               const std::function<void(const PlanSummary&)>& take) const;
  /// None if no plan's id ends so; `conflict` if several do.
  [[nodiscard]] base::Result<std::optional<PlanSummary>> find_by_ending(
      const std::string& word) const;

  PlanDatabase(std::shared_ptr<storage::Engine> engine, Context& context)
      : engine_(std::move(engine)), context_(&context) {}
  std::shared_ptr<storage::Engine> engine_;
  Context* context_;
};

/// How a command works with the engine.
struct WorkplaceOptions {
  /// The folder of the project; empty: where the command works.
  std::filesystem::path project{};
  /// Plans of any project are worked on: there is no project().
  bool any_project = false;
  AnswerSource answers{};
  /// A script that answers in place of every provider; a path.
  std::string script{};
  engine::Observer* observer = nullptr;
  /// RuntimeOptions::gate.
  engine::EffectGate* gate = nullptr;
  bool unconfined = false;
};

/// What new plans are made with. A value; what it refers to outlives it.
struct PlanParts {
  const engine::ActorCatalog& actors;
  engine::TermsOf terms{};
  engine::PlanStore& store;
};
[[nodiscard]] PlanParts plan_parts(engine::Runtime& runtime, const engine::OpenProject& project);

/// The providers that a command with these options calls.
[[nodiscard]] base::Result<provider::ProviderSettings> usable_providers(
    const WorkplaceOptions& options, Context& context);

/// The engine, for as long as a command runs, and the project that the command is about. Used by
/// one thread; what it gives is thread-safe.
class Workplace {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<Workplace>> open(
      const PlanDatabase& database, const WorkplaceOptions& options, Context& context);
  [[nodiscard]] engine::Runtime& runtime() { return *runtime_; }
  [[nodiscard]] engine::OpenProject& project() { return *project_; }
  /// Where notices of its plans go.
  [[nodiscard]] NoticeTargets& notices() { return notices_; }
  /// Calls that begin from now on go by these; `invalid_argument`: nothing changed.
  base::Result<void> reconfigure(const provider::ProviderSettings& settings);
  /// What a call of this model would wait for, if that is known to take longer than a moment. None
  /// too if another model of its chain can answer. Thread-safe.
  [[nodiscard]] std::optional<engine::WaitNotice> known_wait(const std::string& model);

 private:
  Workplace(storage::Engine& database, const AnswerSource& answers, Context& context);
  base::Result<void> start(storage::Engine& database, const WorkplaceOptions& options,
                           Context& context);

  base::Clock& clock_;
  base::SystemRandom random_;
  base::UlidGenerator ids_;
  NoticeTargets notices_;
  // Those below use those above.
  const std::unique_ptr<provider::ModelService> models_;
  std::unique_ptr<engine::Runtime> runtime_;
  std::shared_ptr<engine::OpenProject> project_;
};

}  // namespace clever::service

#pragma once
// Everything that effects of plans need, over a real repository, a database in memory and a model
// that answers from a script. Link CleverAgents::engine and clever_confine_launcher.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/monitor.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "base/ulid.h"
#include "engine/actor/tool_actor.h"
#include "engine/actor/turn_request.h"
#include "engine/effects/effects.h"
#include "engine/effects/workspaces.h"
#include "engine/observer.h"
#include "engine/plan_execution_context.h"
#include "engine/stored_plans.h"
#include "engine/thread_scheduler.h"
#include "git/tree.h"
#include "provider/model_service.h"
#include "provider/scripted/scripted_backend.h"
#include "sandbox/sandbox_manager.h"
#include "storage/bodies.h"
#include "storage/database_source.h"
#include "storage/engine_cache.h"
#include "support/confine_launcher.h"
#include "support/repository.h"
#include "tool/builtin_tools.h"
#include "tool/runner.h"

namespace clever::test {

/// What an effect came to, waited for.
class EffectEnd {
 public:
  [[nodiscard]] engine::EffectRunner::Done done() {
    return [this](plan::Command outcome) {
      outcomes_.update([&](auto& outcomes) { outcomes.push_back(std::move(outcome)); });
    };
  }
  [[nodiscard]] plan::Command wait() {
    return outcomes_
        .update_when(
            {}, [](const auto& outcomes) { return !outcomes.empty(); },
            [](auto& outcomes) { return outcomes.front(); })
        .value();
  }
  [[nodiscard]] std::size_t times() const {
    return outcomes_.read([](const auto& outcomes) { return outcomes.size(); });
  }

 private:
  base::Monitor<std::vector<plan::Command>> outcomes_;
};

class EffectsWorld {
 public:
  enum class Database { kMemory, kFile };

  explicit EffectsWorld(std::string_view script = "rules: [{reply: Done.}]",
                        Database database = Database::kMemory)
      : script_(script),
        engine_(cache_.open(url(database)).value()),
        owner_(storage::OwnerLock::acquire(repository.beside("owners"), model::OwnerId(ids.next()))
                   .value()),
        store(*engine_, clock, owner_),
        records_(sandbox::stored_sandbox_records(*engine_, clock)),
        sandboxes({.folder = repository.beside("sandboxes"), .database = "test"}, *records_, owner_,
                  ids),
        models({clock, random_, timers_, pool_, nullptr},
               [this](const provider::Endpoint& endpoint)
                   -> base::Result<std::shared_ptr<provider::Backend>> {
                 return std::make_shared<provider::ScriptedBackend>(
                     endpoint.provider, provider::Script::parse(script_, "script.yaml").value(),
                     timers_, pool_);
               }) {
    provider::ProviderSettings settings;
    settings.providers.push_back({.endpoint = {.provider = "demo",
                                               .wire = provider::Wire::kScripted,
                                               .base_url = "script.yaml",
                                               .local = true},
                                  .default_model = "m"});
    models.registry().reconfigure(settings).value();
    registry.set(tool::kBuiltinOrigin, tool::builtin_tools({})).value();
  }

  [[nodiscard]] engine::EffectParts parts() {
    return {.store = store,
            .database = *engine_,
            .scheduler = scheduler,
            .workspaces = workspaces,
            .models = models.client(),
            .providers = models.registry(),
            .tools = tools,
            .project = [this](const std::string& folder,
                              const base::StopToken&) { return project_parts(folder); },
            .applies = repository.beside("applies"),
            .secrets = &secrets};
  }
  /// Whatever the project, its tools and actors are those of this world.
  [[nodiscard]] base::Result<std::shared_ptr<const engine::ProjectParts>> project_parts(
      const std::string& folder) {
    CLEVER_ASSIGN(engine::FoundProject found, engine::find_project(folder));
    return std::make_shared<const engine::ProjectParts>(
        engine::ProjectParts{.found = std::move(found),
                             .registry = registry,
                             .context = context,
                             .actors = actors,
                             .commands = commands,
                             .launcher = confine_launcher(),
                             .world = command_world});
  }
  [[nodiscard]] storage::Engine& database() { return *engine_; }
  [[nodiscard]] const storage::OwnerLock& owner() const { return owner_; }

  template <class Id>
  [[nodiscard]] Id next() {
    return Id(ids.next());
  }

  /// A plan on the repository whose base is not taken.
  [[nodiscard]] plan::State new_plan() {
    plan::State plan;
    plan.id = next<model::PlanId>();
    plan.sequence = 1;
    plan.title = "A task";
    plan.project = repository.path().string();
    plan.phase = model::Phase::kExecute;
    plan.state = model::PlanState::kProcessing;
    plan.settings.terms.model = "demo/m";
    return plan;
  }
  /// The same, at its base: the repository as it is now.
  [[nodiscard]] plan::State plan_at_base() {
    plan::State plan = new_plan();
    plan.base = std::get<plan::BaseIsTaken>(run(plan, plan::EffectKind::kBase)).base;
    plan.tree = plan.base->tree;
    return plan;
  }

  [[nodiscard]] engine::EffectOrder order(const plan::State& plan, plan::EffectKind kind,
                                          std::string data = "{}") {
    const auto lease = leases_.find(plan.id);
    if (lease == leases_.end()) leases_[plan.id] = store.acquire(plan.id).value();
    return {.id = next<model::EffectId>(),
            .kind = kind,
            .data = std::move(data),
            .plan = std::make_shared<const plan::State>(plan),
            .lease = leases_[plan.id],
            .observer = observer,
            .context = context_of_plans_};
  }
  /// Runs an effect to its end.
  [[nodiscard]] plan::Command run(const plan::State& plan, plan::EffectKind kind,
                                  std::string data = "{}") {
    EffectEnd end;
    const auto effects = engine::make_effects(parts());
    effects->start(order(plan, kind, std::move(data)), end.done());
    return end.wait();
  }
  /// What effects recorded since this was asked last.
  [[nodiscard]] std::vector<model::ChangeEntry> take_changes() {
    return changes_.with([](auto& changes) { return std::exchange(changes, {}); });
  }
  /// The plan's lease was lost and taken again.
  void renew_lease(const model::PlanId& plan) {
    if (const auto lease = leases_.find(plan); lease != leases_.end()) {
      store.release(lease->second).value();
    }
    leases_[plan] = store.acquire(plan).value();
  }
  [[nodiscard]] storage::Lease lease(const model::PlanId& plan) { return leases_.at(plan); }

  /// Stores a message, as the journal does.
  [[nodiscard]] base::Sha256Digest keep(const model::Message& message) {
    const auto body = storage::Body::of(model::to_json({message}));
    storage::UnitOfWork unit;
    storage::Bodies::put(unit, body);
    engine_->commit(std::move(unit)).value();
    return body.hash;
  }
  /// The plan's tree with one file written.
  [[nodiscard]] std::string with_file(const plan::State& plan, std::string_view path,
                                      std::string_view content) {
    return edited(plan, {{path, content}});
  }
  [[nodiscard]] std::string edited(
      const plan::State& plan,
      const std::vector<std::pair<std::string_view, std::string_view>>& files) {
    const auto objects = workspaces.store(plan).value();
    std::vector<git::TreeChange> changes;
    for (const auto& [path, content] : files) {
      changes.push_back(
          {git::TreePath::parse(path).value(),
           git::Node{git::FileMode::kFile, objects->put(git::ObjectKind::kBlob, content).value()}});
    }
    const auto tree = git::ObjectId::from_hex(plan.tree).value();
    const std::string edited = git::edit_tree(*objects, tree, changes)->to_hex();
    objects->sync().value();
    return edited;
  }
  /// What a tree holds at a path; "" if there is nothing.
  [[nodiscard]] std::string file_in(const plan::State& plan, const std::string& tree,
                                    std::string_view path) {
    const auto objects = workspaces.store(plan).value();
    const auto node = git::find(*objects, git::ObjectId::from_hex(tree).value(),
                                git::TreePath::parse(path).value())
                          .value();
    return node ? objects->blob(node->id).value() : "";
  }

  // In the order of their making.
  Repository repository;
  base::SystemClock clock;

 private:
  [[nodiscard]] storage::DatabaseUrl url(Database database) const {
    return database == Database::kFile
               ? storage::DatabaseUrl::file(repository.beside("plans.db"))
               : storage::DatabaseUrl::parse("sqlite::memory:", repository.path()).value();
  }

  base::SystemRandom random_;

 public:
  base::UlidGenerator ids{clock, random_};

 private:
  base::Guarded<std::vector<model::ChangeEntry>> changes_;
  const std::shared_ptr<engine::PlanExecutionContext> context_of_plans_ =
      std::make_shared<engine::PlanExecutionContext>(
          ids, [this](plan::RecordChanges recorded, engine::Changeset::Done done) {
            changes_.with([&](auto& changes) {
              std::ranges::move(recorded.entries, std::back_inserter(changes));
            });
            done({});
          });
  const std::string script_;
  storage::DatabaseSource source_{{.synchronous = storage::Synchronous::kNormal}, clock};
  storage::EngineCache cache_{source_};
  const std::shared_ptr<storage::Engine> engine_;
  const storage::OwnerLock owner_;
  std::map<model::PlanId, storage::Lease> leases_;

 public:
  engine::StoredPlans store;

 private:
  const std::unique_ptr<sandbox::SandboxRecords> records_;

 public:
  sandbox::SandboxManager sandboxes;
  engine::Workspaces workspaces{sandboxes};
  engine::ThreadScheduler scheduler{clock, {.strands = 2, .blocking = 4}};
  base::Secrets secrets;
  tool::ToolRunner tools{clock, {.threads = 4, .secrets = &secrets}};
  tool::ToolRegistry registry;
  engine::FilesContext context;
  engine::ActorCatalog actors = engine::ActorCatalog::load({}).value();
  engine::Observer* observer = nullptr;
  /// None: commands cannot be run.
  std::shared_ptr<tool::CommandWorld> commands;
  confine::WorldOptions command_world;

 private:
  base::ThreadPool pool_{{.name = "models", .threads = 2}};
  base::TimerQueue timers_{clock};

 public:
  provider::ModelService models;
};

inline model::Message user_text(std::string text) {
  return {model::Role::kUser, {model::Text{std::move(text)}}};
}

/// The text of a message's results, one after the other.
inline std::vector<std::string> result_texts(const model::Message& message) {
  std::vector<std::string> texts;
  for (const model::Part& part : message.parts) {
    const auto& result = std::get<model::ToolResult>(part);
    texts.push_back(std::get<model::Text>(result.content.at(0)).text);
  }
  return texts;
}

}  // namespace clever::test

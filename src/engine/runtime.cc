#include "engine/runtime.h"

#include <utility>

#include "engine/effects/effects.h"
#include "engine/effects/workspace_closer.h"
#include "engine/effects/workspaces.h"
#include "engine/internal/idle_cache.h"
#include "engine/plan_hooks.h"
#include "engine/stored_plans.h"
#include "engine/thread_scheduler.h"
#include "sandbox/sandbox_records.h"
#include "storage/owner_lock.h"
#include "tool/runner.h"

namespace clever::engine {
namespace {

constexpr unsigned kToolThreads = 16;

std::string address_of(storage::Engine& database) {
  return database.facts().value_or(storage::EngineFacts{}).address;
}

}  // namespace

class Runtime::Impl {
 public:
  Impl(const RuntimeOptions& options, storage::OwnerLock owner)
      : owner_(std::move(owner)),
        models_(options.models),
        store_(options.database, options.clock, owner_),
        scheduler_(options.clock),
        projects_(scheduler_, {.idle = options.idle, .most_idle = options.most_idle},
                  opener(options)),
        records_(sandbox::stored_sandbox_records(options.database, options.clock)),
        sandboxes_({.folder = options.home / "sandboxes", .database = address_of(options.database)},
                   *records_, owner_, options.ids),
        workspaces_(sandboxes_,
                    {.find = [this](const std::string& folder) { return find(folder); }}),
        tools_(options.clock, {.threads = kToolThreads, .secrets = options.secrets}),
        effects_(make_effects(effect_parts(options))),
        gated_(*effects_, options.gate),
        hooks_([this](const plan::State& plan) { return hooks_of(plan); }, scheduler_,
               options.observer),
        closer_(workspaces_, scheduler_, &hooks_),
        plans_(PlanEngine::make(
            {.store = store_,
             .scheduler = scheduler_,
             .ids = options.ids,
             .effects = gated_,
             .child = make_child_source(effect_parts(options)),
             .observer = &closer_,
             .prepare = [this](plan::Command& command) { return fill_in(command); },
             .secrets = options.secrets,
             .caps = options.caps,
             .amend = options.amend,
             .most_plans = options.most_plans})) {}

  [[nodiscard]] PlanEngine& plans() { return *plans_; }
  [[nodiscard]] PlanStore& store() { return store_; }
  [[nodiscard]] sandbox::SandboxManager& sandboxes() { return sandboxes_; }
  [[nodiscard]] internal::IdleCache<OpenProject>& projects() { return projects_; }
  [[nodiscard]] base::Result<model::ModelTerms> terms(const std::string& model) {
    return terms_of(models_.registry(), model);
  }
  [[nodiscard]] std::vector<std::string> failed_hooks() const { return hooks_.remarks(); }

 private:
  [[nodiscard]] internal::IdleCache<OpenProject>::Open opener(const RuntimeOptions& options) {
    return [process = OpenProject::Process{.clock = options.clock,
                                           .database = options.database,
                                           .home = options.home,
                                           .secrets = options.secrets,
                                           .learn_secret = options.learn_secret,
                                           .search = search_},
            options_of = options.project](
               const std::string& folder,
               const base::StopToken& stop) -> base::Result<std::unique_ptr<OpenProject>> {
      CLEVER_ASSIGN(const ProjectOptions project, options_of(folder));
      if (project.project.root != folder) {
        return base::not_found(folder + " is no longer a project of its own: it is now part of " +
                               project.project.root.string());
      }
      return OpenProject::open(project, process, stop);
    };
  }

  [[nodiscard]] base::Result<std::shared_ptr<const ProjectParts>> parts(
      const std::string& folder, const base::StopToken& stop) {
    CLEVER_ASSIGN(const auto project, projects_.get(folder, stop));
    return std::shared_ptr<const ProjectParts>(project, &project->parts());
  }

  [[nodiscard]] base::Result<std::shared_ptr<const FoundProject>> find(const std::string& folder) {
    CLEVER_ASSIGN(const auto project, parts(folder, {}));
    return std::shared_ptr<const FoundProject>(project, &project->found);
  }

  [[nodiscard]] RunHook hooks_of(const plan::State& plan) {
    return [project = parts(plan.project, {})](const model::Hook& hook, std::string_view input,
                                               const base::StopToken& stop) {
      if (!project.ok()) return base::Result<confine::Output>(project.error());
      return (*project)->hooks(hook, input, stop);
    };
  }

  [[nodiscard]] EffectParts effect_parts(const RuntimeOptions& options) {
    return {.store = store_,
            .database = options.database,
            .scheduler = scheduler_,
            .workspaces = workspaces_,
            .models = models_.client(),
            .providers = models_.registry(),
            .tools = tools_,
            .project = [this](const std::string& folder,
                              const base::StopToken& stop) { return parts(folder, stop); },
            .applies = options.home / "applies",
            .home = options.home,
            .secrets = options.secrets,
            .learn_secret = options.learn_secret};
  }

  // Only this process knows a model's price.
  base::Result<void> fill_in(plan::Command& command) {
    auto* prompt = std::get_if<plan::Prompt>(&command);
    if (prompt == nullptr || prompt->model.empty()) return {};
    CLEVER_ASSIGN(prompt->terms, terms(prompt->model));
    return {};
  }

  // Constant after construction, except for members that guard themselves. Later members use
  // earlier ones.
  const storage::OwnerLock owner_;
  provider::ModelService& models_;
  StoredPlans store_;
  ThreadScheduler scheduler_;
  base::Lazy<std::shared_ptr<SearchThreads>> search_;
  internal::IdleCache<OpenProject> projects_;
  const std::unique_ptr<sandbox::SandboxRecords> records_;
  sandbox::SandboxManager sandboxes_;
  Workspaces workspaces_;
  // Waits for the calls of a project's tools when it ends, so it is declared after them.
  tool::ToolRunner tools_;
  const std::unique_ptr<EffectRunner> effects_;
  GatedEffects gated_;
  PlanHooks hooks_;
  WorkspaceCloser closer_;
  // Declared last: it releases all plans before anything they use.
  const std::unique_ptr<PlanEngine> plans_;
};

base::Result<std::unique_ptr<Runtime>> Runtime::open(const RuntimeOptions& options,
                                                     const base::StopToken& stop) {
  CLEVER_ASSIGN(auto owner, storage::OwnerLock::acquire(options.home / "owners",
                                                        model::OwnerId(options.ids.next()), stop));
  return std::unique_ptr<Runtime>(new Runtime(std::make_unique<Impl>(options, std::move(owner))));
}

Runtime::Runtime(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Runtime::~Runtime() = default;

PlanEngine& Runtime::plans() { return impl_->plans(); }
PlanStore& Runtime::store() { return impl_->store(); }
sandbox::SandboxManager& Runtime::sandboxes() { return impl_->sandboxes(); }
base::Result<std::shared_ptr<OpenProject>> Runtime::project(const std::string& folder,
                                                            const base::StopToken& stop) {
  return impl_->projects().get(folder, stop);
}
std::size_t Runtime::open_projects() const { return impl_->projects().size(); }
base::Result<model::ModelTerms> Runtime::terms(const std::string& model) {
  return impl_->terms(model);
}
std::vector<std::string> Runtime::failed_hooks() const { return impl_->failed_hooks(); }

}  // namespace clever::engine

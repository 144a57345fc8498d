#include "engine/runtime.h"

#include <utility>

#include "apply/apply.h"
#include "base/random.h"
#include "engine/actor/context_tools.h"
#include "engine/actor/decision_notes.h"
#include "engine/actor/turn_request.h"
#include "engine/agents/login_copies.h"
#include "engine/effects/effects.h"
#include "engine/effects/workspace_closer.h"
#include "engine/effects/workspaces.h"
#include "engine/hooks.h"
#include "engine/offer/offered_tools.h"
#include "engine/plan_hooks.h"
#include "engine/stored_plans.h"
#include "engine/thread_scheduler.h"
#include "sandbox/sandbox_records.h"
#include "storage/owner_lock.h"
#include "tool/builtin_tools.h"
#include "tool/runner.h"

namespace clever::engine {
namespace {

constexpr unsigned kToolThreads = 16;

std::string address_of(storage::Engine& database) {
  return database.facts().value_or(storage::EngineFacts{}).address;
}

tool::CommandOptions command_options(const RuntimeOptions& options) {
  tool::CommandOptions commands = options.commands;
  commands.project_root = options.project.root;
  commands.shared_folder = options.home / "sandboxes" / "setup";
  return commands;
}

OfferedTools::Options offered_options(const RuntimeOptions& options) {
  return {.clock = options.clock,
          .offer = options.offer,
          .commands = command_options(options),
          .environment = options.environment,
          .http = options.http};
}

/// What models are shown, and what it is found with.
class Context {
 public:
  Context(const RuntimeOptions& options, std::unique_ptr<CodeContext> code)
      : project_(options.project),
        notes_(options.database),
        code_(std::move(code)),
        indexed_(code_ != nullptr ? code_->source(files_) : nullptr) {}

  [[nodiscard]] ContextSource& source() {
    return indexed_ != nullptr ? static_cast<ContextSource&>(*indexed_) : files_;
  }

  /// None if nothing is searched.
  [[nodiscard]] std::vector<std::shared_ptr<tool::Tool>> tools() {
    if (indexed_ == nullptr) return {};
    return context_tools(
        {.source = *indexed_,
         .project = project_,
         .history = [this](const base::StopToken& stop,
                           base::Deadline deadline) { return history(stop, deadline); },
         .decisions =
             [this](const base::StopToken& stop) {
               return notes_.of_project(project_.root.string(), stop);
             }});
  }

 private:
  base::Result<std::shared_ptr<const context::History>> history(const base::StopToken& stop,
                                                                base::Deadline deadline) {
    CLEVER_ASSIGN(const git::HeadState head, git::head_state(project_));
    const std::string commit = head.commit ? head.commit->to_hex() : std::string();
    return code_->views().history(project_, commit, stop, deadline);
  }

  // Constant after construction, but for what each of them guards itself. Those below use those
  // above.
  const git::Project project_;
  FilesContext files_;
  DecisionNotes notes_;
  const std::unique_ptr<CodeContext> code_;
  const std::unique_ptr<IndexedContext> indexed_;
};

class Composition final : public Runtime {
 public:
  Composition(const RuntimeOptions& options, storage::OwnerLock owner, ActorCatalog actors,
              std::string recovered, std::unique_ptr<CodeContext> code)
      : recovered_(std::move(recovered)),
        owner_(std::move(owner)),
        models_(options.models),
        actors_(std::move(actors)),
        store_(options.database, options.clock, owner_),
        scheduler_(options.clock),
        records_(sandbox::stored_sandbox_records(options.database, options.clock)),
        sandboxes_({.folder = options.home / "sandboxes", .database = address_of(options.database)},
                   *records_, owner_, options.ids),
        workspaces_(sandboxes_, {.secrets = {.include = options.commands.include,
                                             .own_home = options.commands.world.own_home}}),
        context_(options, std::move(code)),
        commands_(tool::CommandWorld::when_needed(options.clock, command_options(options))),
        offered_(offered_options(options), registry_),
        tools_(options.clock, {.threads = kToolThreads, .secrets = options.secrets}),
        effects_(make_effects(effect_parts(options))),
        hooks_(hooks_on(command_options(options), options.clock, options.secrets), scheduler_,
               options.observer),
        closer_(workspaces_, scheduler_, &hooks_),
        plans_(PlanEngine::make(
            {.store = store_,
             .scheduler = scheduler_,
             .ids = options.ids,
             .effects = *effects_,
             .child = make_child_source(effect_parts(options)),
             .observer = &closer_,
             .prepare = [this](plan::Command& command) { return fill_in(command); },
             .secrets = options.secrets,
             .caps = options.caps,
             .most_plans = options.most_plans})) {}

  base::Result<void> register_tools(const git::Project& project) {
    CLEVER_TRY(registry_.set(kContextOrigin, context_.tools()));
    CLEVER_TRY(registry_.set(tool::kBuiltinOrigin,
                             tool::builtin_tools({.project = project, .commands = commands_})));
    offered_.register_tools(commands_);
    return {};
  }

  [[nodiscard]] PlanEngine& plans() override { return *plans_; }
  [[nodiscard]] PlanStore& store() override { return store_; }
  [[nodiscard]] sandbox::SandboxManager& sandboxes() override { return sandboxes_; }
  [[nodiscard]] const ActorCatalog& actors() const override { return actors_; }
  [[nodiscard]] base::Result<model::ModelTerms> terms(const std::string& model) override {
    return terms_of(models_.registry(), model);
  }
  [[nodiscard]] const std::string& recovered() const override { return recovered_; }
  [[nodiscard]] std::vector<std::string> remarks() const override { return offered_.remarks(); }
  [[nodiscard]] KnownTools answered_servers() const override { return offered_.answered_servers(); }
  [[nodiscard]] std::vector<std::string> failed_hooks() const override { return hooks_.remarks(); }

 private:
  [[nodiscard]] EffectParts effect_parts(const RuntimeOptions& options) {
    return {.store = store_,
            .database = options.database,
            .scheduler = scheduler_,
            .workspaces = workspaces_,
            .models = models_.client(),
            .providers = models_.registry(),
            .tools = tools_,
            .registry = registry_,
            .context = context_.source(),
            .actors = actors_,
            .commands = commands_,
            .bring_tools = [this](const base::StopToken& stop) { offered_.bring(stop); },
            .skills = offered_.skills(),
            .launcher = options.commands.launcher,
            .project_hooks = hooks_on(command_options(options), options.clock, options.secrets),
            .world = options.commands.world,
            .applies = options.home / "applies",
            .home = options.home,
            .secrets = options.secrets,
            .learn_secret = options.learn_secret};
  }

  // Only this process knows what a model costs here.
  base::Result<void> fill_in(plan::Command& command) {
    auto* prompt = std::get_if<plan::Prompt>(&command);
    if (prompt == nullptr || prompt->model.empty()) return {};
    CLEVER_ASSIGN(prompt->terms, terms(prompt->model));
    return {};
  }

  // Constant after construction, but for what each of them guards itself. Those below use those
  // above.
  const std::string recovered_;
  const storage::OwnerLock owner_;
  provider::ModelService& models_;
  const ActorCatalog actors_;
  StoredPlans store_;
  ThreadScheduler scheduler_;
  const std::unique_ptr<sandbox::SandboxRecords> records_;
  sandbox::SandboxManager sandboxes_;
  Workspaces workspaces_;
  Context context_;
  const std::shared_ptr<tool::CommandWorld> commands_;
  tool::ToolRegistry registry_;
  // Calls of its tools have ended when it goes: the runner waits for them.
  OfferedTools offered_;
  tool::ToolRunner tools_;
  const std::unique_ptr<EffectRunner> effects_;
  PlanHooks hooks_;
  WorkspaceCloser closer_;
  // Last: it lets all plans go before anything they use goes.
  const std::unique_ptr<PlanEngine> plans_;
};

}  // namespace

base::Result<std::unique_ptr<Runtime>> Runtime::open(const RuntimeOptions& options,
                                                     const base::StopToken& stop) {
  CLEVER_ASSIGN(std::string recovered,
                apply::recover(options.project, options.home / "applies", stop));
  CLEVER_ASSIGN(ActorCatalog actors, ActorCatalog::load(options.actor_folders));
  CLEVER_ASSIGN(auto owner, storage::OwnerLock::acquire(options.home / "owners",
                                                        model::OwnerId(options.ids.next()), stop));
  if (options.learn_secret) {
    for (const Actor& actor : actors.all()) {
      learn_logins(options.commands.world.home, actor.program.logins, options.learn_secret);
    }
  }
  std::unique_ptr<CodeContext> code;
  if (options.context && options.context->searches) {
    CLEVER_ASSIGN(code, CodeContext::open(*options.context, {.clock = options.clock,
                                                             .home = options.home,
                                                             .embedders = options.embedders}));
  }
  auto runtime = std::make_unique<Composition>(options, std::move(owner), std::move(actors),
                                               std::move(recovered), std::move(code));
  CLEVER_TRY(runtime->register_tools(options.project));
  return std::unique_ptr<Runtime>(std::move(runtime));
}

}  // namespace clever::engine

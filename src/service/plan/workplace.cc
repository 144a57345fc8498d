#include "service/plan/workplace.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "base/ulid.h"
#include "git/project.h"
#include "provider/model_name.h"
#include "provider/model_service.h"
#include "provider/replay/cassette.h"
#include "service/commands/provider.h"
#include "service/commands/sandbox.h"
#include "service/notice/notice_queue.h"
#include "service/plan/context_settings.h"
#include "service/plan/plan_caps.h"
#include "service/plan/trusted_commands.h"

namespace clever::service {
namespace {

// Replaces every provider by a script.
provider::ProviderSettings scripted(const std::string& script, provider::Catalog catalog) {
  provider::ProviderConfig config;
  config.endpoint.provider = "scripted";
  config.endpoint.wire = provider::Wire::kScripted;
  config.endpoint.base_url = script;
  config.endpoint.local = true;
  config.default_model = "script";
  provider::ProviderSettings settings;
  settings.providers = {std::move(config)};
  settings.catalog = std::move(catalog);
  return settings;
}

// A cassette answers for the model it was recorded with, whether or not that can be used here: the
// first one, unless another model is requested.
base::Result<provider::ProviderSettings> replayed(const std::string& file,
                                                  provider::ProviderSettings found) {
  CLEVER_ASSIGN(const auto cassette, provider::Cassette::load(file).context("--replay"));
  const std::vector<std::string> models = cassette.models();
  for (const std::string& name : models) {
    const auto model = provider::ModelName::parse(name);
    const auto is_it = [&](const provider::ProviderConfig& config) {
      return model && config.endpoint.provider == model->provider;
    };
    if (!model || std::ranges::any_of(found.providers, is_it)) continue;
    provider::ProviderConfig config;
    config.endpoint.provider = model->provider;
    config.endpoint.wire = provider::Wire::kReplay;
    config.endpoint.local = true;
    config.default_model = model->model;
    found.providers.push_back(std::move(config));
  }
  if (!models.empty()) found.default_model = models.front();
  return found;
}

// The settings cap days; other scopes without a cap are bounded by the scopes above them.
std::function<storage::Caps(const std::string&)> caps_of_scopes(const config::Settings& settings) {
  return [day = caps_of(settings, "day")](const std::string& scope) {
    return scope.starts_with("day/") ? day : storage::Caps{};
  };
}

/// Opens the projects of a command's plans, each with its own settings and trust. Thread-safe; the
/// context must outlive it.
class ProjectSource {
 public:
  /// `here` are the settings of the working directory's project, which are already known.
  ProjectSource(std::string here, config::Settings settings, bool unconfined,
                const Context& context)
      : here_(std::move(here)),
        settings_(std::move(settings)),
        unconfined_(unconfined),
        context_(context) {}

  base::Result<engine::ProjectOptions> operator()(const std::string& folder) const {
    if (folder == here_) return options_of(folder, settings_);
    CLEVER_ASSIGN(const config::Settings settings, context_.settings_in(folder));
    return options_of(folder, settings);
  }

 private:
  base::Result<engine::ProjectOptions> options_of(const std::string& folder,
                                                  const config::Settings& settings) const {
    engine::ProjectOptions options;
    CLEVER_ASSIGN(options.project, context_.find_project(folder, settings));
    const std::filesystem::path& root = options.project.root;
    CLEVER_ASSIGN(options.commands, command_options(unconfined_, settings, root, context_));
    CLEVER_ASSIGN(options.context, context_options(settings, root, context_.launcher()));
    CLEVER_ASSIGN(options.offer, trusted_offer(context_, settings, root));
    options.actor_folders = {context_.home() / "actors"};
    options.embedders = provider_embedders(settings, context_);
    options.environment = context_.environment();
    const bool on_the_net = std::ranges::any_of(
        options.offer.servers, [](const engine::McpServer& server) { return !server.url.empty(); });
    if (on_the_net) options.http = &context_.models().http();
    return options;
  }

  // Constant after construction.
  const std::string here_;
  const config::Settings settings_;
  const bool unconfined_;
  const Context& context_;
};

}  // namespace

PlanParts plan_parts(engine::Runtime& runtime, const engine::OpenProject& project) {
  return {project.actors(), [&runtime](const std::string& model) { return runtime.terms(model); },
          runtime.store()};
}

base::Result<provider::ProviderSettings> usable_providers(const WorkplaceOptions& options,
                                                          Context& context) {
  CLEVER_ASSIGN(provider::ProviderSettings found, find_providers(context));
  if (!options.script.empty()) return scripted(options.script, std::move(found.catalog));
  if (options.answers.replay.empty()) return found;
  return replayed(options.answers.replay, std::move(found));
}

Workplace::Workplace(storage::Engine& database, const AnswerSource& answers, Context& context)
    : clock_(context.clock()),
      ids_(context.clock(), random_),
      models_(context.models().service(
          [&context, answers](const provider::Endpoint& endpoint) {
            return context.models().backend(endpoint, answers);
          },
          &database)) {}

base::Result<void> Workplace::reconfigure(const provider::ProviderSettings& settings) {
  CLEVER_TRY(models_->registry().reconfigure(settings));
  return {};
}

std::optional<engine::WaitNotice> Workplace::known_wait(const std::string& model) {
  const auto chain = models_->registry().snapshot()->chain(model);
  if (!chain.ok()) return std::nullopt;
  std::optional<engine::WaitNotice> soonest;
  for (const provider::ResolvedModel& each : *chain) {
    const auto wait = models_->governor().lane(each)->long_wait();
    if (!wait) return std::nullopt;
    auto notice = engine::wait_notice(*wait, each.name(), clock_);
    if (!soonest || *notice.until < *soonest->until) soonest = std::move(notice);
  }
  return soonest;
}

base::Result<void> Workplace::start(storage::Engine& database, const WorkplaceOptions& options,
                                    Context& context) {
  // Must run before threads start that ask for it as well.
  const base::StopToken stop = context.stop();
  const config::Settings& settings = *context.settings();
  const auto& here = context.project();
  const std::string root = here.ok() ? here->root.string() : std::string();
  CLEVER_ASSIGN(auto targets, notice_targets(settings, context.environment()));
  notices_.set(std::move(targets));
  if (options.project.empty() && !options.any_project && !here.ok()) return here.error();
  CLEVER_ASSIGN(
      runtime_,
      engine::Runtime::open(
          {.clock = context.clock(),
           .ids = ids_,
           .database = database,
           .models = *models_,
           .home = context.home(),
           .project = ProjectSource(root, settings, options.unconfined, context),
           .caps = caps_of_scopes(settings),
           .most_plans = most_plans(settings),
           .secrets = &context.redactor().secrets(),
           .learn_secret = [&redactor = context.redactor()](
                               const std::string& secret) { redactor.add(secret); },
           .observer = options.observer,
           .gate = options.gate,
           .amend = [this](const plan::State& after,
                           storage::Append& append) { add_notices(notices_, after, append); }},
          stop));
  if (options.any_project) return {};
  CLEVER_ASSIGN(project_,
                runtime_->project(options.project.empty() ? root : options.project.string(), stop));
  return {};
}

base::Result<std::unique_ptr<Workplace>> Workplace::open(const PlanDatabase& database,
                                                         const WorkplaceOptions& options,
                                                         Context& context) {
  CLEVER_ASSIGN(const auto settings, usable_providers(options, context));
  std::unique_ptr<Workplace> workplace(new Workplace(database.engine(), options.answers, context));
  CLEVER_TRY(workplace->reconfigure(settings));
  CLEVER_TRY(workplace->start(database.engine(), options, context));
  return workplace;
}

}  // namespace clever::service

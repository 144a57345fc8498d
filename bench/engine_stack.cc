#include "engine_stack.h"

#include "engine_arguments.h"
#include "git/project.h"
#include "provider/adapter.h"
#include "provider/http_backend.h"
#include "storage/database_url.h"

namespace clever::bench {
namespace {

// All calls of a benchmark at once.
constexpr int kAtOnce = 20'000;

provider::ProviderSettings settings_for(const std::string& server) {
  provider::ProviderConfig config;
  config.endpoint = {.provider = "bench", .base_url = server + "/v1", .key = "none"};
  config.endpoint.local = true;
  config.limits.max_concurrency = kAtOnce;
  config.default_model = "scripted";
  provider::ProviderSettings settings;
  settings.providers = {config};
  return settings;
}

}  // namespace

std::unique_ptr<storage::Engine> open_database(storage::DatabaseSource& source,
                                               const std::string& url,
                                               const std::filesystem::path& folder) {
  return need(source.open(need(storage::DatabaseUrl::parse(url, {.home = folder})), {}));
}

Stack::Stack(const StackOptions& options)
    : project_(options.project),
      source_({}, clock_),
      database_(open_database(source_, options.database, options.home)),
      models_(std::make_unique<provider::ModelService>(
          provider::ModelService::Parts{clock_, random_, timers_, pool_, database_.get()},
          [this](const provider::Endpoint& endpoint) {
            return base::Result<std::shared_ptr<provider::Backend>>(
                std::make_shared<provider::HttpBackend>(*provider::adapter(endpoint.wire), endpoint,
                                                        http_));
          })) {
  need(models_->registry().reconfigure(settings_for(options.server)));
  runtime_ = need(engine::Runtime::open(
      {.clock = clock_,
       .ids = ids_,
       .database = *database_,
       .models = *models_,
       .home = options.home,
       .project = [](const std::string& folder) -> base::Result<engine::ProjectOptions> {
         CLEVER_ASSIGN(auto found, git::Project::find(folder));
         return engine::ProjectOptions{.project = std::move(found)};
       },
       .observer = options.observer},
      {}));
}

model::PlanId Stack::start(const std::string& task, int turns) {
  plan::Create create;
  create.title = task;
  create.project = project_.string();
  create.prompt = {model::Role::kUser, {model::Text{task}}};
  create.settings.direct = true;
  create.settings.terms = need(runtime_->terms(""));
  create.settings.limits.turns_per_step = turns + 10;
  return need(runtime_->plans().create(std::move(create), {}));
}

std::shared_ptr<const plan::State> Stack::converse(const std::string& task, int turns) {
  auto state = need(runtime_->plans().wait(start(task, turns)));
  if (state->usage.calls != turns + 1) {
    std::fprintf(stderr, "engine_bench: %d answers of %d were kept (%s/%s: %s)\n",
                 static_cast<int>(state->usage.calls), turns + 1,
                 std::string(model::to_string(state->phase)).c_str(),
                 std::string(model::to_string(state->state)).c_str(), state->reason.c_str());
    std::exit(1);
  }
  return state;
}

}  // namespace clever::bench

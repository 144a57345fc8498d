#pragma once
// The engine of a process over many small repositories, a database in memory and a model that
// answers from a script. Link CleverAgents::engine and clever_confine_launcher.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "base/ulid.h"
#include "engine/runtime.h"
#include "provider/model_service.h"
#include "provider/scripted/scripted_backend.h"
#include "storage/database_source.h"
#include "storage/engine_cache.h"
#include "support/confine_launcher.h"
#include "support/messages.h"
#include "support/repository.h"
#include "support/temporary_directory.h"

namespace clever::test {

class RuntimeWorld {
 public:
  explicit RuntimeWorld(std::string_view script = "rules: [{reply: Done.}]")
      : script_(script),
        database_(cache_.open(storage::DatabaseUrl::parse("sqlite::memory:", home_.path()).value())
                      .value()),
        models_({clock, random_, timers_, pool_, nullptr},
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
    models_.registry().reconfigure(settings).value();
    original_.write("a.txt", "a\n");
    original_.commit();
  }

  /// A repository with one commit that holds a.txt; its folder.
  std::string add_project() {
    const auto folder = canonical(home_.path()) / ("project" + std::to_string(++projects_));
    std::filesystem::copy(original_.path(), folder, std::filesystem::copy_options::recursive);
    return folder.string();
  }

  [[nodiscard]] engine::RuntimeOptions options() {
    return {.clock = clock,
            .ids = ids_,
            .database = *database_,
            .models = models_,
            .home = home_.path(),
            .project = [this](const std::string& folder) { return project_options(folder); },
            .secrets = &secrets_};
  }
  [[nodiscard]] base::Result<engine::ProjectOptions> project_options(const std::string& folder) {
    engine::ProjectOptions project;
    CLEVER_ASSIGN(project.project, git::Project::find(folder));
    project.commands = {.launcher = confine_launcher(),
                        .world = {.home = home_ / "user",
                                  .own_home = home_.path(),
                                  .environment = {"PATH=/usr/local/bin:/usr/bin:/bin"}}};
    if (searches) project.context.emplace();
    return project;
  }
  /// A task for a plan of steps of its own making.
  [[nodiscard]] plan::Create task(engine::Runtime& runtime, const std::string& project) {
    plan::Create create{
        .title = "A task", .project = project, .prompt = user_message({model::Text{"A task"}})};
    create.settings.terms = runtime.terms("").value();
    create.settings.direct = true;
    return create;
  }

  base::SystemClock clock;
  /// Whether models are shown what a search finds.
  bool searches = false;

 private:
  const TemporaryDirectory home_;
  const std::string script_;
  base::Secrets secrets_;
  base::SystemRandom random_;
  base::UlidGenerator ids_{clock, random_};
  storage::DatabaseSource source_{{.synchronous = storage::Synchronous::kNormal}, clock};
  storage::EngineCache cache_{source_};
  const std::shared_ptr<storage::Engine> database_;
  base::ThreadPool pool_{{.name = "models", .threads = 1}};
  base::TimerQueue timers_{clock};
  provider::ModelService models_;
  const Repository original_;
  int projects_ = 0;
};

}  // namespace clever::test

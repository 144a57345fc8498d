#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/secrets.h"
#include "base/stop_token.h"
#include "base/ulid.h"
#include "engine/actor/code_context.h"
#include "engine/actor/tool_actor.h"
#include "engine/observer.h"
#include "engine/offer/offer.h"
#include "engine/plan_engine.h"
#include "engine/plan_store.h"
#include "engine/rule_check.h"
#include "git/project.h"
#include "io/environment.h"
#include "io/http.h"
#include "provider/model_service.h"
#include "sandbox/sandbox_manager.h"
#include "storage/engine.h"
#include "tool/command_world.h"
#include "tool/registry.h"

namespace clever::engine {

/// What the engine is put together from. What it refers to outlives it.
struct RuntimeOptions {
  base::Clock& clock;
  base::UlidGenerator& ids;
  storage::Engine& database;
  /// Configured.
  provider::ModelService& models;
  /// Where state lives: owners, sandboxes, applies.
  std::filesystem::path home{};
  git::Project project{};
  /// How commands run in sandboxes; the folders in it are filled in.
  tool::CommandOptions commands{};
  /// Actors of a person, never of a project; built-in ones are always there.
  std::vector<std::filesystem::path> actor_folders{};
  /// The cap of a scope that has none yet: of a day, for one. None: such scopes are unlimited.
  std::function<storage::Caps(const std::string& scope)> caps{};
  /// Most plans that are worked on at once, subplans too; further subplans wait.
  std::size_t most_plans = 20'000;
  /// Withheld from models, from the journal and from what is shown of plans' work. None: nothing
  /// is.
  const base::Secrets* secrets = nullptr;
  /// Adds to them: logins of agents. May be empty.
  std::function<void(const std::string& secret)> learn_secret{};
  Observer* observer = nullptr;
  /// How models are shown the project; none: the list of files and those that the task names.
  std::optional<ContextOptions> context{};
  EmbedderSource embedders{};
  /// What models are offered beside the built-in tools: all of it trusted.
  Offer offer{};
  /// For ${NAME} in what MCP servers are given.
  io::Environment environment{};
  /// For MCP servers on the net; none: there are none.
  io::Http* http = nullptr;
};

/// The engine of one process with all its parts: threads, store, tools, workspaces, effects.
///
/// Owned by a command. Thread-safe. What a killed apply left in the project is ended before
/// anything else. The destructor lets plans go, resumable.
class Runtime {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<Runtime>> open(const RuntimeOptions& options,
                                                                   const base::StopToken& stop);
  virtual ~Runtime() = default;

  [[nodiscard]] virtual PlanEngine& plans() = 0;
  [[nodiscard]] virtual PlanStore& store() = 0;
  [[nodiscard]] virtual sandbox::SandboxManager& sandboxes() = 0;
  [[nodiscard]] virtual const ActorCatalog& actors() const = 0;
  /// Terms of a model (the default for an empty name), for new plans.
  [[nodiscard]] virtual base::Result<model::ModelTerms> terms(const std::string& model) = 0;
  /// What recovery did when it was opened; empty: nothing.
  [[nodiscard]] virtual const std::string& recovered() const = 0;
  /// What a person should know of what was offered to models: a server that did not start, a tool
  /// whose name is taken. Sentences; the later it is asked, the more it may say.
  [[nodiscard]] virtual std::vector<std::string> remarks() const = 0;
  /// The MCP servers that have answered, and their tools, for rules_without_effect().
  [[nodiscard]] virtual KnownTools answered_servers() const = 0;
  /// Sentences about hooks of plans that failed. Waits for those under way.
  [[nodiscard]] virtual std::vector<std::string> failed_hooks() const = 0;
};

}  // namespace clever::engine

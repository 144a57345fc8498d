#pragma once
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/secrets.h"
#include "base/stop_token.h"
#include "base/ulid.h"
#include "engine/effect_gate.h"
#include "engine/observer.h"
#include "engine/open_project.h"
#include "engine/plan_engine.h"
#include "engine/plan_store.h"
#include "provider/model_service.h"
#include "sandbox/sandbox_manager.h"
#include "storage/engine.h"

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
  /// How the project in a folder is worked on. Called when the project is opened, on whatever
  /// thread needs it; may block. Its error concerns that project's plans alone.
  std::function<base::Result<ProjectOptions>(const std::string& folder)> project{};
  /// Projects are closed when no plan has used them for so long, or sooner if more are idle.
  base::Duration idle = std::chrono::minutes(5);
  std::size_t most_idle = 32;
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
  /// Pauses plans that only wait; it is the observer as well. Null: none is paused.
  EffectGate* gate = nullptr;
  /// For each append of a plan that is driven, on whatever thread; may be empty.
  Amend amend{};
};

/// The engine of one process with all its parts. Threads, store, models, workspaces and the runner
/// of tools are there once; what belongs to a project is opened when the first of its plans needs
/// it, shared by its plans, and closed when it is idle.
///
/// Owned by a command. Thread-safe. The destructor lets plans go, resumable, and waits until
/// nothing of what project() gave is held.
class Runtime {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<Runtime>> open(const RuntimeOptions& options,
                                                                   const base::StopToken& stop);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  [[nodiscard]] PlanEngine& plans();
  [[nodiscard]] PlanStore& store();
  [[nodiscard]] sandbox::SandboxManager& sandboxes();
  /// Opened if it is not open; it stays open while the answer is held. Blocks.
  [[nodiscard]] base::Result<std::shared_ptr<OpenProject>> project(const std::string& folder,
                                                                   const base::StopToken& stop);
  /// How many projects are open, in use or idle.
  [[nodiscard]] std::size_t open_projects() const;
  /// Terms of a model (the default for an empty name), for new plans.
  [[nodiscard]] base::Result<model::ModelTerms> terms(const std::string& model);
  /// Sentences about hooks of plans that failed. Waits for those under way.
  [[nodiscard]] std::vector<std::string> failed_hooks() const;

 private:
  class Impl;
  explicit Runtime(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace clever::engine

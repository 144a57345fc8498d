#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/secrets.h"
#include "base/stop_token.h"
#include "engine/effect_runner.h"
#include "engine/effects/project_parts.h"
#include "engine/effects/workspaces.h"
#include "engine/plan_store.h"
#include "engine/scheduler.h"
#include "engine/subplan_execution_service.h"
#include "provider/model_client.h"
#include "provider/provider_set.h"
#include "provider/registry.h"
#include "storage/engine.h"
#include "tool/runner.h"

namespace clever::engine {

/// What runs effects in the program. All outlive what is made of them.
struct EffectParts {
  PlanStore& store;
  /// For changeset entries and traces of calls.
  storage::Engine& database;
  Scheduler& scheduler;
  Workspaces& workspaces;
  provider::ModelClient& models;
  const provider::ProviderRegistry& providers;
  tool::ToolRunner& tools;
  OpenProjectParts project;
  /// Journals and locks of applies.
  std::filesystem::path applies{};
  /// Where it is written what commands of a project a person trusts.
  std::filesystem::path home{};
  /// Withheld from models, events and what is shown; outlives the effects. None: nothing is.
  const base::Secrets* secrets = nullptr;
  /// Hears values that are secrets from then on: logins of agents. May be empty.
  std::function<void(const std::string& secret)> learn_secret{};
};

/// Everything a plan has done outside of its journal: one class per kind in this folder.
[[nodiscard]] std::unique_ptr<EffectRunner> make_effects(EffectParts parts);

/// For PlanEngine::Parts::child.
[[nodiscard]] std::function<void(EffectOrder,
                                 std::move_only_function<void(base::Result<plan::Create>)>)>
make_child_source(EffectParts parts);

/// What a call of the model can cost, as the providers are configured now; the default model for an
/// empty name. For PlanSettings::terms and PlanEngine::Parts::prepare.
[[nodiscard]] base::Result<model::ModelTerms> terms_of(const provider::ProviderSet& providers,
                                                       const std::string& model);
[[nodiscard]] base::Result<model::ModelTerms> terms_of(const provider::ProviderRegistry& providers,
                                                       const std::string& model);

}  // namespace clever::engine

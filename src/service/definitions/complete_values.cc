#include "service/definitions/complete_values.h"

#include "engine/actor/tool_actor.h"
#include "model/automation.h"
#include "provider/discovery.h"
#include "service/commands/plan.h"
#include "service/commands/provider.h"
#include "service/definitions/definitions.h"
#include "storage/plans.h"

namespace clever::service {
namespace {

using OfferedValues = std::vector<CompleteValue>;

constexpr std::size_t kMostOfferedPlans = 50;
constexpr std::size_t kOfferedTitle = 60;

OfferedValues plan_values(Context& context) {
  OfferedValues values;
  const auto& project = context.project();
  const auto store = project.ok() ? store_if_any(context) : nullptr;
  if (!store) return values;
  const auto plans = storage::Plans(*store).list({.project = project->root.string()},
                                                 kMostOfferedPlans, {}, context.stop());
  if (!plans.ok()) return values;
  for (const PlanSummary& plan : *plans) {
    if (plan.parent) continue;
    values.push_back(
        {plan.id.to_string(), plan.state + ": " + one_line(plan.title, kOfferedTitle)});
  }
  return values;
}

OfferedValues model_values(Context& context) {
  OfferedValues values;
  const auto& settings = context.settings();
  if (!settings.ok()) return values;
  const auto found = provider::discover(context.environment(), *settings);
  if (!found.ok()) return values;
  for (const auto& [name, model] : found->aliases) values.push_back({name, model});
  for (const provider::KnownAlias& alias : provider::known_aliases()) {
    values.push_back({std::string(alias.name), std::string(alias.model)});
  }
  const provider::Catalog catalog = provider::Catalog::built_in();
  for (const provider::ProviderConfig& config : found->providers) {
    const std::string& provider = config.endpoint.provider;
    for (const provider::ModelFacts& facts : catalog.list(provider)) {
      if (facts.pattern.find('*') == std::string::npos) {
        values.push_back({provider + "/" + facts.pattern, ""});
      }
    }
  }
  return values;
}

OfferedValues actor_values(Context& context) {
  OfferedValues values;
  const auto folders = definition_folders(context, "actors");
  if (!folders.ok()) return values;
  const auto catalog = engine::ActorCatalog::load({folders->home});
  if (!catalog.ok()) return values;
  for (const engine::Actor& actor : catalog->all())
    values.push_back({actor.name, actor.description});
  return values;
}

OfferedValues agent_values(Context& context) {
  OfferedValues values;
  const auto folders = definition_folders(context, "actors");
  if (!folders.ok()) return values;
  const auto catalog = engine::ActorCatalog::load({folders->home});
  if (!catalog.ok()) return values;
  for (const engine::Actor& actor : catalog->all()) {
    if (actor.type == engine::ActorType::kAgent) {
      values.push_back({short_actor_name(actor.name), actor.description});
    }
  }
  return values;
}

}  // namespace

std::vector<CompleteValue> complete_values(Completes kind, Context& context) {
  if (kind == Completes::kPlan) return plan_values(context);
  if (kind == Completes::kModel) return model_values(context);
  if (kind == Completes::kActor) return actor_values(context);
  if (kind == Completes::kAgent || kind == Completes::kAgents) return agent_values(context);
  OfferedValues values;
  if (kind != Completes::kProfile) return values;
  for (const model::AutomationProfile& profile : model::automation_profiles()) {
    values.push_back({std::string(profile.name), std::string(profile.summary)});
  }
  return values;
}

}  // namespace clever::service

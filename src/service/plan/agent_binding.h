#pragma once
#include <string>
#include <vector>

#include "engine/actor/new_plan.h"
#include "engine/actor/tool_actor.h"
#include "model/plan_settings.h"
#include "service/context.h"

// Which rules bind the external agents of a plan: those of an agent that asks first, and the
// sandbox.
namespace clever::service {

/// NewPlanOptions::as_run of this process.
[[nodiscard]] decltype(engine::NewPlanOptions::as_run) agents_as_run(Context& context);

/// A sentence for each agent of a plan that some rule cannot be held against, before it starts.
[[nodiscard]] std::vector<std::string> unbound_agents(const engine::ActorCatalog& actors,
                                                      const model::PlanSettings& settings,
                                                      Context& context);

/// What binds the agent that works on a plan. A value.
struct AgentBinding {
  /// "claude"; empty: no agent works on it.
  std::string agent{};
  /// It asks before it acts.
  bool asks = false;
  /// The rules that cannot be held against it.
  std::vector<std::string> unbound{};
  /// For people.
  std::string words{};
};
[[nodiscard]] base::Result<AgentBinding> agent_binding(const model::PlanSettings& settings,
                                                       Context& context);

}  // namespace clever::service

#include "service/plan/agent_binding.h"

#include <algorithm>

#include "engine/actor/graph_actor.h"
#include "engine/agents/agent_protocol.h"
#include "service/definitions/definitions.h"

namespace clever::service {
decltype(engine::NewPlanOptions::as_run) agents_as_run(Context& context) {
  return [environment = context.environment_lines()](const engine::AgentProgram& program,
                                                     const model::PlanSettings& settings) {
    return engine::program_for(program, settings, environment);
  };
}

std::vector<std::string> unbound_agents(const engine::ActorCatalog& actors,
                                        const model::PlanSettings& settings, Context& context) {
  std::vector<std::string> sentences;
  const auto as_run = agents_as_run(context);
  for (const std::string& name : {settings.actor, settings.strategy_actor}) {
    const auto actor = actors.find(name);
    if (name.empty() || !actor.ok()) continue;
    for (const engine::Actor& agent : engine::agents_in(*actor, actors)) {
      std::string words = engine::unbound_words(short_actor_name(agent.name),
                                                as_run(agent.program, settings), settings);
      const bool is_new = std::ranges::find(sentences, words) == sentences.end();
      if (!words.empty() && is_new) sentences.push_back(std::move(words));
    }
  }
  return sentences;
}

base::Result<AgentBinding> agent_binding(const model::PlanSettings& settings, Context& context) {
  AgentBinding binding;
  if (!settings.uses_agent) return binding;
  CLEVER_ASSIGN(const DefinitionFolders folders, definition_folders(context, "actors"));
  CLEVER_ASSIGN(const auto catalog, engine::ActorCatalog::load({folders.home}));
  CLEVER_ASSIGN(const engine::Actor actor, catalog.find(settings.actor));
  const engine::AgentProgram program = agents_as_run(context)(actor.program, settings);
  binding.agent = short_actor_name(actor.name);
  binding.asks = program.speaks_acp;
  if (binding.asks) {
    binding.words = binding.agent + " asks before it acts: your rules and the sandbox bind it";
    return binding;
  }
  binding.unbound = engine::rules_on_calls(settings);
  binding.words = binding.unbound.empty()
                      ? binding.agent + " does not ask before it acts: only the sandbox binds it"
                      : engine::unbound_words(binding.agent, program, settings);
  return binding;
}

}  // namespace clever::service

#pragma once
#include <string>

#include "plan/command.h"
#include "plan/internal/draft.h"

// Work of external agents: they have turns of their own, paid in slices.
namespace clever::plan {

/// The reservation of an agent: about one of its turns. Usage above it until the next charge is
/// recorded too; the agent stops when there is no room for another slice.
inline constexpr model::Cost kAgentSlice{.money = 50'000, .tokens = 50'000};

/// Whether an external agent does the work of such an effect.
[[nodiscard]] bool is_by_agent(const State& state, EffectKind kind);

/// Starts the agent on the strategy; waits if there is no money.
void start_agent_strategy(Draft& draft);
/// Starts the agent on a step, with all prompts so far; waits if there is no money.
void start_agent(Draft& draft, const std::string& step);

/// Records an agent's usage.
void record_agent_usage(Draft& draft, const AgentCharged& used);

}  // namespace clever::plan

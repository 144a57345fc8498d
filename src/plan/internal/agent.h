#pragma once
#include <string>

#include "plan/command.h"
#include "plan/internal/draft.h"

// Work of external agents: their turns are their own, and are paid in slices.
namespace clever::plan {

/// What is put aside for an agent at a time: about one of its turns. What it uses above that before
/// it is charged is recorded all the same; it stops when there is no room for another slice.
inline constexpr model::Cost kAgentSlice{.money = 50'000, .tokens = 50'000};

/// Whether an external agent does the work of such an effect.
[[nodiscard]] bool is_by_agent(const State& state, EffectKind kind);

/// Has the agent make the strategy; waits if there is no money.
void start_agent_strategy(Draft& draft);
/// Has the agent work on a step, with all that people said so far; waits if there is no money.
void start_agent(Draft& draft, const std::string& step);

/// Writes down what an agent used.
void record_agent_usage(Draft& draft, const AgentCharged& used);

}  // namespace clever::plan

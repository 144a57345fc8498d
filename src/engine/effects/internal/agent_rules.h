#pragma once
#include <string>
#include <vector>

#include "engine/actor/acp_session.h"
#include "engine/actor/tool_actor.h"
#include "engine/agents/agent_home.h"
#include "engine/effects/internal/messages.h"
#include "plan/state.h"

// What an external agent is told, and what it may. Pure functions.
namespace clever::engine::internal {

/// The words for an agent that works on a step: what people said, the step where it is one of
/// several, and when all is done.
[[nodiscard]] std::string agent_task(const plan::State& plan, const std::string& step,
                                     const std::vector<Messages::Loaded>& prompts,
                                     const std::vector<Messages::Loaded>& guidance = {});

/// The file that an agent writes its strategy to.
inline constexpr std::string_view kStrategyFile = ".cleveragents-strategy.json";
/// The words for an agent that makes the strategy.
[[nodiscard]] std::string strategy_task(const plan::State& plan,
                                        const std::vector<Messages::Loaded>& prompts);

/// The next message of a session that goes on: what people said since, the next step, or that it
/// was cut off.
[[nodiscard]] std::string agent_follow_up(const plan::State& plan, const std::string& step,
                                          const std::vector<Messages::Loaded>& prompts,
                                          const std::vector<Messages::Loaded>& guidance,
                                          const AgentSession& session);

/// What people said about the step alone when they corrected it.
[[nodiscard]] std::vector<base::Sha256Digest> guidance_for(const plan::State& plan,
                                                           const std::string& step);

/// Whether the agent may do what it asks for. It may do what its confinement allows, unless a rule,
/// guard or profile of the plan speaks of such a call. A call that the rules cannot be compared
/// with is refused. What a person decided on the same call of this plan counts.
[[nodiscard]] AcpVerdict verdict_on(const plan::State& plan, const Actor& actor, const AcpAsk& ask);
/// The same for the same call whenever an agent asks for it: plan::AgentAnswer::id.
[[nodiscard]] std::string ask_id(const AcpAsk& ask);
/// One line for people: "Edit a.txt (edit a.txt)".
[[nodiscard]] std::string shown_ask(const AcpAsk& ask);

}  // namespace clever::engine::internal

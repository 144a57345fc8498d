#pragma once
#include <string>
#include <vector>

#include "engine/actor/acp_session.h"
#include "engine/actor/tool_actor.h"
#include "engine/agents/agent_home.h"
#include "engine/effects/internal/messages.h"
#include "plan/state.h"

// The prompts for external agents, and the rules for their calls. Pure functions.
namespace clever::engine::internal {

/// The prompt for an agent that works on a step: the person's words, the step if there are several,
/// and the definition of done.
[[nodiscard]] std::string agent_task(const plan::State& plan, const std::string& step,
                                     const std::vector<Messages::Loaded>& prompts,
                                     const std::vector<Messages::Loaded>& guidance = {});

/// The file to which an agent writes its strategy.
inline constexpr std::string_view kStrategyFile = ".cleveragents-strategy.json";
/// The prompt for an agent that makes the strategy.
[[nodiscard]] std::string strategy_task(const plan::State& plan,
                                        const std::vector<Messages::Loaded>& prompts);

/// The next message in a continued session: the person's new words, the next step, or the remark
/// that it was interrupted.
[[nodiscard]] std::string agent_follow_up(const plan::State& plan, const std::string& step,
                                          const std::vector<Messages::Loaded>& prompts,
                                          const std::vector<Messages::Loaded>& guidance,
                                          const AgentSession& session);

/// The guidance that corrections gave for this step alone.
[[nodiscard]] std::vector<base::Sha256Digest> guidance_for(const plan::State& plan,
                                                           const std::string& step);

/// Decides whether the agent may make a call. It may do what its confinement allows, unless a rule,
/// guard or profile of the plan covers the call. Refuses a call that cannot be compared with the
/// rules. An earlier decision of a person about the same call of this plan counts.
[[nodiscard]] AcpVerdict verdict_on(const plan::State& plan, const Actor& actor, const AcpAsk& ask);
/// Returns the same id whenever an agent asks for the same call: plan::AgentAnswer::id.
[[nodiscard]] std::string ask_id(const AcpAsk& ask);
/// One line for people: "Edit a.txt (edit a.txt)".
[[nodiscard]] std::string shown_ask(const AcpAsk& ask);

}  // namespace clever::engine::internal

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

/// The next message of a session that goes on: what people said since, the next step, or that it
/// was cut off.
[[nodiscard]] std::string agent_follow_up(const plan::State& plan, const std::string& step,
                                          const std::vector<Messages::Loaded>& prompts,
                                          const std::vector<Messages::Loaded>& guidance,
                                          const AgentSession& session);

/// What people said about the step alone when they corrected it.
[[nodiscard]] std::vector<base::Sha256Digest> guidance_for(const plan::State& plan,
                                                           const std::string& step);

/// Why the agent may not do what it asks for: a sentence; empty: it may. It may do what its
/// confinement lets it do anyway, unless a rule, guard or profile of the plan speaks of such a call
/// and does not allow it, or might: what they cannot be held against is refused. Nobody is asked:
/// what needs a person is refused, and the agent goes on without it.
[[nodiscard]] std::string objection_to(const plan::State& plan, const Actor& actor,
                                       const AcpAsk& ask);
/// One line for people: "Edit a.txt (edit a.txt)".
[[nodiscard]] std::string shown_ask(const AcpAsk& ask);

}  // namespace clever::engine::internal

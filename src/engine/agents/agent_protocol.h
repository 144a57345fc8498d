#pragma once
#include <string>
#include <vector>

#include "engine/agents/agent_program.h"
#include "model/plan_settings.h"

// Whether an agent asks before it acts: over the Agent Client Protocol it does, else it does not.
namespace clever::engine {

/// What a plan says about single calls, and an agent keeps only if it asks before them: rules that
/// deny or ask, guards, and a profile that asks before each call. As people wrote it: "deny
/// run_command(git push *)". Pure.
[[nodiscard]] std::vector<std::string> rules_on_calls(const model::PlanSettings& settings);

/// The program as a plan with these settings runs it: its server of the protocol where there are
/// such rules, and that server is installed (by the PATH of `environment`, lines "NAME=value").
/// Looks for the file, and runs nothing.
[[nodiscard]] AgentProgram program_for(const AgentProgram& program,
                                       const model::PlanSettings& settings,
                                       const std::vector<std::string>& environment);

/// The program as a server of the protocol. Pure.
[[nodiscard]] AgentProgram over_acp(const AgentProgram& program);

/// What a person should know before the agent of that name starts, and while it works; empty: it
/// asks first, or is bound by no rule.
[[nodiscard]] std::string unbound_words(const std::string& name, const AgentProgram& program,
                                        const model::PlanSettings& settings);

}  // namespace clever::engine

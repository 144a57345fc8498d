#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/agents/agent_program.h"

namespace clever::engine {

/// What goes into the command line of an agent.
struct AgentWords {
  /// "${task}" and "${argument}".
  std::map<std::string, std::string> values{};
  std::string model{};
  /// Of its session; `resumes`: there is one already.
  std::string session{};
  bool resumes = false;
};

/// The command line. Pure.
[[nodiscard]] std::vector<std::string> agent_command(const AgentProgram& program,
                                                     const AgentWords& words);

/// The variables that it gets, of those of a person ("NAME=value" each). An item "NAME=OTHER" of
/// `environment` gives it the value of OTHER where NAME itself is not set. Pure.
[[nodiscard]] std::map<std::string, std::string> agent_variables(
    const AgentProgram& program, const std::vector<std::string>& environment);
/// Whether a variable's name says that it holds a key or token.
[[nodiscard]] bool names_key(std::string_view name);

/// Whether a session can be gone on with.
[[nodiscard]] bool can_resume(const AgentProgram& program);
/// "7b0ea0a2-6fd5-4b5e-9c28-5ac1ac2d8e10", made of the SHA-256 of a text.
[[nodiscard]] std::string session_id_for(std::string_view text);

}  // namespace clever::engine

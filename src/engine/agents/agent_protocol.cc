#include "engine/agents/agent_protocol.h"

#include <string_view>

#include "base/text.h"
#include "io/environment.h"
#include "io/find_program.h"
#include "model/automation.h"

namespace clever::engine {
namespace {

io::Environment path_in(const std::vector<std::string>& lines) {
  constexpr std::string_view kPath = "PATH=";
  for (const std::string& line : lines) {
    if (line.starts_with(kPath)) return io::Environment({{"PATH", line.substr(kPath.size())}});
  }
  return {};
}

}  // namespace

std::vector<std::string> rules_on_calls(const model::PlanSettings& settings) {
  std::vector<std::string> rules;
  for (const model::Permission& rule : settings.control.permissions) {
    if (rule.verdict == model::Verdict::kAllow) continue;
    rules.push_back(std::string(model::to_string(rule.verdict)) + " " + rule.pattern);
  }
  const model::Guards& guards = settings.control.guards;
  if (!guards.denied_tools.empty()) {
    rules.push_back("guards.denied_tools " + base::joined(guards.denied_tools));
  }
  if (!guards.allowed_tools.empty()) {
    rules.push_back("guards.allowed_tools " + base::joined(guards.allowed_tools));
  }
  if (model::asks(model::automation_of(settings).write)) {
    rules.push_back("the profile " + settings.profile);
  }
  return rules;
}

AgentProgram over_acp(const AgentProgram& program) {
  AgentProgram server = program;
  server.command = program.acp_command;
  server.speaks_acp = true;
  server.reads_task = false;
  for (const auto& [name, value] : program.acp_set) server.set[name] = value;
  return server;
}

AgentProgram program_for(const AgentProgram& program, const model::PlanSettings& settings,
                         const std::vector<std::string>& environment) {
  const bool may = !program.speaks_acp && !program.acp_command.empty();
  if (!may || rules_on_calls(settings).empty()) return program;
  const bool is_there =
      io::find_program(program.acp_command.front(), path_in(environment)).has_value();
  return is_there ? over_acp(program) : program;
}

std::string unbound_words(const std::string& name, const AgentProgram& program,
                          const model::PlanSettings& settings) {
  if (program.speaks_acp) return {};
  const std::vector<std::string> rules = rules_on_calls(settings);
  if (rules.empty()) return {};
  std::string words = name + " does not ask before it acts, so only the sandbox binds it, not: " +
                      base::joined(rules);
  if (!program.acp_command.empty()) {
    words += "; it asks once its server of the Agent Client Protocol is installed (" +
             program.acp_command.front() + ")";
  }
  return words;
}

}  // namespace clever::engine

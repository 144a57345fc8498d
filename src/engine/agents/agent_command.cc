#include "engine/agents/agent_command.h"

#include "base/sha256.h"
#include "engine/actor/internal/variables.h"

namespace clever::engine {
namespace {

void add_words(std::vector<std::string>& command, const std::vector<std::string>& words,
               const std::string& variable, const std::string& value) {
  if (value.empty()) return;
  for (const std::string& word : words) {
    command.push_back(internal::expand(word, {{variable, value}}));
  }
}

}  // namespace

std::vector<std::string> agent_command(const AgentProgram& program, const AgentWords& words) {
  std::vector<std::string> command;
  for (const std::string& word : program.command) {
    if (word == "${model}") {
      add_words(command, program.model_words, "model", words.model);
    } else if (word == "${session}") {
      add_words(command, words.resumes ? program.resume_words : program.session_words, "session",
                words.session);
    } else {
      command.push_back(internal::expand(word, words.values));
    }
  }
  return command;
}

std::map<std::string, std::string> agent_variables(const AgentProgram& program,
                                                   const std::vector<std::string>& environment) {
  std::map<std::string, std::string> variables = program.set;
  for (const std::string& item : program.environment) {
    const std::size_t equals = item.find('=');
    const std::string name = item.substr(0, equals);
    const std::string source = equals == std::string::npos ? item : item.substr(equals + 1);
    for (const std::string& entry : environment) {
      const bool is_set = entry.starts_with(source + "=") && entry.size() > source.size() + 1;
      if (is_set) variables.emplace(name, entry.substr(source.size() + 1));
    }
  }
  return variables;
}

bool names_key(std::string_view name) { return name.ends_with("_KEY") || name.ends_with("_TOKEN"); }

bool can_resume(const AgentProgram& program) { return !program.resume_words.empty(); }

std::string session_id_for(std::string_view text) {
  std::string id = base::sha256(text).to_hex().substr(0, 32);
  id[12] = '4';
  id[16] = 'a';
  for (const std::size_t place : {8U, 13U, 18U, 23U}) id.insert(place, 1, '-');
  return id;
}

}  // namespace clever::engine

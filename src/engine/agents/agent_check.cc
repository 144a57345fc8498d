#include "engine/agents/agent_check.h"

#include <algorithm>

#include "base/utf8.h"
#include "engine/agents/agent_command.h"
#include "engine/agents/agent_failure.h"
#include "engine/agents/internal/json_fields.h"
#include "engine/agents/private_files.h"
#include "io/file.h"
#include "io/find_program.h"
#include "io/process.h"
#include "model/document_json.h"

namespace clever::engine {
namespace {

constexpr std::chrono::seconds kVersionPatience{30};
constexpr std::chrono::seconds kStartPatience{60};
constexpr std::size_t kMostOfVersion = 100;
constexpr std::size_t kLargestLoginFile = std::size_t{4} << 20U;

std::string version_line(const std::string& output) {
  const std::string line = output.substr(0, output.find('\n'));
  return std::string(base::utf8_prefix(base::to_valid_utf8(line), kMostOfVersion));
}

// Fills the version, or what is wrong with the program. Some take seconds on a busy machine.
void ask_version(const std::string& name, const AgentSurroundings& around,
                 const base::StopToken& stop, AgentFound& found) {
  const auto answer =
      io::run_process({.argv = {found.program.string(), "--version"},
                       .deadline = base::Deadline::after(around.clock, kVersionPatience),
                       .stop = stop,
                       .output_limit = std::size_t{64} << 10U});
  if (answer.ok() && answer->succeeded()) found.version = version_line(answer->output);
  if (!found.version.empty()) return;
  const bool is_late = !answer.ok() && answer.error().code() == base::ErrorCode::kDeadlineExceeded;
  found.missing.push_back(
      name + (is_late ? " --version did not answer within " +
                            std::to_string(kVersionPatience.count()) + " s: try again"
                      : " --version fails: it may need a newer Node.js, or another install"));
}

bool holds_login(const std::filesystem::path& home, const AgentLogin& login) {
  const auto text = io::read_file(home / below_home(login.file), kLargestLoginFile);
  const auto document = model::parse_document(text.ok() ? *text : std::string());
  if (!document.ok()) return false;
  return std::ranges::any_of(internal::members_of(*document, login.tokens),
                             [](const auto& member) { return !member.second.is_null(); });
}

// A key takes precedence over a login, as it does in the agents.
std::string login_of(const AgentProgram& program, const AgentSurroundings& around) {
  for (const auto& [name, value] : agent_variables(program, around.world.environment)) {
    if (names_key(name) && !program.set.contains(name)) return name;
  }
  for (const AgentLogin& login : program.logins) {
    if (holds_login(around.world.home, login)) return login.file;
  }
  return {};
}

bool wants_login(const AgentProgram& program) {
  return !program.logins.empty() || std::ranges::any_of(program.environment, names_key);
}

}  // namespace

AgentFound look_for_agent(const Actor& agent, const AgentSurroundings& around,
                          const base::StopToken& stop) {
  const AgentProgram& program = agent.program;
  AgentFound found;
  const auto path = io::find_program(program.command.front(), around.environment);
  if (!path) {
    found.missing.push_back(program.command.front() + " is not installed" +
                            (program.install.empty() ? "" : ": " + program.install));
  } else {
    found.program = *path;
    ask_version(program.command.front(), around, stop, found);
  }
  if (!program.acp_command.empty()) {
    found.acp = io::find_program(program.acp_command.front(), around.environment)
                    .value_or(std::filesystem::path());
  }
  found.login = login_of(program, around);
  if (found.login.empty() && wants_login(program)) {
    found.missing.push_back("not logged in" +
                            (program.log_in.empty() ? "" : ": " + program.log_in));
  }
  return found;
}

base::Result<std::string> start_confined(const Actor& agent, const AgentSurroundings& around,
                                         const confine::Launcher& launcher,
                                         const base::StopToken& stop) {
  confine::Command command{.argv = {agent.program.command.front(), "--version"},
                           .working_directory = "/tmp",
                           .environment = confine::clean_environment(around.world),
                           .mounts = confine::cache_mounts(around.world),
                           .hidden = {around.world.own_home},
                           .chosen_by_person = true};
  for (const auto& [name, value] : agent.program.set) {
    command.environment.push_back(name + "=" + value);
  }
  CLEVER_ASSIGN(const confine::Output output,
                confine::run(launcher, command, "", std::size_t{64} << 10U, stop,
                             base::Deadline::after(around.clock, kStartPatience)));
  if (output.ending.exit_code == 0) return version_line(output.output);
  const std::string errors = meaningful_end(output.error_output);
  return base::unavailable(command.argv.front() + " does not start in the sandbox (exit code " +
                           std::to_string(output.ending.exit_code) +
                           "): " + (errors.empty() ? meaningful_end(output.output) : errors));
}

}  // namespace clever::engine

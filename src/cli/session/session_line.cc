#include "cli/session/session_line.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

base::Error unknown(std::string_view name, std::vector<std::string> names) {
  for (const SessionCommand& command : session_commands()) names.emplace_back(command.name);
  const auto nearest = base::nearest_match(name, names);
  return base::invalid_argument(
      "unknown command " + in_quotes("/" + std::string(name)) +
      (nearest ? "; did you mean /" + *nearest + "?" : "; /help lists the commands"));
}

}  // namespace

const std::vector<SessionCommand>& session_commands() {
  static const std::vector<SessionCommand> kCommands{
      {"help", "", "this list"},
      {"model", "NAME", "switch the model: provider/model, or an alias; alone: choose from a list"},
      {"plan", "TASK", "start a plan that makes a strategy before it works"},
      {"diff", "", "show what the current plan would change"},
      {"review", "", "review the changes hunk by hunk"},
      {"apply", "", "apply the changes to the project"},
      {"undo", "", "undo the last apply"},
      {"status", "", "show the current plan's status"},
      {"tree", "", "show its decisions, steps and subplans"},
      {"log", "", "show every tool call of the current plan, with its output"},
      {"cost", "", "show what this conversation has cost"},
      {"resume", "", "resume an interrupted plan, or choose an older conversation"},
      {"plans", "", "list the plans of this conversation"},
      {"new", "", "start a new plan with your next words"},
      {"compact", "", "continue from a summary of the dialogue, with all changes so far"},
      {"clear", "", "start a new conversation that knows nothing of this one"},
      {"cancel", "", "cancel the current plan for good"},
      {"quit", "", "leave; so do Ctrl-D, and Ctrl-C twice"}};
  return kCommands;
}

base::Result<SessionLine> session_line(std::string_view text,
                                       const std::vector<std::string>& actions) {
  using Kind = SessionLine::Kind;
  constexpr std::string_view kBlanks = " \t\n";
  const std::string_view line = base::trimmed(text, kBlanks);
  if (line.empty()) return SessionLine{};
  if (line.starts_with("//")) return SessionLine{Kind::kPrompt, "", std::string(line.substr(1))};
  if (line.starts_with('!')) {
    const std::string_view command = base::trimmed(line.substr(1), kBlanks);
    if (command.empty()) return SessionLine{};
    return SessionLine{Kind::kShell, "", std::string(command)};
  }
  if (!line.starts_with('/')) return SessionLine{Kind::kPrompt, "", std::string(line)};
  const std::size_t end = std::min(line.find_first_of(" \n"), line.size());
  const std::string_view name = line.substr(1, end - 1);
  const std::string rest(base::trimmed(line.substr(end), kBlanks));
  const auto& commands = session_commands();
  if (std::ranges::find(commands, name, &SessionCommand::name) != commands.end()) {
    return SessionLine{Kind::kCommand, std::string(name), rest};
  }
  if (std::ranges::find(actions, name) != actions.end()) {
    return SessionLine{Kind::kAction, std::string(name), rest};
  }
  return unknown(name, actions);
}

}  // namespace clever::cli

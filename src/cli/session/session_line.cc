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
      "there is no command " + in_quotes("/" + std::string(name)) +
      (nearest ? "; did you mean /" + *nearest + "?" : "; /help lists them"));
}

}  // namespace

const std::vector<SessionCommand>& session_commands() {
  static const std::vector<SessionCommand> kCommands{
      {"help", "", "this list"},
      {"model", "NAME", "the model to go on with: provider/model, or an alias; alone: choose one"},
      {"plan", "TASK", "a new plan that makes a strategy before it works"},
      {"diff", "", "what the present plan would change"},
      {"review", "", "go through it hunk by hunk"},
      {"apply", "", "let it land in the project"},
      {"undo", "", "take back what was applied"},
      {"status", "", "how the present plan stands"},
      {"tree", "", "its decisions, steps and subplans"},
      {"log", "", "every tool call of the present plan, with its output"},
      {"cost", "", "what this conversation has cost"},
      {"resume", "", "let an interrupted plan go on as it is, or choose an older conversation"},
      {"plans", "", "the plans of this conversation"},
      {"new", "", "begin a new plan with the next words"},
      {"compact", "", "go on with the next words from a summary, and with all changes so far"},
      {"clear", "", "begin a new conversation that knows nothing of this one"},
      {"cancel", "", "give the present plan up for good"},
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

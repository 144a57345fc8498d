#include "engine/offer/project_commands.h"

#include <algorithm>
#include <iterator>

#include "engine/actor/action.h"

namespace clever::engine {
namespace {

// An unreadable file defines no action, and so no validation.
std::vector<NamedCommand> validations_of_actions(const std::filesystem::path& project) {
  std::vector<NamedCommand> commands;
  const auto actions = ActionCatalog::load({}, {project / ".cleveragents" / "actions"});
  if (!actions.ok()) return commands;
  for (const Action& action : actions->all()) {
    if (!action.of_project) continue;
    for (const model::Validation& validation : action.validations) {
      commands.push_back(named_validation(validation, action.place));
    }
  }
  return commands;
}

}  // namespace

NamedCommand named_validation(const model::Validation& validation, const std::string& place) {
  NamedCommand command{
      .kind = "validation", .name = validation.name, .argv = validation.argv, .place = place};
  if (!validation.tool.empty()) command.argv = {validation.tool, validation.arguments};
  return command;
}

std::vector<NamedCommand> project_commands(const config::Settings& settings, const Offer& offer,
                                           const std::filesystem::path& project) {
  std::vector<NamedCommand> commands;
  for (const std::string_view kind : {"validation", "hook"}) {
    for (const config::Table& table : settings.tables(kind)) {
      if (table.of_project) commands.push_back(named_command(kind, table));
    }
  }
  std::ranges::move(validations_of_actions(project), std::back_inserter(commands));
  std::ranges::move(setup_command_of(settings), std::back_inserter(commands));
  std::ranges::move(project_commands_of(offer, project), std::back_inserter(commands));
  return commands;
}

}  // namespace clever::engine

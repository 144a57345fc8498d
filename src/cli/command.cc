#include "cli/command.h"

#include <algorithm>

namespace clever::cli {

const Command* find_subcommand(const Command& command, std::string_view name) noexcept {
  for (const Command& subcommand : command.subcommands) {
    if (subcommand.name == name || std::ranges::count(subcommand.aliases, name) > 0) {
      return &subcommand;
    }
  }
  return nullptr;
}

std::string joined(const CommandPath& path, std::string_view separator) {
  std::string text;
  for (const Command* command : path) {
    if (!text.empty()) text.append(separator);
    text.append(command->name);
  }
  return text;
}

std::vector<const Option*> options_at(const CommandPath& path) {
  std::vector<const Option*> options;
  for (auto command = path.rbegin(); command != path.rend(); ++command) {
    for (const Option& option : (*command)->options) options.push_back(&option);
  }
  return options;
}

std::string usage_line(const CommandPath& path) {
  const Command& command = *path.back();
  std::string line = joined(path);
  if (!command.subcommands.empty()) line.append(" COMMAND");
  for (const Positional& positional : command.positionals) line += " " + spelled(positional);
  if (path.size() == 1) return line + " [OPTIONS]";
  for (const Option& option : command.options) {
    line.append(" [--").append(option.name);
    if (!option.value.empty()) line.append(" ").append(option.value);
    line.append("]");
  }
  return line;
}

std::string spelled(const Option& option) {
  std::string text;
  if (option.letter != 0) text.append({'-', option.letter, ',', ' '});
  text.append("--").append(option.name);
  if (!option.value.empty()) text.append(" ").append(option.value);
  return text;
}

std::string spelled(const Positional& positional) {
  std::string text(positional.name);
  if (positional.repeated) text.append("…");
  return positional.required ? text : "[" + text + "]";
}

}  // namespace clever::cli

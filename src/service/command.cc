#include "service/command.h"

#include <algorithm>

namespace clever::service {
namespace {

// Returns the line without "Usage: ".
constexpr std::size_t kWidestUsage = 73;

}  // namespace

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
    for (const Option& option : (*command)->options) {
      // A command's own option hides one of the root.
      const auto is_hidden = [&](const Option* other) { return other->name == option.name; };
      const bool fits = !option.alone || path.size() == 1;
      if (fits && std::ranges::none_of(options, is_hidden)) options.push_back(&option);
    }
  }
  return options;
}

std::string usage_line(const CommandPath& path) {
  const Command& command = *path.back();
  std::string line = joined(path);
  if (!command.subcommands.empty()) line.append(command.handler ? " [COMMAND]" : " COMMAND");
  for (const Positional& positional : command.positionals) line += " " + spelled(positional);
  std::string options;
  for (const Option& option : command.options) {
    options.append(" [--").append(option.name);
    if (!option.value.empty()) options.append(" ").append(option.value);
    options.append("]");
  }
  // The root's options apply everywhere. If there are many, they are listed below the line instead.
  const bool too_many = line.size() + options.size() > kWidestUsage;
  return line + (path.size() == 1 || too_many ? " [OPTIONS]" : options);
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

}  // namespace clever::service

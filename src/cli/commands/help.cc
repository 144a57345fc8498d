#include "cli/help.h"

#include "cli/commands/commands.h"
#include "cli/context.h"
#include "cli/parse.h"
#include "cli/suggest.h"
#include "cli/text.h"

namespace clever::cli {
namespace {

Report unknown_command(const CommandPath& path, const std::string& word) {
  std::vector<std::string_view> names;
  for (const Command& subcommand : path.back()->subcommands) {
    if (!subcommand.hidden) names.push_back(subcommand.name);
  }
  return failed(base::invalid_argument("unknown command " + in_quotes(word)),
                did_you_mean(word, names, "`agents help` lists the commands"));
}

base::Result<Report> show_help(const Invocation& invocation, Context& context) {
  CommandPath path{&invocation.root()};
  for (const std::string& word : invocation.words()) {
    const Command* subcommand = find_subcommand(*path.back(), word);
    if (subcommand == nullptr) return unknown_command(path, word);
    path.push_back(subcommand);
  }
  Report report;
  report.data = help_data(path);
  report.view = {help_text(path, context.width())};
  return report;
}

}  // namespace

Command help_command() {
  return {.name = "help",
          .summary = "Show help for a command",
          .positionals = {{.name = "COMMAND",
                           .summary = "The command, with its subcommands",
                           .required = false,
                           .repeated = true,
                           .completes = Completes::kCommand}},
          .examples = {{"agents help config set", "How to change a setting"}},
          .handler = show_help,
          .raw = true};
}

}  // namespace clever::cli

#include "cli/help.h"

#include "cli/commands/commands.h"
#include "cli/parse.h"
#include "cli/words.h"
#include "model/automation.h"
#include "service/context.h"
#include "service/suggest.h"
#include "service/text.h"

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

std::string shown_threshold(double threshold) {
  if (threshold >= 1) return "asks";
  if (threshold <= 0) return "-";
  std::string text = std::to_string(threshold);
  return "below " + text.substr(0, text.find_last_not_of('0') + 1);
}

// The profiles by name, from the one table in model/automation.h.
Report profiles() {
  Report report;
  Document all = Document::list();
  Table table{"", {"profile", "strategy", "writes", "deletions", "reversion", "apply", ""}, {}};
  for (const model::AutomationProfile& each : model::automation_profiles()) {
    const model::Automation& asks = each.automation;
    all.push(Document::map()
                 .set("name", each.name)
                 .set("summary", each.summary)
                 .set("strategy", asks.strategy)
                 .set("asks_to_execute", each.asks_to_execute)
                 .set("decision", asks.decision)
                 .set("write", asks.write)
                 .set("deletion", asks.deletion)
                 .set("reversion", asks.reversion)
                 .set("apply", asks.apply));
    table.rows.push_back({{std::string(each.name), each.usual ? Tone::kStrong : Tone::kPlain},
                          {each.asks_to_execute ? "unless run" : shown_threshold(asks.strategy)},
                          {shown_threshold(asks.write)},
                          {shown_threshold(asks.deletion)},
                          {shown_threshold(asks.reversion)},
                          {shown_threshold(asks.apply)},
                          {std::string(each.summary), Tone::kDim}});
  }
  report.data.set("profiles", std::move(all));
  report.view = {std::move(table),
                 Prose{{{{"`agents run --profile NAME`, or plan.profile in the settings; each "
                          "threshold can be set: automation.write, …",
                          Tone::kDim}}}}};
  return report;
}

base::Result<Report> show_help(const Invocation& invocation, Context& context) {
  if (invocation.words() == std::vector<std::string>{"profiles"}) return profiles();
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
          .examples = {{"agents help config set", "How to change a setting"},
                       {"agents help profiles", "What each automation profile asks about"}},
          .handler = show_help,
          .raw = true};
}

}  // namespace clever::cli

#include "config/edit.h"
#include "config/settings.h"
#include "config/typed_value.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"
#include "service/plan/rule_warnings.h"
#include "service/text.h"

namespace clever::service {
namespace {

base::Result<std::string> typed_setting(const config::KeyInfo& info, const Invocation& invocation) {
  const std::string& key = invocation.word(0);
  if (invocation.flag("project") && !info.project_may_set) {
    return base::invalid_argument(key + " cannot be set by a project; omit --project");
  }
  return config::typed_value(info, key, invocation.word(1));
}

// Warns about a value that another layer hides, since nothing would seem to have changed.
void note_if_hidden(const std::string& key, bool project, const Context& context, Report& report) {
  const auto settings = config::load_settings(context.sources());
  if (!settings.ok()) return;
  const auto value = settings->find(key);
  const auto written = project ? config::Layer::kProject : config::Layer::kUser;
  if (value && value->layer > written) {
    report.messages.push_back(
        {Message::Level::kNote, "the value in force comes from " + value->origin});
  }
}

std::vector<engine::PlacedRule> rules_in(const config::KeyInfo& info, const std::string& key,
                                         const std::string& value) {
  std::vector<engine::PlacedRule> rules;
  if (info.type != config::Type::kRules && info.type != config::Type::kTools) return rules;
  for (const std::string& rule : config::rules_of(value))
    rules.push_back({rule, key, info.type == config::Type::kRules});
  return rules;
}

// Only warns: what the rule names may exist later, or in another project.
base::Result<void> warn_of_rules(const std::vector<engine::PlacedRule>& rules, Context& context,
                                 Report& report) {
  const auto settings = config::load_settings(context.sources());
  if (rules.empty() || !settings.ok()) return {};
  const auto& project = context.project();
  CLEVER_ASSIGN(
      const engine::KnownTools known,
      known_tools(context, *settings, project.ok() ? project->root : context.directory()));
  for (std::string& sentence : engine::rules_without_effect(rules, known)) {
    report.warn(std::move(sentence));
  }
  return {};
}

base::Result<Report> set_setting(const Invocation& invocation, Context& context) {
  const std::string& key = invocation.word(0);
  CLEVER_ASSIGN(const config::KeyInfo* info, known_key(key));
  CLEVER_ASSIGN(const std::string value, typed_setting(*info, invocation));
  CLEVER_ASSIGN(const auto file, target_file(invocation, context));
  // Key and value are checked, so any error comes from the file.
  if (const auto done = config::set_value(file, key, value); !done.ok()) {
    return blame_file(done.error());
  }
  Report report;
  report.data.set("key", key).set("value", value).set("file", file.string());
  report.view = {Prose{{{{key, Tone::kAccent},
                         {" = "},
                         {value, Tone::kStrong},
                         {" in " + short_path(file, context), Tone::kDim}}}}};
  CLEVER_TRY(warn_of_rules(rules_in(*info, key, value), context, report));
  note_if_hidden(key, invocation.flag("project"), context, report);
  return report;
}

}  // namespace

Command config_set_command() {
  return {
      .name = "set",
      .summary = "Change a setting",
      .description =
          "Writes a setting to your config.toml, or with --project to the project's. Keeps the "
          "file's comments and order. Several processes may write at the same time.",
      .positionals = {key_positional(),
                      {.name = "VALUE",
                       .summary = "Its new value",
                       .completes = Completes::kConfigValue}},
      .options = {project_option()},
      .examples = {{"agents config set model.default openai/gpt-4o", "Choose the model"},
                   {"agents config set model.alias.fast groq/llama-3.3-70b-versatile",
                    "Give a model a short name"},
                   {"agents config set sandbox.hosts '[\"pypi.org\", \"*.crates.io\"]'",
                    "A list, as an array or with commas"},
                   {"agents config set --project output.format plain", "For this project only"}},
      .handler = set_setting};
}

}  // namespace clever::service

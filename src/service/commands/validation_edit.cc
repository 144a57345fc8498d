#include <map>
#include <utility>

#include "config/edit.h"
#include "config/schema.h"
#include "config/settings.h"
#include "engine/trust.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"

namespace clever::service {
namespace {

using Values = std::map<std::string, std::vector<std::string>>;

// Returns the project's file, or the user's own with --user.
std::filesystem::path validation_file(const Invocation& invocation, const Context& context) {
  if (invocation.flag("user")) return config::user_file(context.home());
  return project_settings_file(context);
}

base::Result<Values> values_of(const Invocation& invocation) {
  Values values{{"name", {invocation.word(0)}}};
  std::vector<std::string> command(invocation.words().begin() + 1, invocation.words().end());
  const auto tool = invocation.value("tool");
  if (tool.has_value() == !command.empty()) {
    return base::invalid_argument(
        "a validation needs either a command (agents validation add NAME -- COMMAND) or --tool "
        "NAME");
  }
  if (tool) {
    values["tool"] = {std::string(*tool)};
    if (const auto arguments = invocation.value("arguments")) {
      values["arguments"] = {std::string(*arguments)};
    }
  } else {
    // One word with blanks is a text for the shell, as people quote it.
    const bool shell = command.size() == 1 && command[0].find(' ') != std::string::npos;
    values["command"] = shell ? std::vector<std::string>{"sh", "-c", command[0]} : command;
  }
  if (invocation.flag("informational")) values["required"] = {"false"};
  if (const auto timeout = invocation.value("timeout")) values["timeout"] = {std::string(*timeout)};
  return values;
}

// Typing the command means trusting it.
base::Result<void> trust_validation(const std::string& name, Context& context) {
  CLEVER_ASSIGN(const git::Project project, context.project());
  CLEVER_ASSIGN(const auto settings, config::load_settings(context.sources()));
  CLEVER_ASSIGN(engine::TrustStore store, engine::TrustStore::open(context.home()));
  for (const config::Table& table : settings.tables("validation")) {
    if (!table.of_project || table.text("name") != name) continue;
    CLEVER_TRY(
        store.trust(project.root, {engine::named_command("validation", table)}, context.stop()));
  }
  return {};
}

base::Result<Report> add_validation_table(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Values values, values_of(invocation));
  const std::filesystem::path file = validation_file(invocation, context);
  CLEVER_TRY(config::add_table(file, "validation", values));
  const bool of_project = !invocation.flag("user");
  if (of_project) CLEVER_TRY(trust_validation(invocation.word(0), context));
  Report report;
  report.data.set("name", invocation.word(0)).set("file", file.string()).set("trusted", true);
  report.view = {Prose{
      {{{"validation "},
        {invocation.word(0), Tone::kStrong},
        {" is in " + short_path(file, context) + (of_project ? ", and trusted as it is now" : ""),
         Tone::kDim}}}}};
  return report;
}

base::Result<Report> remove_validation(const Invocation& invocation, Context& context) {
  const std::filesystem::path file = validation_file(invocation, context);
  CLEVER_TRY(config::remove_table(file, "validation", invocation.word(0)));
  Report report;
  report.data.set("name", invocation.word(0)).set("file", file.string());
  report.view = {Prose{{{{"validation "},
                         {invocation.word(0), Tone::kStrong},
                         {" is gone from " + short_path(file, context), Tone::kDim}}}}};
  return report;
}

Option user_option() {
  return {.name = "user", .summary = "In your own config.toml: for all projects"};
}

}  // namespace

Command validation_add_command() {
  return {
      .name = "add",
      .summary = "Add a validation to the project's config.toml",
      .description =
          "Appends a [[validation]] to .cleveragents/config.toml and keeps the rest of the file. "
          "Adding it means trusting it, until it or a project file that it names changes. Several "
          "words run directly; one quoted text runs in the shell.",
      .positionals = {{.name = "NAME", .summary = "Its name"},
                      {.name = "COMMAND",
                       .summary = "The command and its arguments, after --",
                       .required = false,
                       .repeated = true}},
      .options = {{.name = "tool", .value = "NAME", .summary = "A tool in place of a command"},
                  {.name = "arguments", .value = "JSON", .summary = "With --tool: for it"},
                  {.name = "informational", .summary = "Report the outcome, but never block apply"},
                  {.name = "timeout",
                   .value = "TIME",
                   .summary = "How long it may take (default 10m)"},
                  user_option()},
      .examples = {{"agents validation add tests -- make test", "The tests must pass"},
                   {"agents validation add lint --informational 'npm run lint | tail -20'",
                    "Only reported, run by the shell"},
                   {"agents validation add slow --timeout 30m -- ctest --test-dir build",
                    "With more time"}},
      .handler = add_validation_table};
}

Command validation_remove_command() {
  return {.name = "remove",
          .summary = "Remove a validation from the project's config.toml",
          .positionals = {{.name = "NAME", .summary = "As `agents validation list` shows it"}},
          .options = {user_option()},
          .examples = {{"agents validation remove lint", "It no longer runs"}},
          .handler = remove_validation};
}

}  // namespace clever::service

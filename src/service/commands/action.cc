#include "engine/actor/action.h"

#include <algorithm>

#include "model/document_yaml.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"
#include "service/definitions/definitions.h"

namespace clever::service {
namespace {

using engine::Action;
using engine::ActionCatalog;

base::Result<ActionCatalog> load_actions(const DefinitionFolders& folders) {
  auto catalog = ActionCatalog::load({folders.home}, {folders.project});
  if (!catalog.ok()) return blame_file(catalog.error());
  return catalog;
}

base::Result<Report> list_actions(const Invocation&, Context& context) {
  CLEVER_ASSIGN(const DefinitionFolders folders, definition_folders(context, "actions"));
  CLEVER_ASSIGN(const ActionCatalog catalog, load_actions(folders));
  std::vector<DefinitionRow> rows;
  for (const Action& action : catalog.all()) {
    rows.push_back({action.name, action.execution_actor, action.description,
                    owner_of(action.place, folders), action.place});
  }
  return list_report("actions", rows);
}

base::Result<Report> show_action(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const DefinitionFolders folders, definition_folders(context, "actions"));
  CLEVER_ASSIGN(const ActionCatalog catalog, load_actions(folders));
  CLEVER_ASSIGN(const Action action, catalog.find(invocation.word(0)));
  Shown shown(action.name);
  shown.add("name", action.name)
      .add("from", owner_of(action.place, folders))
      .add("place", action.place)
      .add("description", action.description)
      .add("definition_of_done", action.definition_of_done)
      .add("strategy_actor",
           action.strategy_actor.empty() ? action.execution_actor : action.strategy_actor)
      .add("execution_actor", action.execution_actor)
      .add("invariants", action.invariants)
      .add("automation_profile", action.automation_profile)
      .add("read_only", action.read_only)
      .add("reusable", action.reusable);
  Report report = std::move(shown).report();
  report.data.set("arguments", arguments_document(action.arguments));
  if (!action.arguments.empty()) report.view.emplace_back(arguments_table(action.arguments));
  return report;
}

base::Result<GivenFile> action_from_flags(const Invocation& invocation) {
  if (!invocation.flag("description")) {
    return base::invalid_argument("--description is missing: it is the task of the action");
  }
  Document action = Document::map();
  for (const auto& [option, key] : {std::pair("name", "name"),
                                    {"description", "description"},
                                    {"done", "definition_of_done"},
                                    {"actor", "execution_actor"},
                                    {"profile", "automation_profile"}}) {
    if (const auto value = invocation.value(option)) action.set(key, *value);
  }
  CLEVER_ASSIGN(Document arguments, argument_list(invocation));
  if (invocation.flag("argument")) action.set("arguments", std::move(arguments));
  Document invariants = Document::list();
  for (const std::string& text : invocation.values("invariant")) invariants.push(text);
  if (invocation.flag("invariant")) action.set("invariants", std::move(invariants));
  return GivenFile{"the new action", to_yaml(action)};
}

base::Result<Report> add_action(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_source(
      invocation, {"name", "description", "done", "actor", "profile", "argument", "invariant"}));
  const bool by_file = !invocation.words().empty();
  CLEVER_ASSIGN(const GivenFile given,
                by_file ? read_given(invocation.word(0), context) : action_from_flags(invocation));
  auto action = engine::action_from_yaml(given.text, given.name);
  if (!action.ok()) return by_file ? blame(action.error()) : action.error();
  CLEVER_ASSIGN(const DefinitionFolders folders, definition_folders(context, "actions"));
  CLEVER_ASSIGN(const ActionCatalog catalog, load_actions(folders));
  const auto& folder = invocation.flag("project") ? folders.project : folders.home;
  const auto same = std::ranges::find(catalog.all(), action->name, &Action::name);
  if (same != catalog.all().end() &&
      (same->place.empty() || same->place.starts_with(folder.string() + "/"))) {
    return base::already_exists("the action " + action->name +
                                (same->place.empty() ? " is built in" : " is in " + same->place) +
                                " already; choose another name");
  }
  return write_definition(folder / file_name_of(action->name), given.text, "action", action->name,
                          context);
}

base::Result<Report> remove_action(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const DefinitionFolders folders, definition_folders(context, "actions"));
  CLEVER_ASSIGN(const ActionCatalog catalog, load_actions(folders));
  CLEVER_ASSIGN(const Action action, catalog.find(invocation.word(0)));
  return remove_definition(action.place, "action", action.name, context);
}

Positional action_positional() {
  return {.name = "ACTION", .summary = "Its name: local/add-tests, or add-tests for short"};
}

}  // namespace

Command action_command() {
  return {
      .name = "action",
      .summary = "List, show and add actions: templates for plans",
      .description =
          "Actions are YAML files in ~/.cleveragents/actions and in the project's "
          ".cleveragents/actions; if names are equal, the project's win. `agents run --action NAME "
          "--arg KEY=VALUE` uses one.",
      .examples = {{"agents action list", "Which there are"},
                   {"agents action show add-tests", "What one says and which arguments it takes"}},
      .subcommands = {
          {.name = "list",
           .summary = "List actions",
           .examples = {{"agents action list", "For people"},
                        {"agents action list --format json", "For programs"}},
           .handler = list_actions},
          {.name = "show",
           .summary = "Show an action: what it says, where it comes from, its arguments",
           .positionals = {action_positional()},
           .examples = {{"agents action show local/task", "The one that `agents run` uses"}},
           .handler = show_action},
          {.name = "add",
           .summary = "Add an action from a file, or from flags",
           .description = "Checks the file first, and never overwrites an existing one.",
           .positionals = {{.name = "FILE",
                            .summary = "A YAML file; - reads the standard input",
                            .required = false}},
           .options =
               {{.name = "name", .value = "NAME", .summary = "Its name"},
                {.name = "description", .value = "TEXT", .summary = "The task"},
                {.name = "done", .value = "TEXT", .summary = "When it is done"},
                {.name = "actor", .value = "ACTOR", .summary = "Who works"},
                {.name = "profile", .value = "PROFILE", .summary = "What needs your approval"},
                argument_option(),
                {.name = "invariant",
                 .value = "TEXT",
                 .summary = "A sentence that must hold; may be repeated",
                 .repeated = true},
                project_option()},
           .examples = {{"agents action add add-tests.yaml", "From a file"},
                        {"agents action add --name add-tests --description \"Add tests for "
                         "${file}\" --argument file:path",
                         "From flags"}},
           .handler = add_action},
          {.name = "remove",
           .summary = "Remove the file of an action",
           .positionals = {action_positional()},
           .examples = {{"agents action remove add-tests", "Its file is deleted"}},
           .handler = remove_action}}};
}

}  // namespace clever::service

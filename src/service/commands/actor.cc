#include <algorithm>

#include "engine/actor/tool_actor.h"
#include "model/document_yaml.h"
#include "service/commands/commands.h"
#include "service/definitions/definitions.h"

namespace clever::service {
namespace {

using engine::Actor;
using engine::ActorCatalog;

base::Result<ActorCatalog> load_actors(const DefinitionFolders& folders) {
  auto catalog = ActorCatalog::load({folders.home});
  if (!catalog.ok()) return blame_file(catalog.error());
  return catalog;
}

base::Result<Report> list_actors(const Invocation&, Context& context) {
  CLEVER_ASSIGN(const DefinitionFolders folders, definition_folders(context, "actors"));
  CLEVER_ASSIGN(const ActorCatalog catalog, load_actors(folders));
  std::vector<DefinitionRow> rows;
  for (const Actor& actor : catalog.all()) {
    rows.push_back({actor.name, std::string(to_string(actor.type)), actor.description,
                    owner_of(actor.place, folders), actor.place});
  }
  return list_report("actors", rows);
}

std::vector<std::string> steps_of(const Actor& actor) {
  std::vector<std::string> steps;
  for (const engine::ToolActorStep& step : actor.steps) steps.push_back(step.kind);
  return steps;
}

std::vector<std::string> nodes_of(const Actor& actor) {
  std::vector<std::string> nodes;
  for (const engine::GraphNode& node : actor.nodes) nodes.push_back(node.id);
  return nodes;
}

base::Result<Report> show_actor(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const DefinitionFolders folders, definition_folders(context, "actors"));
  CLEVER_ASSIGN(const ActorCatalog catalog, load_actors(folders));
  CLEVER_ASSIGN(const Actor actor, catalog.find(invocation.word(0)));
  Shown shown(actor.name);
  shown.add("name", actor.name)
      .add("type", std::string(to_string(actor.type)))
      .add("from", owner_of(actor.place, folders))
      .add("place", actor.place)
      .add("description", actor.description)
      .add("model", actor.model)
      .add("system", actor.system)
      .add("steps", steps_of(actor))
      .add("nodes", nodes_of(actor))
      .add("entries", actor.entries)
      .add("exits", actor.exits)
      .add("command", actor.program.command);
  Report report = std::move(shown).report();
  report.data.set("arguments", arguments_document(actor.arguments));
  if (!actor.arguments.empty()) report.view.emplace_back(arguments_table(actor.arguments));
  return report;
}

// Makes an actor with a model from flags.
base::Result<GivenFile> actor_from_flags(const Invocation& invocation) {
  Document actor = Document::map();
  actor.set("name", invocation.value("name").value_or("")).set("type", "llm");
  for (const std::string_view option : {"description", "system", "model"}) {
    if (const auto value = invocation.value(option)) actor.set(option, *value);
  }
  CLEVER_ASSIGN(Document arguments, argument_list(invocation));
  if (invocation.flag("argument")) actor.set("arguments", std::move(arguments));
  return GivenFile{"the new actor", to_yaml(actor)};
}

base::Result<Report> add_actor(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_source(invocation, {"name", "description", "system", "model", "argument"}));
  const bool by_file = !invocation.words().empty();
  CLEVER_ASSIGN(const GivenFile given,
                by_file ? read_given(invocation.word(0), context) : actor_from_flags(invocation));
  auto actor = engine::actor_from_yaml(given.text, given.name);
  if (!actor.ok()) return by_file ? blame(actor.error()) : actor.error();
  CLEVER_ASSIGN(const DefinitionFolders folders, definition_folders(context, "actors"));
  CLEVER_ASSIGN(const ActorCatalog catalog, load_actors(folders));
  const auto same = std::ranges::find(catalog.all(), actor->name, &Actor::name);
  // An actor of the person's own may replace a preset.
  const bool is_preset =
      same != catalog.all().end() && same->place.empty() && same->type == engine::ActorType::kAgent;
  if (same != catalog.all().end() && !is_preset) {
    return base::already_exists("the actor " + actor->name +
                                (same->place.empty() ? " is built in" : " is in " + same->place) +
                                " already; choose another name");
  }
  return write_definition(folders.home / file_name_of(actor->name), given.text, "actor",
                          actor->name, context);
}

base::Result<Report> remove_actor(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const DefinitionFolders folders, definition_folders(context, "actors"));
  CLEVER_ASSIGN(const ActorCatalog catalog, load_actors(folders));
  CLEVER_ASSIGN(const Actor actor, catalog.find(invocation.word(0)));
  return remove_definition(actor.place, "actor", actor.name, context);
}

Positional actor_positional() {
  return {.name = "ACTOR", .summary = "Its name: local/codemod, or codemod for short"};
}

}  // namespace

Command actor_command() {
  return {
      .name = "actor",
      .summary = "List, show and add actors: models, steps, graphs, agents",
      .description =
          "Actors are YAML files in ~/.cleveragents/actors: yours alone, since their commands run "
          "on your machine. `agents run --actor NAME --arg KEY=VALUE` uses one.",
      .examples = {{"agents actor list", "Which there are"},
                   {"agents actor show codemod", "What one does and which arguments it takes"}},
      .subcommands = {
          {.name = "list",
           .summary = "List actors",
           .examples = {{"agents actor list", "For people"},
                        {"agents actor list --format json", "For programs"}},
           .handler = list_actors},
          {.name = "show",
           .summary = "Show an actor: its type, where it comes from, its arguments",
           .positionals = {actor_positional()},
           .examples = {{"agents actor show codemod", "One that is built in"}},
           .handler = show_actor},
          {.name = "add",
           .summary = "Add an actor from a file, or one with a model from flags",
           .description = "Checks the file first, and never overwrites an existing one.",
           .positionals = {{.name = "FILE",
                            .summary = "A YAML file; - reads the standard input",
                            .required = false}},
           .options =
               {{.name = "name", .value = "NAME", .summary = "Its name"},
                {.name = "description", .value = "TEXT", .summary = "For people"},
                {.name = "system",
                 .value = "TEXT",
                 .summary = "Added to every model's system prompt"},
                {.name = "model", .value = "MODEL", .summary = "provider/model, or an alias"},
                argument_option()},
           .examples = {{"agents actor add rename-module.yaml", "From a file"},
                        {"agents actor add --name reviewer --system \"Be strict.\" --model fast",
                         "One with a model"}},
           .handler = add_actor},
          {.name = "remove",
           .summary = "Remove the file of an actor",
           .positionals = {actor_positional()},
           .examples = {{"agents actor remove reviewer", "Its file is deleted"}},
           .handler = remove_actor}}};
}

}  // namespace clever::service

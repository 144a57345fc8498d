#include <algorithm>
#include <map>
#include <utility>

#include "base/nearest.h"
#include "config/edit.h"
#include "plan/reconciliation.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"
#include "service/context.h"
#include "service/invocation.h"
#include "service/plan/control_settings.h"

namespace clever::service {
namespace {

struct Listed {
  model::Invariant invariant{};
  std::string place{};
  bool in_force = true;
};

struct All {
  std::vector<Listed> listed{};
  std::string conflict{};
};

base::Result<All> all_invariants(Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  const std::vector<model::Invariant> invariants = invariants_of(*settings);
  const std::vector<config::Table> tables = settings->tables("invariant");
  const plan::Reconciled reconciled = plan::reconcile(invariants);
  All all{.conflict = reconciled.conflict};
  for (std::size_t i = 0; i < invariants.size(); ++i) {
    const bool in_force =
        std::ranges::find(reconciled.in_force, invariants[i]) != reconciled.in_force.end();
    all.listed.push_back({invariants[i], tables[i].place, in_force});
  }
  return all;
}

Document invariant_document(const Listed& one) {
  return Document::map()
      .set("name", one.invariant.name)
      .set("text", one.invariant.text)
      .set("scope", to_string(one.invariant.scope))
      .set("non_overridable", one.invariant.non_overridable)
      .set("in_force", one.in_force)
      .set("place", one.place);
}

std::string how(const Listed& one) {
  if (!one.in_force) return "overridden";
  return one.invariant.non_overridable ? "not overridable" : "";
}

base::Result<Report> list_invariants(const Invocation&, Context& context) {
  CLEVER_ASSIGN(const All all, all_invariants(context));
  Report report;
  Document items = Document::list();
  Table table{"", {"name", "scope", "text", ""}, {}};
  for (const Listed& one : all.listed) {
    items.push(invariant_document(one));
    table.rows.push_back({{one.invariant.name, Tone::kStrong},
                          {std::string(to_string(one.invariant.scope))},
                          {one.invariant.text},
                          {how(one), Tone::kDim}});
  }
  report.data.set("invariants", std::move(items));
  if (all.listed.empty()) {
    report.view = {Prose{{{{"No invariant is set. "},
                           {"agents invariant add api \"The public API stays.\"", Tone::kStrong},
                           {" adds a sentence."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  if (!all.conflict.empty()) report.warn("no plan can start: " + all.conflict);
  return report;
}

base::Result<Report> show_invariant(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const All all, all_invariants(context));
  const std::string name = invocation.word(0);
  Report report;
  Document items = Document::list();
  std::vector<std::string> names;
  for (const Listed& one : all.listed) {
    names.push_back(one.invariant.name);
    if (one.invariant.name != name) continue;
    items.push(invariant_document(one));
    report.view.emplace_back(Fields{one.invariant.name,
                                    {{"text", {one.invariant.text, Tone::kStrong}},
                                     {"scope", {std::string(to_string(one.invariant.scope))}},
                                     {"from", {one.place, Tone::kDim}},
                                     {"holds", {one.in_force ? "yes" : "no: overridden"}}}});
  }
  if (report.view.empty()) {
    const auto nearest = base::nearest_match(name, names);
    return base::not_found(
        "there is no invariant " + name +
        (nearest ? "; did you mean " + *nearest + "?" : "; `agents invariant list` lists them"));
  }
  report.data.set("invariants", std::move(items));
  return report;
}

// Returns the project's file, or the person's own with --global.
std::filesystem::path invariant_file(const Invocation& invocation, const Context& context) {
  if (invocation.flag("global")) return config::user_file(context.home());
  return project_settings_file(context);
}

// Refuses an invariant that contradicts those in force.
base::Result<void> check_invariant(const Invocation& invocation, Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  using enum model::InvariantScope;
  std::vector<model::Invariant> all = invariants_of(*settings);
  all.push_back({.name = invocation.word(0),
                 .text = invocation.word(1),
                 .scope = invocation.flag("global") ? kGlobal : kProject,
                 .non_overridable = invocation.flag("non-overridable")});
  const plan::Reconciled reconciled = plan::reconcile(all);
  if (!reconciled.conflict.empty()) return base::conflict(reconciled.conflict);
  return {};
}

Report changed_report(const std::string& name, const std::string& what,
                      const std::filesystem::path& file, Context& context) {
  Report report;
  report.data.set("name", name).set("file", file.string());
  report.view = {Prose{
      {{{"invariant "}, {name, Tone::kStrong}, {what + short_path(file, context), Tone::kDim}}}}};
  return report;
}

base::Result<Report> add_invariant(const Invocation& invocation, Context& context) {
  if (invocation.word(1).find_first_not_of(" \t\r\n") == std::string::npos) {
    return base::invalid_argument("an invariant needs a sentence, such as \"The API stays.\"");
  }
  CLEVER_TRY(check_invariant(invocation, context));
  std::map<std::string, std::vector<std::string>> values{{"name", {invocation.word(0)}},
                                                         {"text", {invocation.word(1)}}};
  if (invocation.flag("non-overridable")) values["non_overridable"] = {"true"};
  const std::filesystem::path file = invariant_file(invocation, context);
  CLEVER_TRY(config::add_table(file, "invariant", values));
  return changed_report(invocation.word(0), " is in ", file, context);
}

base::Result<Report> remove_invariant(const Invocation& invocation, Context& context) {
  const std::filesystem::path file = invariant_file(invocation, context);
  CLEVER_TRY(config::remove_table(file, "invariant", invocation.word(0)));
  return changed_report(invocation.word(0), " is gone from ", file, context);
}

Option global_option() {
  return {.name = "global", .summary = "In your own config.toml: for all projects"};
}

Positional invariant_positional() {
  return {.name = "NAME", .summary = "Its name, as `agents invariant list` shows it"};
}

Command add_command() {
  return {
      .name = "add",
      .summary = "Add an invariant to this project",
      .description =
          "Appends an [[invariant]] to .cleveragents/config.toml. Refuses one that contradicts "
          "another: exit code 4, and the file does not change.",
      .positionals = {invariant_positional(), {.name = "TEXT", .summary = "The sentence"}},
      .options = {global_option(),
                  {.name = "non-overridable",
                   .summary = "No more specific invariant of this name may replace it"}},
      .examples = {{"agents invariant add api \"The public API stays.\"", "In this project"},
                   {"agents invariant add --global --non-overridable keys \"Never commit keys.\"",
                    "Everywhere, whatever a project says"}},
      .handler = add_invariant};
}

}  // namespace

Command invariant_command() {
  return {.name = "invariant",
          .summary = "List and add invariants: sentences that must hold",
          .description =
              "Your own invariants hold everywhere, a project's in that project, and those of an "
              "action or of `agents run --invariant` for the plans made with it. If two have the "
              "same name, the more specific one counts, unless the wider one is marked "
              "non-overridable. The model gets those in force, and the decision tree shows them. "
              "If two contradict each other, no plan starts.",
          .examples = {{"agents invariant list", "List what must hold here"},
                       {"agents invariant add api \"The public API stays.\"", "Add one"}},
          .subcommands = {{.name = "list",
                           .summary = "List the invariants of this project and your own",
                           .examples = {{"agents invariant list --format json", "For a program"}},
                           .handler = list_invariants},
                          {.name = "show",
                           .summary = "Show an invariant, and where it is written",
                           .positionals = {invariant_positional()},
                           .examples = {{"agents invariant show api", "All of that name"}},
                           .handler = show_invariant},
                          add_command(),
                          {.name = "remove",
                           .summary = "Remove an invariant",
                           .positionals = {invariant_positional()},
                           .options = {global_option()},
                           .examples = {{"agents invariant remove api", "Of this project"}},
                           .handler = remove_invariant}}};
}

}  // namespace clever::service

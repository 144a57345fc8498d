#include "git/project.h"

#include <algorithm>
#include <map>

#include "io/file.h"
#include "service/access/projects.h"
#include "service/commands/budget.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"
#include "service/commands/plan.h"
#include "service/definitions/definitions.h"
#include "service/plan/plan_caps.h"
#include "service/plan/trusted_commands.h"
#include "service/plan/workplace.h"
#include "service/work_folder.h"
#include "storage/plans.h"

namespace clever::service {
namespace {

constexpr std::size_t kProjectPlansPerPage = 1000;

/// The database's knowledge of a project.
struct Known {
  std::int64_t plans = 0;
  model::Microdollars spent = 0;
  model::Timestamp updated{};
};

base::Result<std::map<std::string, Known>> known_projects(const PlanDatabase& database,
                                                          const std::string& project,
                                                          Context& context) {
  storage::Plans plans(database.engine());
  std::map<std::string, Known> all;
  model::PlanId after;
  while (true) {
    CLEVER_ASSIGN(const auto page,
                  plans.list({.project = project}, kProjectPlansPerPage, after, context.stop()));
    for (const storage::PlanSummary& plan : page) {
      if (plan.parent) continue;
      Known& known = all[plan.project];
      ++known.plans;
      known.spent += plan.spent;
      known.updated = std::max(known.updated, plan.updated);
    }
    if (page.size() < kProjectPlansPerPage) return all;
    after = page.back().id;
  }
}

base::Result<Report> list_projects(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const auto projects, known_projects(database, "", context));
  Report report;
  Document all = Document::list();
  Table table{"", {"project", "plans", "cost", "last worked on"}, {}};
  for (const auto& [path, known] : projects) {
    if (!context.sees_project(path)) continue;
    const bool there = io::file_kind(path) == io::FileKind::kDirectory;
    all.push(Document::map()
                 .set("project", path)
                 .set("plans", known.plans)
                 .set("cost_usd", static_cast<double>(known.spent) / 1e6)
                 .set("updated_at", shown_time(known.updated))
                 .set("exists", there));
    table.rows.push_back({{path, there ? Tone::kStrong : Tone::kWarn},
                          {std::to_string(known.plans)},
                          {dollars(known.spent)},
                          {there ? shown_time(known.updated) : "the folder is gone", Tone::kDim}});
  }
  report.data.set("projects", std::move(all));
  if (table.rows.empty()) {
    report.view = {Prose{{{{"No project has plans yet. "},
                           {"agents run \"TASK\"", Tone::kStrong},
                           {" makes one."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

std::filesystem::path given_folder(const Invocation& invocation, const Context& context) {
  return invocation.words().empty() ? context.directory()
                                    : context.directory() / invocation.word(0);
}

base::Result<git::Project> given_project(const Invocation& invocation, Context& context) {
  const std::filesystem::path folder = given_folder(invocation, context);
  if (io::file_kind(folder) != io::FileKind::kDirectory) {
    return base::not_found("no such folder: " + folder.string());
  }
  return context.find_project(folder);
}

/// Reports the settings, trust and caps for the plans of one project.
class ProjectShow {
 public:
  ProjectShow(const git::Project& project, config::Settings settings, Context& context)
      : project_(project), settings_(std::move(settings)), context_(context) {}

  base::Result<Report> run(const Known& known) {
    CLEVER_ASSIGN(trust_, project_trust(context_, settings_, project_.root));
    const std::size_t trusted = trust_.commands.size() - trust_.untrusted.size();
    Shown shown(project_.root.filename().string());
    shown.add("project", project_.root.string())
        .add("plans", std::to_string(known.plans))
        .add("cost", dollars(known.spent))
        .add("commands", std::to_string(trust_.commands.size()) + " named, " +
                             std::to_string(trusted) + " trusted")
        .add("validations", validations())
        .add("profile", settings_.text("plan.profile"))
        .add("plan_cap", cap("plan"))
        .add("session_cap", cap("session"))
        .add("day_cap", cap("day"));
    Report report = std::move(shown).report();
    report.data.set("trusted", trust_.untrusted.empty());
    add_settings(report);
    for (const std::string& problem : trust_.offer.problems) report.warn(problem);
    return report;
  }

 private:
  [[nodiscard]] std::vector<std::string> validations() const {
    std::vector<std::string> names;
    for (const config::Table& table : settings_.tables("validation")) {
      names.push_back(table.text("name") +
                      (table.text("required") == "false" ? " (informational)" : ""));
    }
    return names;
  }
  [[nodiscard]] std::string cap(const std::string& scope) const {
    const storage::Caps caps = caps_of(settings_, scope);
    return caps.money < model::kLargestAmount ? dollars(caps.money) : "none";
  }
  // Lists the settings that the project itself makes.
  void add_settings(Report& report) const {
    Document list = Document::list();
    Table table{"settings of the project", {"key", "value", "set in"}, {}};
    for (const auto& [key, value] : settings_.list()) {
      if (value.layer != config::Layer::kProject) continue;
      list.push(Document::map()
                    .set("key", key)
                    .set("value", base::redact(value.text))
                    .set("origin", value.origin));
      table.rows.push_back({{key}, {base::redact(value.text)}, {value.origin, Tone::kDim}});
    }
    report.data.set("settings", std::move(list));
    if (!table.rows.empty()) report.view.emplace_back(std::move(table));
  }

  const git::Project& project_;
  const config::Settings settings_;
  Context& context_;
  ProjectTrust trust_;
};

base::Result<Report> show_project(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const git::Project project, given_project(invocation, context));
  config::Sources sources = context.sources();
  sources.project_directory = given_folder(invocation, context);
  auto settings = config::load_settings(sources);
  if (!settings.ok()) return blame_file(settings.error());
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const auto known, known_projects(database, project.root.string(), context));
  const auto own = known.find(project.root.string());
  return ProjectShow(project, *std::move(settings), context)
      .run(own == known.end() ? Known{} : own->second);
}

constexpr const char* kEmptySettings =
    "# Settings of this project; `agents config list` shows all there are.\n";

base::Result<void> note_change(std::string_view action, const RegisteredProject& project,
                               const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  const Caller caller = context.caller() == nullptr ? command_line_caller() : *context.caller();
  return note_project(AccessDesk{database.engine(), context.clock(), caller, context.stop()},
                      action, project);
}

base::Result<Report> add_project(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const git::Project project, given_project(invocation, context));
  CLEVER_TRY(check_project_folder(project, context));
  const std::filesystem::path folder = project.root / ".cleveragents";
  if (folder == context.home() || io::same_file(folder, context.home())) {
    return base::invalid_argument(project.root.string() +
                                  " cannot be a project: its .cleveragents holds your own "
                                  "settings; change to the project's folder, or pass -C DIR");
  }
  Report report;
  if (io::file_kind(folder / "config.toml") == io::FileKind::kMissing) {
    CLEVER_ASSIGN(report, write_definition(folder / "config.toml", kEmptySettings, "project",
                                           project.root.string(), context));
  }
  CLEVER_ASSIGN(const RegisteredProject registered,
                Projects(context.home()).add(project.root, "", context.stop()));
  CLEVER_TRY(note_change("project.register", registered, invocation, context));
  report.data.set("id", registered.id).set("path", registered.path.string());
  report.view.emplace_back(
      Prose{{{{"clients of `agents server` name it "}, {registered.id, Tone::kStrong}}}});
  return report;
}

base::Result<Report> remove_project(const Invocation& invocation, Context& context) {
  const std::filesystem::path folder = io::absolute_path(given_folder(invocation, context));
  const auto project = git::Project::find(folder);
  const std::filesystem::path root = project.ok() ? project->root : folder;
  CLEVER_ASSIGN(engine::TrustStore trust, engine::TrustStore::open(context.home()));
  const auto revoked = trust.revoke(root, context.stop());
  if (!revoked.ok() && revoked.error().code() != base::ErrorCode::kNotFound) return revoked.error();
  CLEVER_ASSIGN(const bool was_registered, Projects(context.home()).remove(root, context.stop()));
  if (was_registered) {
    CLEVER_TRY(note_change("project.remove", {.path = root}, invocation, context));
  }
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const auto known, known_projects(database, root.string(), context));
  if (!revoked.ok() && known.empty() && !was_registered) {
    return base::not_found("no plans and no trust are recorded for " + root.string());
  }
  Report report;
  report.data.set("project", root.string()).set("trusted", false);
  report.view = {Prose{{{{"nothing of "},
                         {root.string(), Tone::kStrong},
                         {" is trusted any longer; its files are unchanged"}}}}};
  if (!known.empty()) {
    report.messages.push_back({Message::Level::kNote, std::to_string(known.begin()->second.plans) +
                                                          " of its plans stay in the database"});
  }
  return report;
}

Positional folder_positional() {
  return {.name = "DIR",
          .summary = "Its folder (default this one)",
          .required = false,
          .completes = Completes::kDirectory};
}

}  // namespace

Command project_command() {
  return {
      .name = "project",
      .summary = "List projects and their settings, trust and caps",
      .examples = {{"agents project list", "Those that have plans"},
                   {"agents project show", "Show this one"}},
      .subcommands = {
          {.name = "list",
           .summary = "List the projects that have plans",
           .options = {plan_database_option()},
           .examples = {{"agents project list --format json", "For programs"}},
           .handler = list_projects},
          {.name = "show",
           .summary = "Show a project's settings, trust, validations and caps",
           .positionals = {folder_positional()},
           .options = {plan_database_option()},
           .examples = {{"agents project show", "This one"},
                        {"agents project show ../other", "Another one"}},
           .handler = show_project},
          {.name = "add",
           .summary = "Add a project: for clients of the server, with a settings file",
           .description = "Clients of `agents server` name it by the id that this prints. Writes "
                          "an empty settings file, and never overwrites one: `agents init` writes "
                          "one with what it finds.",
           .positionals = {folder_positional()},
           .options = {plan_database_option()},
           .examples = {{"agents project add .", "This one"}},
           .handler = add_project},
          {.name = "remove",
           .summary = "Forget a project and the trust in it",
           .description = "Clients of the server do not see it any more. Does not "
                          "touch its files and plans.",
           .positionals = {folder_positional()},
           .options = {plan_database_option()},
           .examples = {{"agents project remove ../old", "Also if the folder is gone"}},
           .handler = remove_project}}};
}

}  // namespace clever::service

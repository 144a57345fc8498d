#include "service/commands/commands.h"
#include "service/commands/db.h"

namespace clever::service {
namespace {

using Steps = std::vector<storage::Migration>;

Document migration_data(std::int64_t from, std::int64_t to, const Steps& steps, bool dry_run) {
  Document list = Document::list();
  for (const auto& step : steps) {
    list.push(Document::map().set("version", step.version).set("name", step.name));
  }
  return Document::map()
      .set("from", from)
      .set("to", to)
      .set("dry_run", dry_run)
      .set("steps", std::move(list));
}

Prose migration_prose(std::int64_t from, std::int64_t to, const Steps& steps, bool dry_run) {
  if (steps.empty()) {
    return {{{{"nothing to do: ", Tone::kGood},
              {"schema version " + std::to_string(to) + " is the newest this program knows"}}}};
  }
  Prose text{{{{dry_run ? "would upgrade " : "upgraded ", dry_run ? Tone::kWarn : Tone::kGood},
               {"the schema from version " + std::to_string(from) + " to " + std::to_string(to)}}}};
  for (const auto& step : steps) {
    text.lines.push_back(
        {{"  " + std::to_string(step.version) + " ", Tone::kDim}, {std::string(step.name)}});
  }
  return text;
}

base::Result<Report> upgrade(const storage::DatabaseUrl& url, const Invocation& invocation,
                             Context& context) {
  const bool dry_run = invocation.flag("dry-run");
  CLEVER_TRY(require_lasting(url));
  CLEVER_ASSIGN(const auto before, context.databases().inspect(url, context.stop()));
  CLEVER_ASSIGN(const Steps steps, storage::pending_steps(before));
  if (!dry_run) {
    CLEVER_TRY(context.databases().open(url, engine_options(context), context.stop()));
  }
  const std::int64_t from = before.facts.schema_version;
  const std::int64_t to = from + static_cast<std::int64_t>(steps.size());
  Report report;
  report.data = migration_data(from, to, steps, dry_run);
  report.data.set("address", before.facts.address);
  report.view = {migration_prose(from, to, steps, dry_run)};
  return report;
}

base::Result<Report> migrate(const Invocation& invocation, Context& context) {
  return with_database(upgrade, invocation, context);
}

}  // namespace

Command db_migrate_command() {
  return {
      .name = "migrate",
      .summary = "Create the database, or upgrade its schema to this program's",
      .description =
          "Every command that works with plans upgrades the database when it opens it; use this to "
          "do it beforehand, or to look first with --dry-run. The upgrade is one transaction. "
          "Before it, a SQLite file with data is copied and the copy checked; the copy goes once "
          "the upgrade has succeeded. Several processes may run this at the same time.",
      .options = {{.name = "dry-run", .summary = "Show what would be done, and do nothing"},
                  database_option()},
      .examples = {{"agents db migrate --dry-run", "See what is to be done"},
                   {"agents db migrate", "Do it"}},
      .handler = migrate};
}

}  // namespace clever::service

#include "storage/sqlite/internal/migration_target.h"

#include <string>
#include <utility>

#include "base/crash_point.h"
#include "io/file.h"
#include "io/file_names.h"

namespace clever::storage::sqlite {
namespace {

constexpr auto kRecords = R"sql(
CREATE TABLE IF NOT EXISTS schema_migration (
  version INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, applied INTEGER NOT NULL
) STRICT)sql";

base::Result<void> expect_ok(Connection& connection, const std::string& pragma) {
  CLEVER_ASSIGN(const std::string answer, connection.ask(pragma));
  if (answer != "ok") return base::corruption("the check of the database says: " + answer);
  return {};
}

}  // namespace

base::Result<void> copy_database(Connection& source, const std::filesystem::path& target,
                                 base::Clock& clock,
                                 const std::function<void(std::uint64_t, std::uint64_t)>& progress,
                                 const base::StopToken& stop) {
  const std::filesystem::path partial = target.string() + ".partial";
  CLEVER_TRY(io::write_file_atomically(partial, ""));
  auto copied = [&]() -> base::Result<void> {
    CLEVER_ASSIGN(const auto copy, Connection::open({.file = partial, .stop = stop}, clock));
    CLEVER_TRY(source.copy_to(*copy, progress, stop));
    return expect_ok(*copy, "PRAGMA integrity_check(1)");
  }();
  base::crash_point("storage.copied");
  if (copied.ok()) copied = io::move_new_file(partial, target);
  base::crash_point("storage.copy_named");
  if (!copied.ok()) static_cast<void>(io::remove_file(partial).ok());
  return copied;
}

base::Result<std::vector<AppliedMigration>> SqliteMigrationTarget::applied() {
  std::vector<AppliedMigration> applied;
  CLEVER_ASSIGN(const auto table,
                connection_.run("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = "
                                "'schema_migration'"));
  if (table.rows.empty()) return applied;
  CLEVER_ASSIGN(const auto found,
                connection_.run("SELECT version, name, digest FROM schema_migration ORDER BY 1"));
  for (const Row row : found.rows) applied.push_back({row.integer(0), row.text(1), row.text(2)});
  return applied;
}

base::Result<void> SqliteMigrationTarget::before_upgrade(std::int64_t from, std::int64_t /*to*/) {
  if (file_.empty()) return {};
  const std::filesystem::path copy = copy_before(from + 1);
  // A copy that exists comes from an upgrade that crashed before it changed anything.
  if (io::file_kind(copy) == io::FileKind::kFile) CLEVER_TRY(io::remove_file(copy));
  CLEVER_TRY(copy_database(connection_, copy, clock_, [](auto, auto) {}, {})
                 .context("keeping a copy of " + file_.string() + " before its upgrade"));
  copy_ = copy;
  return {};
}

base::Result<void> SqliteMigrationTarget::apply(std::span<const Migration> steps) {
  CLEVER_TRY(connection_.script("BEGIN IMMEDIATE"));
  auto applied = apply_within_transaction(steps);
  base::crash_point("storage.migrated");
  if (applied.ok()) applied = connection_.script("COMMIT");
  if (applied.ok()) return {};
  connection_.roll_back();
  const std::string kept =
      copy_.empty() ? "" : "; nothing was changed, and " + copy_.string() + " is a copy";
  return std::move(applied).error().add_context("upgrading the schema of " + file_.string() + kept);
}

base::Result<void> SqliteMigrationTarget::apply_within_transaction(
    std::span<const Migration> steps) {
  CLEVER_TRY(connection_.script(kRecords));
  for (const auto& step : steps) {
    CLEVER_TRY(connection_.script(in_dialect(step.sql, Dialect::kSqlite))
                   .context("step " + std::to_string(step.version)));
    CLEVER_TRY(connection_.run("INSERT INTO schema_migration VALUES ($1, $2, $3, clever_now())",
                               step.version, step.name, MigrationRunner::digest(step)));
  }
  CLEVER_ASSIGN(const std::string orphan, connection_.ask("PRAGMA foreign_key_check"));
  if (!orphan.empty()) {
    return base::corruption("a row of " + orphan + " refers to one that does not exist");
  }
  return {};
}

base::Result<void> SqliteMigrationTarget::after_upgrade() {
  base::crash_point("storage.upgraded");
  if (copy_.empty()) return {};
  return io::remove_file(std::exchange(copy_, {}));
}

void SqliteMigrationTarget::remove_leftovers(std::int64_t version) const {
  // No database is upgraded to its first version. A copy that cannot be removed does no harm.
  for (std::int64_t before = 2; !file_.empty() && before <= version; ++before) {
    const std::filesystem::path copy = copy_before(before);
    if (io::file_kind(copy) == io::FileKind::kFile) static_cast<void>(io::remove_file(copy).ok());
  }
}

std::filesystem::path SqliteMigrationTarget::copy_before(std::int64_t version) const {
  return file_.string() + ".before-v" + std::to_string(version);
}

}  // namespace clever::storage::sqlite

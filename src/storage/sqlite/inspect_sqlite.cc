#include "storage/sqlite/inspect_sqlite.h"

#include <variant>

#include "io/file.h"
#include "storage/internal/row_counts.h"
#include "storage/sqlite/internal/connection.h"
#include "storage/sqlite/internal/database_file.h"
#include "storage/sqlite/internal/maintenance.h"
#include "storage/sqlite/internal/migration_target.h"

namespace clever::storage {
namespace {

using sqlite::Connection;

// This program creates the table of migrations first.
base::Result<void> check_owner(Connection& connection) {
  CLEVER_ASSIGN(const auto foreign,
                connection.ask("SELECT count(*) FROM sqlite_schema WHERE NOT EXISTS "
                               "(SELECT 1 FROM sqlite_schema WHERE name = 'schema_migration')"));
  if (foreign == "0") return {};
  return base::invalid_argument("it belongs to another program; name another file in database.url");
}

base::Result<void> look_inside(Connection& connection, base::Clock& clock, Inspection& found) {
  CLEVER_TRY(check_owner(connection));
  CLEVER_ASSIGN(found.applied, sqlite::SqliteMigrationTarget(connection, {}, clock).applied());
  CLEVER_ASSIGN(found.journal_mode, connection.ask("PRAGMA journal_mode"));
  CLEVER_ASSIGN(found.facts.size_in_bytes, sqlite::size_in_bytes(connection));
  if (!found.applied.empty()) found.facts.schema_version = found.applied.back().version;
  if (!internal::can_count(found)) return {};
  CLEVER_ASSIGN(const auto counted, connection.run(internal::kCountRows));
  found.counts = internal::counts_of(counted.rows[0]);
  return {};
}

base::Result<void> look_at_file(const std::filesystem::path& path, base::Clock& clock,
                                const base::StopToken& stop, Inspection& found) {
  if (io::file_kind(path) == io::FileKind::kDirectory) {
    return base::invalid_argument("it is a folder; the database needs the path of a file");
  }
  CLEVER_TRY(sqlite::check_not_emptied(path));
  CLEVER_ASSIGN(const auto connection,
                Connection::open({.file = path, .read_only = true, .stop = stop}, clock));
  // Answers all questions from one view.
  CLEVER_TRY(connection->run("BEGIN"));
  auto looked = look_inside(*connection, clock, found);
  connection->roll_back();
  return looked;
}

}  // namespace

base::Result<Inspection> inspect_sqlite(const DatabaseUrl& url, base::Clock& clock,
                                        const base::StopToken& stop) {
  Inspection found{.facts = {.dialect = Dialect::kSqlite,
                             .version = std::string("SQLite ") + sqlite3_libversion(),
                             .address = url.normalised()}};
  const auto* file = std::get_if<DatabaseUrl::File>(&url.address());
  if (file == nullptr || io::file_kind(file->path) == io::FileKind::kMissing) return found;
  found.exists = true;
  CLEVER_TRY(look_at_file(file->path, clock, stop, found)
                 .context("looking at the database " + file->path.string()));
  return found;
}

}  // namespace clever::storage

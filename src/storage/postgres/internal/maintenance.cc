#include "storage/postgres/internal/maintenance.h"

#include <utility>

namespace clever::storage::postgres {
namespace {

// Quotes a name as an identifier.
std::string identifier(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

base::Result<std::vector<std::string>> names(Connection& connection, std::string_view sql,
                                             const Patience& patience) {
  CLEVER_ASSIGN(const Outcome found, connection.run(patience, sql));
  std::vector<std::string> names;
  for (const Row row : found.rows) names.push_back(row.text(0));
  return names;
}

base::Result<std::vector<std::string>> tables(Connection& connection, const Patience& patience) {
  return names(connection,
               "SELECT relname FROM pg_class WHERE relkind = 'r' AND "
               "relnamespace = current_schema()::regnamespace ORDER BY relname",
               patience);
}

// Builds, for each foreign key of the schema, a query that finds a reference without its row.
constexpr std::string_view kReferenceChecks = R"sql(
SELECT format('SELECT 1 FROM %s AS a WHERE %s AND NOT EXISTS (SELECT 1 FROM %s AS b WHERE %s) LIMIT 1',
    conrelid::regclass,
    (SELECT string_agg(format('a.%I IS NOT NULL', f.attname), ' AND ') FROM unnest(conkey) AS k
       JOIN pg_attribute AS f ON f.attrelid = conrelid AND f.attnum = k),
    confrelid::regclass,
    (SELECT string_agg(format('b.%I = a.%I', t.attname, f.attname), ' AND ')
       FROM unnest(conkey, confkey) AS k(f, t)
       JOIN pg_attribute AS f ON f.attrelid = conrelid AND f.attnum = k.f
       JOIN pg_attribute AS t ON t.attrelid = confrelid AND t.attnum = k.t)),
  conname
FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
ORDER BY conname)sql";

base::Result<void> read_table(Connection& connection, const std::string& table,
                              const Patience& patience) {
  // Reads each row as text, which reads large values outside the table too.
  return connection
      .run_script(patience, "SELECT sum(length(t::text)) FROM " + identifier(table) + " AS t")
      .and_then([](const Outcome&) -> base::Result<void> { return {}; })
      .context("reading the table " + table);
}

base::Result<void> check_references(Connection& connection, const Patience& patience) {
  CLEVER_ASSIGN(const Outcome checks, connection.run(patience, kReferenceChecks));
  for (const Row check : checks.rows) {
    const std::string fails_if_found =
        "DO $do$ BEGIN IF EXISTS (" + check.text(0) +
        ") THEN RAISE EXCEPTION 'a row refers to one that does not exist' USING ERRCODE = 'XX001'; "
        "END IF; END $do$";
    auto checked = connection.run_script(patience, fails_if_found);
    if (!checked.ok()) {
      return std::move(checked).error().add_context("checking the references " + check.text(1));
    }
  }
  return {};
}

base::Result<void> check_indexes(Connection& connection, const Patience& patience) {
  CLEVER_ASSIGN(const Outcome installed,
                connection.run(patience, "SELECT 1 FROM pg_extension WHERE extname = 'amcheck'"));
  if (installed.rows.empty()) return {};
  return connection
      .run(patience,
           "SELECT count(bt_index_check(i.indexrelid)) FROM pg_index AS i "
           "JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am AS m ON m.oid = c.relam "
           "WHERE m.amname = 'btree' AND i.indisvalid AND "
           "c.relnamespace = current_schema()::regnamespace")
      .and_then([](const Outcome&) -> base::Result<void> { return {}; })
      .context("checking the indexes");
}

void tell(const Progress& progress, std::string_view doing, std::size_t done, std::size_t all) {
  if (progress) progress(doing, done, all);
}

}  // namespace

base::Result<EngineFacts> read_facts(Connection& connection, std::string address,
                                     const Patience& patience) {
  CLEVER_ASSIGN(const Outcome found,
                connection.run(patience,
                               "SELECT (SELECT max(version) FROM schema_migration), "
                               "pg_database_size(current_database())"));
  const Row row = found.rows[0];
  return EngineFacts{.dialect = Dialect::kPostgres,
                     .version = "PostgreSQL " + connection.server_version_name(),
                     .address = std::move(address),
                     .schema_version = row.integer(0),
                     .size_in_bytes = static_cast<std::uint64_t>(row.integer(1))};
}

base::Result<void> check_tables(Connection& connection, const Progress& progress,
                                const Patience& patience) {
  CLEVER_ASSIGN(const auto all, tables(connection, patience));
  const std::size_t steps = all.size() + 2;
  for (std::size_t i = 0; i < all.size(); ++i) {
    tell(progress, "reading " + all[i], i, steps);
    CLEVER_TRY(read_table(connection, all[i], patience));
  }
  tell(progress, "checking references", all.size(), steps);
  CLEVER_TRY(check_references(connection, patience));
  tell(progress, "checking indexes", all.size() + 1, steps);
  CLEVER_TRY(check_indexes(connection, patience));
  tell(progress, "done", steps, steps);
  return {};
}

base::Result<void> vacuum_tables(Connection& connection, const Progress& progress,
                                 const Patience& patience) {
  CLEVER_ASSIGN(const auto all, tables(connection, patience));
  for (std::size_t i = 0; i < all.size(); ++i) {
    tell(progress, "vacuuming " + all[i], i, all.size());
    CLEVER_TRY(connection.run_script(patience, "VACUUM (ANALYZE) " + identifier(all[i])));
  }
  tell(progress, "done", all.size(), all.size());
  return {};
}

base::Error backup_refused(const std::string& address, const std::filesystem::path& target) {
  return base::invalid_argument(
      "a PostgreSQL database is backed up by its own tool: pg_dump "
      "--format=custom --file='" +
      target.string() + "' '" + address + "'");
}

}  // namespace clever::storage::postgres

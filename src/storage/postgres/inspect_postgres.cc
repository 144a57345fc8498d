#include "storage/postgres/inspect_postgres.h"

#include "base/random.h"
#include "storage/internal/row_counts.h"
#include "storage/postgres/internal/connector.h"

namespace clever::storage {
namespace {

using namespace postgres;

constexpr std::string_view kServer =
    "SELECT pg_database_size(current_database()), to_regclass('schema_migration') IS NOT NULL, "
    "(SELECT count(*) FROM pg_stat_activity "
    " WHERE datname = current_database() AND pid <> pg_backend_pid() "
    " AND backend_type = 'client backend')";

base::Result<std::vector<AppliedMigration>> applied(Connection& connection,
                                                    const Patience& patience) {
  CLEVER_ASSIGN(const Outcome found,
                connection.run(patience,
                               "SELECT version, name, digest FROM schema_migration "
                               "ORDER BY version"));
  std::vector<AppliedMigration> steps;
  for (const Row row : found.rows) steps.push_back({row.integer(0), row.text(1), row.text(2)});
  return steps;
}

base::Result<void> look_at_server(Connection& connection, const Patience& patience,
                                  Inspection& found) {
  CLEVER_ASSIGN(const Outcome server, connection.run(patience, kServer));
  const Row row = server.rows[0];
  found.facts.size_in_bytes = static_cast<std::uint64_t>(row.integer(0));
  found.other_connections = static_cast<std::uint64_t>(row.integer(2));
  if (row.integer(1) == 0) return {};
  CLEVER_ASSIGN(found.applied, applied(connection, patience));
  if (!found.applied.empty()) found.facts.schema_version = found.applied.back().version;
  if (!internal::can_count(found)) return {};
  CLEVER_ASSIGN(const Outcome counted, connection.run(patience, internal::kCountRows.postgres()));
  found.counts = internal::counts_of(counted.rows[0]);
  return {};
}

}  // namespace

base::Result<Inspection> inspect_postgres(const DatabaseUrl& url, base::Clock& clock,
                                          const base::StopToken& stop) {
  const Patience patience{.stop = stop};
  base::SystemRandom random;
  CLEVER_ASSIGN(auto libpq, Libpq::load());
  const Connector connector(std::move(libpq), url, true, clock, random);
  CLEVER_ASSIGN(const auto connection, connector.connect(Purpose::kOther, patience));
  Inspection found{.exists = true,
                   .facts = {.dialect = Dialect::kPostgres,
                             .version = "PostgreSQL " + connection->server_version_name(),
                             .address = url.normalised()}};
  CLEVER_TRY(
      look_at_server(*connection, patience, found).context("looking at " + url.normalised()));
  return found;
}

}  // namespace clever::storage

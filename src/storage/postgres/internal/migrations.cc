#include "storage/postgres/internal/migrations.h"

#include <string>
#include <vector>

#include "storage/migration_runner.h"

namespace clever::storage::postgres {
namespace {

// Runs under the lock: two concurrent CREATE … IF NOT EXISTS can fail in PostgreSQL. clever_now()
// is the time of the statement, so that it can be compared with an index.
constexpr std::string_view kInfrastructure = R"sql(
CREATE TABLE IF NOT EXISTS schema_migration (
  version BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  applied BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS clever_commit (
  key BYTEA PRIMARY KEY,
  created TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS clever_commit_by_age ON clever_commit(created);
DO $do$ BEGIN
  IF to_regprocedure('clever_now()') IS NULL THEN
    CREATE FUNCTION clever_now() RETURNS BIGINT LANGUAGE sql STABLE PARALLEL SAFE AS
      'SELECT (extract(epoch FROM statement_timestamp()) * 1000000)::bigint';
  END IF;
END $do$;
)sql";

class Target final : public MigrationTarget {
 public:
  Target(Connection& connection, const Patience& patience)
      : connection_(connection), patience_(patience) {}

  base::Result<std::vector<AppliedMigration>> applied() override {
    CLEVER_ASSIGN(const Outcome found,
                  connection_.run(patience_,
                                  "SELECT version, name, digest FROM schema_migration "
                                  "ORDER BY version"));
    std::vector<AppliedMigration> applied;
    for (const Row row : found.rows) {
      applied.push_back({.version = row.integer(0), .name = row.text(1), .digest = row.text(2)});
    }
    return applied;
  }

  // The steps are one transaction, so there is no copy to restore.
  base::Result<void> before_upgrade(std::int64_t, std::int64_t) override { return {}; }
  base::Result<void> after_upgrade() override { return {}; }

  // The lock waits for running transactions; every later one sees the new version.
  base::Result<void> apply(std::span<const Migration> steps) override {
    std::string script =
        "BEGIN; SELECT pg_advisory_xact_lock(" + std::to_string(kSchemaLock) + ");";
    for (const Migration& step : steps) {
      script += in_dialect(step.sql, Dialect::kPostgres);
      script += ";INSERT INTO schema_migration(version, name, digest, applied) VALUES (" +
                std::to_string(step.version) + ",'" + std::string(step.name) + "','" +
                MigrationRunner::digest(step) + "', clever_now());";
    }
    script += "COMMIT;";
    auto applied = connection_.run_script(patience_, script);
    if (applied.ok()) return {};
    static_cast<void>(connection_.run_script(patience_, "ROLLBACK"));
    return std::move(applied).error();
  }

 private:
  Connection& connection_;
  const Patience& patience_;
};

// Takes no lock, so that opening an up-to-date database does not block its writers.
base::Result<bool> is_prepared(Connection& connection, const Patience& patience) {
  CLEVER_ASSIGN(const Outcome found,
                connection.run(patience,
                               "SELECT to_regclass('schema_migration') IS NOT NULL AND "
                               "to_regclass('clever_commit') IS NOT NULL AND "
                               "to_regprocedure('clever_now()') IS NOT NULL"));
  return found.rows[0].integer(0) == 1;
}

base::Result<bool> is_up_to_date(Connection& connection, std::span<const Migration> steps,
                                 const Patience& patience) {
  CLEVER_ASSIGN(const bool prepared, is_prepared(connection, patience));
  if (!prepared) return false;
  CLEVER_ASSIGN(const auto applied, Target(connection, patience).applied());
  return applied.size() >= steps.size();
}

base::Result<std::int64_t> migrate_locked(Connection& connection, std::span<const Migration> steps,
                                          const Patience& patience) {
  CLEVER_ASSIGN(const bool prepared, is_prepared(connection, patience));
  if (!prepared) CLEVER_TRY(connection.run_script(patience, std::string(kInfrastructure)));
  Target target(connection, patience);
  return MigrationRunner(steps).run(target);
}

}  // namespace

base::Result<std::int64_t> migrate(Connection& connection, std::span<const Migration> steps,
                                   const Patience& patience) {
  CLEVER_ASSIGN(const bool current, is_up_to_date(connection, steps, patience));
  if (current) {
    Target target(connection, patience);
    return MigrationRunner(steps).run(target);
  }
  const std::vector<Value> lock{kSchemaLock};
  CLEVER_TRY(connection.run(patience, "SELECT pg_advisory_lock($1)", lock));
  auto version = migrate_locked(connection, steps, patience);
  // If the unlock fails the connection is lost, and the server releases the lock with it.
  static_cast<void>(connection.run(patience, "SELECT pg_advisory_unlock($1)", lock));
  return version;
}

}  // namespace clever::storage::postgres

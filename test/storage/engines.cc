#include "storage/engines.h"

#include <chrono>

#include "storage/postgres/postgres_engine.h"
#include "storage/sqlite/sqlite_engine.h"

namespace clever::storage::testing {

std::string to_string(EngineKind kind) {
  switch (kind) {
    case EngineKind::kMemory:
      return "Memory";
    case EngineKind::kFile:
      return "File";
    case EngineKind::kPostgres:
      return "Postgres";
  }
  return "";
}

void PrintTo(EngineKind kind, std::ostream* out) { *out << to_string(kind); }

TestDatabase::TestDatabase(EngineKind kind) : kind_(kind) {
  std::string text = "sqlite::memory:";
  if (kind == EngineKind::kFile) text = "sqlite:" + (folder_ / "plans.db").string();
  if (kind == EngineKind::kPostgres) {
    postgres_.emplace(test::shared_postgres());
    text = postgres_->url();
  }
  url_ = DatabaseUrl::parse(text, folder_.path()).value();
}

base::Result<std::unique_ptr<Engine>> TestDatabase::try_open(const EngineOptions& options) {
  return kind_ == EngineKind::kPostgres ? open_postgres(*url_, options, clock_)
                                        : open_sqlite(*url_, options, clock_);
}

std::unique_ptr<Engine> TestDatabase::open(const EngineOptions& options) {
  return try_open(options).value();
}

std::int64_t TestDatabase::now_us() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(clock_.wall_now().time_since_epoch())
      .count();
}

void TestDatabase::take_clock_over(Engine& engine) {
  if (kind_ != EngineKind::kPostgres) return;
  UnitOfWork unit;
  unit.run("CREATE TABLE test_clock (now BIGINT)");
  unit.run(
      "CREATE OR REPLACE FUNCTION clever_now() RETURNS BIGINT LANGUAGE SQL VOLATILE AS "
      "'SELECT now FROM test_clock'");
  engine.commit(std::move(unit)).value();
  UnitOfWork set;
  set.run("INSERT INTO test_clock VALUES ($1)", now_us());
  engine.commit(std::move(set)).value();
  // Connects now: the patience of a connection that is being made is measured on the clock that the
  // test moves.
  (void)engine.query("SELECT 1").value();
}

void TestDatabase::advance(Engine& engine, base::Duration by) {
  clock_.advance(by);
  if (kind_ != EngineKind::kPostgres) return;
  UnitOfWork unit;
  unit.run("UPDATE test_clock SET now = $1", now_us());
  engine.commit(std::move(unit)).value();
}

}  // namespace clever::storage::testing

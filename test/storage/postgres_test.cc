// What PostgreSQL has to itself: opening, the pool, groups, announcements, upkeep.
#include <chrono>
#include <set>

#include "storage/postgres_fixture.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using testing::create_ledger;
using ::testing::ElementsAre;
using testing::entries;
using testing::entry;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class PostgresTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<Engine> open(const EngineOptions& options = {}) {
    return testing::opened_postgres(database_.url(), clock_, options);
  }
  // Many units in one transaction: they are submitted while the writer hangs.
  [[nodiscard]] std::vector<base::Result<Receipt>> committed_together(
      std::vector<UnitOfWork> units) {
    test::PgProxy proxy(test::shared_postgres().port());
    const auto engine =
        testing::opened_postgres(proxy.url(database_.name()), clock_, {.writers = 1});
    engine->commit(entry(-1)).value();
    testing::Answers first;
    proxy.pause();
    engine->submit(entry(-2), first.taker());
    std::vector<testing::Answers> answers(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
      engine->submit(std::move(units[i]), answers[i].taker());
    }
    proxy.resume();
    std::vector<base::Result<Receipt>> all;
    for (auto& answer : answers) all.push_back(std::move(answer.await(1)[0]));
    return all;
  }

  base::SystemClock clock_;
  test::PostgresDatabase database_{test::shared_postgres()};
};

TEST_F(PostgresTest, ManyFirstRunsAtOnceMigrateOnce) {
  std::vector<std::unique_ptr<Engine>> engines(32);
  testing::in_threads(engines.size(), [&](std::size_t i) {
    auto opened = testing::try_open_postgres(database_.url(), clock_, {.readers = 1, .writers = 1});
    EXPECT_TRUE(opened.ok()) << opened.error().to_string();
    if (opened.ok()) engines[i] = std::move(*opened);
  });
  const auto rows = engines[0]->query("SELECT version FROM schema_migration").value();
  EXPECT_EQ(rows.size(), schema().size());
}

TEST_F(PostgresTest, AMissingDatabaseIsNotFound) {
  const auto opened = testing::try_open_postgres(test::shared_postgres().url("nowhere"), clock_);
  EXPECT_EQ(opened.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(opened.error().sentence(), HasSubstr("\"nowhere\" does not exist"));
}

TEST_F(PostgresTest, AnUnknownUserIsDenied) {
  const std::string url =
      "postgresql://nobody@127.0.0.1:" + std::to_string(test::shared_postgres().port()) + "/" +
      database_.name();
  const auto opened = testing::try_open_postgres(url, clock_);
  EXPECT_EQ(opened.error().code(), ErrorCode::kPermissionDenied);
}

TEST_F(PostgresTest, AServerThatIsNotThereIsUnavailableAndItsPasswordUntold) {
  const test::TemporaryDirectory nobody;
  const auto opened = testing::try_open_postgres(
      "postgresql://me:secret@/x?host=" + nobody.path().string(), clock_);
  EXPECT_EQ(opened.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(opened.error().to_string(), Not(HasSubstr("secret")));
}

TEST_F(PostgresTest, AUrlOfAnotherKindIsRefused) {
  const auto opened = testing::try_open_postgres("sqlite::memory:", clock_);
  EXPECT_EQ(opened.error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(PostgresTest, ANewerSchemaIsNotOpened) {
  open().reset();
  static_cast<void>(
      database_.execute("INSERT INTO schema_migration SELECT max(version) + 1, 'later', '', 0 FROM "
                        "schema_migration"));
  const auto opened = testing::try_open_postgres(database_.url(), clock_);
  EXPECT_EQ(opened.error().code(), ErrorCode::kConflict);
}

TEST_F(PostgresTest, ASchemaUpgradedMeanwhileRefusesTheOlderProgram) {
  const auto engine = open();
  create_ledger(*engine);
  engine->commit(entry(1)).value();
  static_cast<void>(
      database_.execute("INSERT INTO schema_migration SELECT max(version) + 1, 'later', '', 0 FROM "
                        "schema_migration"));
  const auto refused = engine->commit(entry(2));
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message(), HasSubstr("restart"));
  EXPECT_THAT(entries(*engine), ElementsAre(1));
}

TEST_F(PostgresTest, AFailedMigrationLeavesNothingBehind) {
  static constexpr std::array kSteps{
      Migration{1, "good", "CREATE TABLE good (id INT64 PRIMARY KEY)"},
      Migration{2, "bad", "CREATE TABLE bad (id INT64 PRIMARY KEY); SELECT nonsense"}};
  const auto opened = testing::try_open_postgres(database_.url(), clock_, {.migrations = kSteps});
  EXPECT_FALSE(opened.ok());
  EXPECT_EQ(database_.execute("SELECT to_regclass('good') IS NULL"), "t\n");
  const auto again = testing::try_open_postgres(database_.url(), clock_,
                                                {.migrations = std::span(kSteps).first(1)});
  EXPECT_TRUE(again.ok()) << again.error().to_string();
}

TEST_F(PostgresTest, AStaleUnitOfAGroupIsRefusedAlone) {
  const auto engine = open();
  create_ledger(*engine);
  UnitOfWork counter;
  counter.run("INSERT INTO counter VALUES ('c', 0)");
  engine->commit(std::move(counter)).value();
  std::vector<UnitOfWork> units;
  for (int i = 0; i < 10; ++i) {
    UnitOfWork unit = entry(i);
    unit.require(1, {ErrorCode::kConflict, "stale"},
                 "UPDATE counter SET value = value + 1 WHERE name = 'c' AND value = $1", i / 2);
    units.push_back(std::move(unit));
  }
  const auto all = committed_together(std::move(units));
  // Of each pair that expects the same value one wins, as long as its value came up.
  const auto value = engine->query("SELECT value FROM counter").value()[0].integer(0);
  EXPECT_EQ(std::ranges::count_if(all, [](const auto& answer) { return answer.ok(); }), value);
  EXPECT_GE(value, 1);
  EXPECT_EQ(entries(*engine).size(), static_cast<std::size_t>(value) + 2);
}

TEST_F(PostgresTest, DuplicatesInAGroupAreRefusedEachAlone) {
  const auto engine = open();
  create_ledger(*engine);
  std::vector<UnitOfWork> units;
  for (int i = 0; i < 20; ++i) {
    UnitOfWork unit = entry(i);
    unit.run("INSERT INTO counter VALUES ($1, 0)", i < 10 ? "same" : std::to_string(i));
    units.push_back(std::move(unit));
  }
  const auto all = committed_together(std::move(units));
  const auto refused = std::ranges::count_if(all, [](const auto& answer) {
    return !answer.ok() && answer.error().code() == ErrorCode::kAlreadyExists;
  });
  EXPECT_EQ(refused, 9);
  EXPECT_EQ(entries(*engine).size(), 2U + 11U);
}

TEST_F(PostgresTest, AUnitThatCannotBeSentIsRefusedAlone) {
  const auto engine = open();
  create_ledger(*engine);
  std::vector<UnitOfWork> units;
  units.push_back(entry(1));
  UnitOfWork bad;
  bad.run("INSERT INTO counter VALUES ($1, 0)", std::string("\xff"));
  units.push_back(std::move(bad));
  const auto all = committed_together(std::move(units));
  EXPECT_TRUE(all[0].ok());
  EXPECT_EQ(all[1].error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(PostgresTest, AConstraintCheckedAtTheCommitRefusesItsUnitAlone) {
  const auto engine = open();
  create_ledger(*engine);
  UnitOfWork tables;
  tables.run(
      "CREATE TABLE part (counter TEXT REFERENCES counter(name) DEFERRABLE INITIALLY DEFERRED)");
  engine->commit(std::move(tables)).value();
  std::vector<UnitOfWork> units;
  units.push_back(entry(1));
  units[0].notify("ledger");
  UnitOfWork bad = entry(2);
  bad.run("INSERT INTO part VALUES ('nobody')");
  units.push_back(std::move(bad));
  const auto all = committed_together(std::move(units));
  EXPECT_TRUE(all[0].ok());
  EXPECT_EQ(all[1].error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(entries(*engine), ElementsAre(-2, -1, 1));
}

TEST_F(PostgresTest, EnginesThatLockInOppositeOrderBothSucceed) {
  const auto first = open({.writers = 1});
  const auto second = open({.writers = 1});
  create_ledger(*first);
  UnitOfWork counters;
  counters.run("INSERT INTO counter VALUES ('a', 0), ('b', 0)");
  first->commit(std::move(counters)).value();
  testing::in_threads(2, [&](std::size_t thread) {
    for (int i = 0; i < 50; ++i) {
      UnitOfWork unit;
      unit.run("UPDATE counter SET value = value + 1 WHERE name = $1", thread == 0 ? "a" : "b");
      unit.run("UPDATE counter SET value = value + 1 WHERE name = $1", thread == 0 ? "b" : "a");
      const auto done = (thread == 0 ? *first : *second).commit(std::move(unit));
      EXPECT_TRUE(done.ok()) << done.error().to_string();
    }
  });
  EXPECT_EQ(first->query("SELECT sum(value) FROM counter").value()[0].integer(0), 200);
}

TEST_F(PostgresTest, ARowLockedByAnotherProgramIsWaitedFor) {
  const auto engine = open({.writers = 1});
  create_ledger(*engine);
  UnitOfWork counter;
  counter.run("INSERT INTO counter VALUES ('c', 0)");
  engine->commit(std::move(counter)).value();
  testing::Answers answers;
  const base::Thread other("other", [&](const base::StopToken&) {
    static_cast<void>(database_.execute(
        "BEGIN; UPDATE counter SET value = 10; "
        // Until somebody waits for the schema's lock alone, which follows on waiting for the row;
        // in this database, not in that of another test.
        "DO $$ BEGIN WHILE NOT EXISTS (SELECT 1 FROM pg_locks JOIN pg_database ON oid = database "
        "WHERE datname = current_database() AND locktype = 'advisory' AND mode = 'ExclusiveLock') "
        "LOOP PERFORM pg_stat_clear_snapshot(); END LOOP; END $$; COMMIT"));
  });
  while (database_.execute("SELECT count(*) FROM pg_locks WHERE relation = 'counter'::regclass AND "
                           "mode = 'RowExclusiveLock'") == "0\n") {
  }
  UnitOfWork unit;
  unit.run("UPDATE counter SET value = value + 1");
  engine->commit(std::move(unit)).value();
  EXPECT_EQ(engine->query("SELECT value FROM counter").value()[0].integer(0), 11);
}

TEST_F(PostgresTest, ReadersBeyondThePoolWaitForTheirDeadline) {
  const auto engine = open({.readers = 1});
  const auto outer = engine->read([&](Snapshot& snapshot) -> base::Result<void> {
    CLEVER_TRY(snapshot.query("SELECT 1"));
    const auto inner = engine->query(statement("SELECT 1"), {},
                                     base::Deadline::after(clock_, std::chrono::milliseconds(1)));
    EXPECT_EQ(inner.error().code(), ErrorCode::kDeadlineExceeded);
    base::StopSource stop;
    stop.request_stop();
    const auto stopped = engine->query(statement("SELECT 1"), stop.token());
    EXPECT_EQ(stopped.error().code(), ErrorCode::kCancelled);
    return {};
  });
  EXPECT_TRUE(outer.ok());
  EXPECT_TRUE(engine->query("SELECT 1").ok());
}

TEST_F(PostgresTest, ThePoolHasNoMoreConnectionsThanReaders) {
  const auto engine = open({.readers = 2});
  std::vector<std::int64_t> processes(16);
  testing::in_threads(processes.size(), [&](std::size_t i) {
    processes[i] = engine->query("SELECT pg_backend_pid()").value()[0].integer(0);
  });
  EXPECT_LE(std::set<std::int64_t>(processes.begin(), processes.end()).size(), 2U);
}

TEST_F(PostgresTest, AFailedQueryDoesNotSpoilTheNextRead) {
  const auto engine = open({.readers = 1});
  EXPECT_EQ(engine->query("SELECT 1/0").error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(engine->query("SELECT 7").value()[0].integer(0), 7);
}

TEST_F(PostgresTest, WritingInAReadIsRefused) {
  const auto engine = open();
  create_ledger(*engine);
  const auto refused = engine->query("INSERT INTO ledger (entry) VALUES (1) RETURNING entry");
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(engine->query("SELECT entry FROM ledger FOR UPDATE").error().code(),
            ErrorCode::kInvalidArgument);
}

TEST_F(PostgresTest, TheQueriesOfOneReadSeeOneMoment) {
  const auto engine = open();
  create_ledger(*engine);
  const auto read = engine->read([&](Snapshot& snapshot) -> base::Result<void> {
    CLEVER_ASSIGN(const Rows before, snapshot.query("SELECT max(entry) FROM ledger"));
    EXPECT_TRUE(before[0].is_null(0));
    engine->commit(entry(1)).value();
    CLEVER_ASSIGN(const Rows after, snapshot.query("SELECT max(entry) FROM ledger"));
    EXPECT_TRUE(after[0].is_null(0));
    return {};
  });
  EXPECT_TRUE(read.ok());
}

// Neither side reads on before it has written: whoever does not take what comes hangs both.
TEST_F(PostgresTest, LargeValuesGoBothWaysAtOnce) {
  const auto engine = open({.writers = 1});
  const std::string large(std::size_t{4} << 20U, 'x');
  UnitOfWork unit;
  unit.run("CREATE TABLE large (id BIGINT, bytes BYTEA)");
  for (int i = 0; i < 6; ++i) {
    unit.run("INSERT INTO large VALUES ($1, $2) RETURNING bytes", i, Blob{large});
  }
  const auto receipt = engine->commit(std::move(unit)).value();
  for (std::size_t i = 1; i <= 6; ++i) {
    EXPECT_EQ(receipt.outcomes[i].rows[0].blob(0), large);
  }
}

TEST_F(PostgresTest, AReadThatAsksNothingNeedsNoServer) {
  const auto engine = open();
  EXPECT_TRUE(engine->read([](Snapshot&) -> base::Result<void> { return {}; }).ok());
}

TEST_F(PostgresTest, AnnouncementsReachOtherEngines) {
  const auto writer = open();
  const auto watcher = open();
  create_ledger(*writer);
  base::Monitor<int> heard;
  base::Monitor<int> others;
  const auto subscription =
      watcher->subscribe("plan/1", [&] { heard.update([](int& count) { ++count; }); });
  const auto another =
      watcher->subscribe("plan/2", [&] { others.update([](int& count) { ++count; }); });
  // It wakes everybody when it begins to listen.
  others.wait({}, base::Deadline::never(), [](int count) { return count > 0; }).value();
  const int before = others.read([](int count) { return count; });
  for (int i = 0; i < 3; ++i) {
    const int seen = heard.read([](int count) { return count; });
    UnitOfWork unit = entry(i);
    unit.notify("plan/1");
    writer->commit(std::move(unit)).value();
    heard.wait({}, base::Deadline::never(), [&](int count) { return count > seen; }).value();
  }
  EXPECT_EQ(others.read([](int count) { return count; }), before);
}

TEST_F(PostgresTest, AListenerThatWasCutOffWakesEverybody) {
  const auto engine = open();
  base::Monitor<int> heard;
  const auto subscription =
      engine->subscribe("plan", [&] { heard.update([](int& count) { ++count; }); });
  heard.wait({}, base::Deadline::never(), [](int count) { return count >= 1; }).value();
  test::shared_postgres().terminate_backends(database_.name());
  heard.wait({}, base::Deadline::never(), [](int count) { return count >= 2; }).value();
}

TEST_F(PostgresTest, TooManyTopicsWakeEverybody) {
  const auto writer = open();
  const auto watcher = open();
  create_ledger(*writer);
  base::Monitor<int> heard;
  const auto subscription =
      watcher->subscribe("unrelated", [&] { heard.update([](int& count) { ++count; }); });
  heard.wait({}, base::Deadline::never(), [](int count) { return count > 0; }).value();
  const int before = heard.read([](int count) { return count; });
  UnitOfWork unit = entry(1);
  for (int i = 0; i < 1000; ++i) unit.notify("a rather long topic/" + std::to_string(i));
  writer->commit(std::move(unit)).value();
  heard.wait({}, base::Deadline::never(), [&](int count) { return count > before; }).value();
}

TEST_F(PostgresTest, DurabilityIsAsTheOptionsSay) {
  const auto setting = [](Engine& engine) {
    UnitOfWork unit;
    unit.run("SELECT current_setting('synchronous_commit')");
    return engine.commit(std::move(unit)).value().outcomes[0].rows[0].text(0);
  };
  EXPECT_EQ(setting(*open()), "on");
  EXPECT_EQ(setting(*open({.synchronous = Synchronous::kNormal})), "off");
}

TEST_F(PostgresTest, KeysOfTransactionsDoNotPileUp) {
  const auto engine = open({.writers = 1});
  create_ledger(*engine);
  static_cast<void>(
      database_.execute("INSERT INTO clever_commit VALUES ('\\x01', now() - interval '2 days')"));
  for (int i = 0; i < 20; ++i) engine->commit(entry(i)).value();
  EXPECT_LE(engine->query("SELECT count(*) FROM clever_commit").value()[0].integer(0), 2);
}

TEST_F(PostgresTest, FactsNameTheServer) {
  const auto engine = open();
  const auto facts = engine->facts().value();
  EXPECT_EQ(facts.dialect, Dialect::kPostgres);
  EXPECT_THAT(facts.version, StartsWith("PostgreSQL "));
  EXPECT_EQ(facts.schema_version, static_cast<std::int64_t>(schema().size()));
  EXPECT_GT(facts.size_in_bytes, 0U);
}

TEST_F(PostgresTest, AReferenceToNothingIsCorruption) {
  const auto engine = open();
  EXPECT_TRUE(engine->check_integrity({}, {}).ok());
  static_cast<void>(
      database_.execute("SET session_replication_role = replica; "
                        "INSERT INTO snapshot VALUES ('\\x02', 1, '\\x01', 1, '')"));
  const auto checked = engine->check_integrity({}, {});
  EXPECT_EQ(checked.error().code(), ErrorCode::kCorruption);
  EXPECT_THAT(checked.error().sentence(), HasSubstr("snapshot"));
}

TEST_F(PostgresTest, IndexesAreCheckedWhereTheServerCan) {
  const auto engine = open();
  static_cast<void>(database_.execute("CREATE EXTENSION IF NOT EXISTS amcheck"));
  EXPECT_TRUE(engine->check_integrity({}, {}).ok());
}

TEST_F(PostgresTest, UpkeepShowsHowFarItIs) {
  const auto engine = open();
  for (const bool vacuum : {false, true}) {
    std::uint64_t last = 0;
    std::uint64_t all = 0;
    const Progress progress = [&](std::string_view, std::uint64_t done, std::uint64_t of) {
      EXPECT_GE(done, last);
      last = done;
      all = of;
    };
    const auto worked =
        vacuum ? engine->vacuum(progress, {}) : engine->check_integrity(progress, {});
    EXPECT_TRUE(worked.ok()) << worked.error().to_string();
    EXPECT_GT(all, 5U);
    EXPECT_EQ(last, all);
  }
}

TEST_F(PostgresTest, ABackupIsTheServersOwnToolsBusiness) {
  const auto engine = open();
  const auto refused = engine->backup("plans.dump", {}, {});
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message(), HasSubstr("pg_dump"));
  EXPECT_THAT(refused.error().message(), HasSubstr(database_.name()));
}

TEST_F(PostgresTest, WhatTheServerAddsUpComesAsNumbers) {
  const auto engine = open();
  const auto rows =
      engine
          ->query(
              "SELECT sum(v::bigint), avg(v::bigint), bool_or(v > 1), count(*), max(v)::real, "
              "-123456789012::numeric, 'NaN'::numeric FROM (VALUES (1::smallint), (2)) AS t(v)")
          .value();
  EXPECT_EQ(rows[0].integer(0), 3);
  EXPECT_EQ(rows[0].real(1), 1.5);
  EXPECT_EQ(rows[0].integer(2), 1);
  EXPECT_EQ(rows[0].integer(3), 2);
  EXPECT_EQ(rows[0].real(4), 2.0);
  EXPECT_EQ(rows[0].integer(5), -123456789012);
  EXPECT_TRUE(rows[0].real(6) != rows[0].real(6));
}

TEST_F(PostgresTest, AColumnOfAnUnknownTypeIsRefused) {
  const auto engine = open();
  EXPECT_EQ(engine->query("SELECT now()").error().code(), ErrorCode::kInternal);
}

}  // namespace
}  // namespace clever::storage

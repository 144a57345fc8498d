#include "storage/postgres/internal/attempt.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/clock.h"
#include "base/monitor.h"
#include "base/random.h"
#include "storage/postgres/internal/connector.h"
#include "storage/postgres/internal/migrations.h"
#include "storage/postgres/postgres_engine.h"
#include "support/postgres_server.h"

namespace clever::storage::postgres {
namespace {

class AttemptTest : public ::testing::Test {
 protected:
  AttemptTest() {
    plan_.schema_version = migrate(*connection_, schema(), {}).value();
    plan_.key = "this";
    connection_->run_script({}, "CREATE TABLE t (a BIGINT)").value();
  }

  [[nodiscard]] static Group group() {
    UnitOfWork unit;
    unit.run("INSERT INTO t VALUES (1)");
    std::vector<internal::Pending> units;
    units.push_back({.unit = std::move(unit), .done = [](const base::Result<Receipt>&) {}});
    return Group(std::move(units));
  }
  [[nodiscard]] Ended attempt() {
    Group units = group();
    Turns turns;
    Attempt attempt(*connection_, units, plan_, {});
    const Ended ended = attempt.run(turns.take({}).value());
    database_time_ = attempt.database_time();
    return ended;
  }
  // Units that insert these numbers, each with a late statement that must find its number there.
  [[nodiscard]] static Group late_group(const std::vector<std::pair<int, int>>& numbers) {
    std::vector<internal::Pending> units;
    for (const auto& [inserted, looked_for] : numbers) {
      UnitOfWork unit;
      unit.add_late(required(1, {base::ErrorCode::kResourceExhausted, "used up"},
                             "UPDATE t SET a = -a WHERE a = $1", looked_for));
      unit.run("INSERT INTO t VALUES ($1)", inserted);
      units.push_back({.unit = std::move(unit), .done = [](const base::Result<Receipt>&) {}});
    }
    return Group(std::move(units));
  }
  [[nodiscard]] Ended attempt(Group& units) {
    Turns turns;
    return Attempt(*connection_, units, plan_, {}).run(turns.take({}).value());
  }
  [[nodiscard]] std::int64_t rows() {
    return connection_->run({}, "SELECT count(*) FROM t").value().rows[0].integer(0);
  }

  base::SystemClock clock_;
  base::SystemRandom random_;
  test::PostgresDatabase database_{test::shared_postgres()};
  Connector connector_{Libpq::load().value(), DatabaseUrl::parse(database_.url(), "/").value(),
                       true, clock_, random_};
  std::unique_ptr<Connection> connection_ = connector_.connect(Purpose::kWriting, {}).value();
  AttemptPlan plan_;
  std::int64_t database_time_ = 0;
};

TEST_F(AttemptTest, AKeyIsCommittedOnce) {
  const Ended first = attempt();
  EXPECT_EQ(first.end, End::kCommitted);
  EXPECT_TRUE(first.key_was_free);
  const Ended second = attempt();
  EXPECT_EQ(second.end, End::kWasCommitted);
  EXPECT_FALSE(second.key_was_free);
  EXPECT_EQ(rows(), 1);
}

TEST_F(AttemptTest, ThePreviousKeyIsRemoved) {
  EXPECT_EQ(attempt().end, End::kCommitted);
  plan_.previous_key = std::exchange(plan_.key, "next");
  EXPECT_EQ(attempt().end, End::kCommitted);
  const auto keys = connection_->run({}, "SELECT key FROM clever_commit").value().rows;
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(keys[0].blob(0), "next");
}

TEST_F(AttemptTest, ADoubtThatIsTooOldIsNotResolvedByItsKey) {
  EXPECT_EQ(attempt().end, End::kCommitted);
  plan_.key = "another";
  plan_.doubt_since =
      database_time_ - std::chrono::microseconds(kMostDoubt + std::chrono::hours(1)).count();
  const Ended ended = attempt();
  EXPECT_EQ(ended.end, End::kTooLate);
  EXPECT_FALSE(ended.key_was_free);
  EXPECT_EQ(rows(), 1);
}

TEST_F(AttemptTest, ResolvingADoubtCommitsNothing) {
  plan_.only_resolve = true;
  const Ended free = attempt();
  EXPECT_EQ(free.end, End::kRefused);
  EXPECT_TRUE(free.key_was_free);
  plan_.only_resolve = false;
  EXPECT_EQ(attempt().end, End::kCommitted);
  plan_.only_resolve = true;
  EXPECT_EQ(attempt().end, End::kWasCommitted);
  EXPECT_EQ(rows(), 1);
}

TEST_F(AttemptTest, AnotherSchemaIsRefused) {
  ++plan_.schema_version;
  const Ended ended = attempt();
  EXPECT_EQ(ended.end, End::kRefused);
  EXPECT_EQ(ended.error->code(), base::ErrorCode::kConflict);
  EXPECT_EQ(rows(), 0);
}

TEST_F(AttemptTest, AloneItWaitsForTheOthers) {
  plan_.alone = true;
  EXPECT_EQ(attempt().end, End::kCommitted);
  EXPECT_EQ(rows(), 1);
}

// A sum over other transactions must not overlook what they have begun.
TEST_F(AttemptTest, AUnitThatIsAloneSeesWhatOthersHadStarted) {
  const auto engine =
      open_postgres(DatabaseUrl::parse(database_.url(), "/").value(), {}, clock_).value();
  connection_->run({}, "BEGIN").value();
  connection_->run({}, "SELECT pg_advisory_xact_lock_shared($1)", std::vector<Value>{kSchemaLock})
      .value();
  connection_->run({}, "INSERT INTO t VALUES (1)").value();

  UnitOfWork unit;
  unit.be_alone();
  unit.run("INSERT INTO t SELECT 10 * count(*) FROM t");
  base::Monitor<std::optional<bool>> done;
  engine->submit(std::move(unit), [&](const base::Result<Receipt>& receipt) {
    done.update([&](std::optional<bool>& ok) { ok = receipt.ok(); });
  });
  constexpr std::string_view kWaiting =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = "
      "(SELECT oid FROM pg_database WHERE datname = current_database())";
  const auto answer = [&] { return done.update([](const std::optional<bool>& ok) { return ok; }); };
  while (!answer() && connection_->run({}, kWaiting).value().rows[0].integer(0) == 0) {
  }
  connection_->run({}, "COMMIT").value();
  const auto is_done = [](const std::optional<bool>& ok) { return ok.has_value(); };
  EXPECT_TRUE(done.wait({}, base::Deadline::never(), is_done).ok());
  EXPECT_EQ(answer(), true);
  EXPECT_EQ(connection_->run({}, "SELECT sum(a)::bigint FROM t").value().rows[0].integer(0), 11);
}

TEST_F(AttemptTest, ALostConnectionBeforeTheCommitMeansThatNothingHappened) {
  test::shared_postgres().terminate_backends(database_.name());
  EXPECT_EQ(attempt().end, End::kLost);
  EXPECT_FALSE(connection_->usable());
  EXPECT_FALSE(connection_->run({}, "SELECT 1").ok());
  EXPECT_FALSE(connection_->run_script({}, "SELECT 1").ok());
  EXPECT_FALSE(connection_->next_announcement({}).ok());
}

TEST_F(AttemptTest, LateStatementsComeWithTheCommit) {
  Group units = late_group({{1, 1}, {2, 2}});
  EXPECT_EQ(attempt(units).end, End::kCommitted);
  EXPECT_EQ(connection_->run({}, "SELECT sum(a)::bigint FROM t").value().rows[0].integer(0), -3);
}

TEST_F(AttemptTest, OfAGroupTheUnitWhoseLateStatementIsRefusedIsSuspected) {
  Group units = late_group({{1, 1}, {2, 99}, {3, 3}});
  EXPECT_EQ(attempt(units).end, End::kNewSuspects);
  EXPECT_EQ(units.suspects(), std::vector<std::size_t>{1});
  EXPECT_EQ(rows(), 0);
  EXPECT_EQ(attempt(units).end, End::kCommitted);
  EXPECT_EQ(rows(), 2);
}

TEST_F(AttemptTest, ALoneUnitGetsTheRefusalOfItsLateStatement) {
  Group units = late_group({{1, 99}});
  const Ended ended = attempt(units);
  EXPECT_EQ(ended.end, End::kRefused);
  EXPECT_EQ(ended.error->code(), base::ErrorCode::kResourceExhausted);
  EXPECT_EQ(ended.error->message(), "used up");
  EXPECT_EQ(rows(), 0);
}

TEST_F(AttemptTest, WhatWasCommittedWithItsLateStatementsIsNotRunAgain) {
  Group units = late_group({{1, 1}});
  EXPECT_EQ(attempt(units).end, End::kCommitted);
  EXPECT_EQ(attempt(units).end, End::kWasCommitted);
  EXPECT_TRUE(units.any_succeeded());
  EXPECT_EQ(rows(), 1);
}

}  // namespace
}  // namespace clever::storage::postgres

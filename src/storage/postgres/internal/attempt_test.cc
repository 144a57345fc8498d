#include "storage/postgres/internal/attempt.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/random.h"
#include "storage/postgres/internal/connector.h"
#include "storage/postgres/internal/migrations.h"
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

TEST_F(AttemptTest, ALostConnectionBeforeTheCommitMeansThatNothingHappened) {
  test::shared_postgres().terminate_backends(database_.name());
  EXPECT_EQ(attempt().end, End::kLost);
  EXPECT_FALSE(connection_->usable());
  EXPECT_FALSE(connection_->run({}, "SELECT 1").ok());
  EXPECT_FALSE(connection_->run_script({}, "SELECT 1").ok());
  EXPECT_FALSE(connection_->next_announcement({}).ok());
}

}  // namespace
}  // namespace clever::storage::postgres

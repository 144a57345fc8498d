#include "support/postgres_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

#include <string>

#include "io/process.h"
#include "support/child_process.h"

namespace clever::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

std::string psql(const std::string& url, const std::string& sql) {
  const auto result = io::run_process({.argv = {"psql", "--no-psqlrc", "-Atc", sql, url}});
  return result.ok() ? result.value().output + result.value().error_output : "no psql";
}

int backend(const PostgresDatabase& database) {
  return std::stoi(
      database.execute("SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' "
                       "AND datname = current_database()"));
}

TEST(SharedPostgresTest, IsReachedThroughItsSocketAndThroughItsPort) {
  const PostgresDatabase database(shared_postgres());
  EXPECT_EQ(psql(database.url(), "SELECT current_database()"), database.name() + "\n");
  EXPECT_EQ(psql(database.tcp_url(), "SELECT host(inet_client_addr())"), "127.0.0.1\n");
}

TEST(SharedPostgresTest, IsOneServerForAllCalls) {
  EXPECT_EQ(&shared_postgres(), &shared_postgres());
}

TEST(SharedPostgresTest, EveryDatabaseIsEmptyAndApart) {
  const PostgresDatabase first(shared_postgres());
  const PostgresDatabase second(shared_postgres());
  (void)first.execute("CREATE TABLE t (x int); INSERT INTO t VALUES (1), (2)");
  EXPECT_EQ(first.execute("SELECT x FROM t ORDER BY x"), "1\n2\n");
  EXPECT_EQ(second.execute("SELECT count(*) FROM pg_tables WHERE tablename = 't'"), "0\n");
}

TEST(SharedPostgresTest, ADatabaseGoesWithItsObject) {
  std::string name;
  {
    const PostgresDatabase database(shared_postgres());
    name = database.name();
  }
  EXPECT_THAT(psql(shared_postgres().url(name), "SELECT 1"), HasSubstr("does not exist"));
}

TEST(SharedPostgresTest, TextSortsByBytesOrAsPeopleSortIt) {
  const std::string sql =
      "SELECT string_agg(x, '' ORDER BY x) FROM (VALUES ('b'), ('C'), ('d')) v(x)";
  const PostgresServer& server = shared_postgres();
  EXPECT_EQ(PostgresDatabase(server).execute(sql), "Cbd\n");
  EXPECT_EQ(PostgresDatabase(server, server.create_database_with_linguistic_order()).execute(sql),
            "bCd\n");
}

TEST(SharedPostgresTest, OneConnectionIsEndedAndNoOther) {
  const PostgresDatabase database(shared_postgres());
  const PostgresDatabase other(shared_postgres());
  (void)other.execute("CREATE TABLE t (x int)");
  ChildProcess sleeper([&] {
    return psql(database.url(), "SELECT pg_sleep(600)").find("terminating connection") ==
                   std::string::npos
               ? 1
               : 0;
  });
  while (database.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND "
                          "datname = current_database()") != "1\n") {
  }
  shared_postgres().terminate_backend(backend(database));
  EXPECT_EQ(sleeper.wait(), 0);
  EXPECT_EQ(other.execute("SELECT count(*) FROM t"), "0\n");
}

TEST(SharedPostgresTest, AllConnectionsToADatabaseAreEnded) {
  const PostgresDatabase database(shared_postgres());
  ChildProcess sleeper(
      [&] { return psql(database.url(), "SELECT pg_sleep(600)").empty() ? 1 : 0; });
  while (database.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND "
                          "datname = current_database()") != "1\n") {
  }
  shared_postgres().terminate_backends(database.name());
  EXPECT_EQ(sleeper.wait(), 0);
}

TEST(SharedPostgresDeathTest, AnErrorInSqlEndsTheProgramWithItsText) {
  EXPECT_DEATH((void)shared_postgres().execute("postgres", "SELEKT 1"),
               "syntax error at or near \"SELEKT\"");
}

TEST(PrivatePostgresTest, IsItsOwn) {
  const PrivatePostgresServer server;
  EXPECT_NE(server.port(), shared_postgres().port());
  EXPECT_THAT(server.url("x"), MatchesRegex("postgresql:///x\\?host=/.*&port=[0-9]+&user=clever"));
}

TEST(PrivatePostgresTest, KeepsAddressAndDataOverARestart) {
  PrivatePostgresServer server;
  const PostgresDatabase database(server);
  (void)database.execute("CREATE TABLE t (x int)");
  const std::string url = database.tcp_url();
  server.restart();
  EXPECT_EQ(psql(url, "SELECT count(*) FROM t"), "0\n");
}

TEST(PrivatePostgresTest, KeepsWhatWasCommittedWhenItIsKilled) {
  PrivatePostgresServer server;
  const PostgresDatabase database(server);
  (void)database.execute("CREATE TABLE t (x int); INSERT INTO t VALUES (7)");
  server.stop_hard();
  EXPECT_FALSE(server.alive());
  server.start();
  EXPECT_EQ(database.execute("SELECT x FROM t"), "7\n");
}

TEST(PrivatePostgresTest, IsNotAliveWhileStopped) {
  PrivatePostgresServer server;
  server.stop();
  EXPECT_FALSE(server.alive());
  EXPECT_THAT(psql(server.tcp_url("postgres"), "SELECT 1"), HasSubstr("Connection refused"));
  server.start();
  EXPECT_TRUE(server.alive());
}

TEST(PrivatePostgresTest, RecoversWhenAConnectionIsKilled) {
  PrivatePostgresServer server;
  const PostgresDatabase database(server);
  (void)database.execute("CREATE TABLE t (x int)");
  ChildProcess sleeper(
      [&] { return psql(database.url(), "SELECT pg_sleep(600)").empty() ? 1 : 0; });
  while (database.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") !=
         "1\n") {
  }
  server.kill_backend(backend(database));
  EXPECT_EQ(sleeper.wait(), 0);
  // Until it has recovered it refuses connections.
  while (psql(database.url(), "SELECT count(*) FROM t") != "0\n") {
  }
}

TEST(PrivatePostgresTest, GoesWithAProcessThatIsKilled) {
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  ChildProcess owner([&] {
    const PrivatePostgresServer server;
    const std::string url = server.tcp_url("postgres");
    if (::write(pipe_ends[1], url.data(), url.size()) < 0) return 1;
    ::pause();
    return 0;
  });
  std::string url(200, ' ');
  url.resize(static_cast<std::size_t>(::read(pipe_ends[0], url.data(), url.size())));
  ASSERT_EQ(psql(url, "SELECT 1"), "1\n");
  owner.kill_and_wait();
  while (psql(url, "SELECT 1") == "1\n") {
  }
  EXPECT_THAT(psql(url, "SELECT 1"), Not(StartsWith("1")));
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}

}  // namespace
}  // namespace clever::test

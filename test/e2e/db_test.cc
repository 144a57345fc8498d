// The database as the built binary handles it: many processes, terminals, interruptions, kills.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/random.h"
#include "e2e/agents.h"
#include "storage/bodies.h"
#include "storage/database_source.h"
#include "storage/migration.h"
#include "support/campaign.h"
#include "support/postgres_server.h"

namespace clever::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;

std::filesystem::path database_of(const User& user) {
  return user.folder() / "home/cleveragents.db";
}

// Contents that no event uses: something to remove, to rewrite and to copy.
void fill(const User& user, int bodies) {
  base::SystemClock clock;
  const auto url = storage::DatabaseUrl::file(database_of(user));
  const auto engine = storage::DatabaseSource({}, clock).open(url, {}).value();
  storage::UnitOfWork unit;
  for (int i = 0; i < bodies; ++i) {
    storage::Bodies::put(unit, storage::Body::of(std::string(20'000, 'x') + std::to_string(i)));
  }
  engine->commit(std::move(unit)).value();
}

void migrate(const User& user) { EXPECT_EQ(user.agents({"db", "migrate"}).exit_code, 0); }

// SIGKILL after some thousandths of a second, unless it has ended by itself.
void run_and_kill(const User& user, const std::string& words, std::uint64_t thousandths) {
  const std::string after = std::to_string(static_cast<double>(thousandths) / 1000);
  const auto seen = user.bash("timeout --signal=KILL " + after + " \"$AGENTS\" db " + words);
  EXPECT_THAT(seen.exit_code, testing::AnyOf(0, 128 + 9)) << seen.error_output;
}

void expect_sound(const User& user) {
  const auto seen = user.agents({"db", "verify"});
  EXPECT_EQ(seen.exit_code, 0) << seen.output << seen.error_output;
}

TEST(DbTest, StatusAndDiagnosticsCreateNothing) {
  const User user;
  EXPECT_EQ(user.agents({"db", "status"}).exit_code, 0);
  EXPECT_EQ(user.agents({"db", "migrate", "--dry-run"}).exit_code, 0);
  EXPECT_EQ(user.agents({"diagnostics"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(user.folder() / "home"));
}

TEST(DbTest, StatusLeavesNoFilesBehind) {
  const User user;
  migrate(user);
  const auto before = user.bash("ls ../home").output;
  EXPECT_EQ(user.agents({"db", "status"}).exit_code, 0);
  EXPECT_EQ(user.agents({"diagnostics"}).exit_code, 0);
  EXPECT_EQ(user.bash("ls ../home").output, before);
}

TEST(DbTest, ThirtyTwoFirstRunsAtOnceAllSucceed) {
  for (std::size_t round = 0; round < test::campaign(2, 20); ++round) {
    const User user;
    const auto seen = user.bash(R"(
      for i in $(seq 32); do "$AGENTS" db migrate > "$i.out" 2>&1 & processes+=($!); done
      for process in "${processes[@]}"; do wait "$process" || { echo "exit $?"; cat *.out; }; done)");
    EXPECT_THAT(seen.output, IsEmpty());
    expect_sound(user);
    EXPECT_THAT(user.agents({"db", "status"}).output,
                HasSubstr("schema: " + std::to_string(storage::schema().size()) + ", the newest"));
  }
}

TEST(DbTest, AllCommandsAtOnceSucceed) {
  const User user;
  migrate(user);
  fill(user, 50);
  const auto seen = user.bash(R"(
    for i in $(seq 4); do
      for words in status verify vacuum rebuild migrate "backup copy$i.db"; do
        "$AGENTS" db $words > "$i-${words%% *}.out" 2>&1 & processes+=($!)
      done
    done
    for process in "${processes[@]}"; do wait "$process" || { echo "exit $?"; cat *.out; }; done)");
  EXPECT_THAT(seen.output, IsEmpty());
  expect_sound(user);
}

// SIGKILL at some moment: what is left is whole, and the next one goes on.
TEST(DbTest, KilledAtRandomLeavesASoundDatabase) {
  base::SeededRandom random(3);
  const User user;
  migrate(user);
  for (std::size_t round = 0; round < test::campaign(30, 1000); ++round) {
    if (round % 10 == 0) fill(user, 100);
    const std::string words =
        round % 2 == 0 ? "vacuum" : "backup copy" + std::to_string(round) + ".db";
    run_and_kill(user, words, 1 + random.below(40));
    expect_sound(user);
    // A copy that has its name is complete.
    const std::string copy = "copy" + std::to_string(round) + ".db";
    if (std::filesystem::exists(user.work() / copy)) {
      EXPECT_EQ(user.agents({"db", "verify", "--database", "sqlite:" + copy}).exit_code, 0);
      std::filesystem::remove(user.work() / copy);
    }
  }
}

TEST(DbTest, AFirstRunKilledAtRandomIsFinishedByTheNext) {
  base::SeededRandom random(4);
  for (std::size_t round = 0; round < test::campaign(20, 500); ++round) {
    const User user;
    run_and_kill(user, "migrate", 1 + random.below(15));
    EXPECT_EQ(user.agents({"db", "migrate"}).exit_code, 0);
    expect_sound(user);
  }
}

TEST(DbTest, KilledAtEveryPointOfAFirstRun) {
  for (const std::string point :
       {"storage.file_created", "storage.opened", "storage.logging", "storage.migrated"}) {
    const User user;
    const auto killed = user.bash("CLEVER_CRASH_AT=" + point + ":1 \"$AGENTS\" db migrate");
    // Without test hooks there are no such points, and it runs to its end.
    EXPECT_THAT(killed.exit_code, testing::AnyOf(128 + 9, 0)) << point;
    EXPECT_EQ(user.agents({"db", "migrate"}).exit_code, 0) << point;
    expect_sound(user);
  }
}

// The process waits for the database, which another holds; then it is interrupted.
TEST(DbTest, CtrlCEndsItCleanly) {
  const User user;
  migrate(user);
  for (const std::string signal : {"INT", "TERM"}) {
    const auto seen = user.bash(R"(
      set -m  # or background jobs ignore SIGINT
      exec 9< ../home/cleveragents.db-lock; flock 9
      "$AGENTS" db vacuum 9<&- 2> errors & process=$!
      until grep -q -- "-> FLOCK .* $process " /proc/locks; do :; done
      kill -)" + signal + R"( $process; wait $process; echo "exit $?"; cat errors)");
    EXPECT_THAT(seen.output, MatchesRegex("exit 1\nerror: .*\nhint: the database is intact; .*\n"));
  }
  expect_sound(user);
}

TEST(DbTest, ProgressIsALineOfTheTerminalAndOfNothingElse) {
  const User user;
  migrate(user);
  EXPECT_THAT(at_a_terminal(user, "\"$AGENTS\" db verify"), HasSubstr("\rchecking table body"));
  EXPECT_THAT(at_a_terminal(user, "\"$AGENTS\" db verify --format json"),
              Not(HasSubstr("checking table")));
  EXPECT_THAT(at_a_terminal(user, "\"$AGENTS\" db verify 2>&1 | cat"),
              Not(HasSubstr("checking table")));
  EXPECT_THAT(user.agents({"db", "verify"}).error_output, IsEmpty());
}

TEST(DbTest, WorksOnAServer) {
  const test::PostgresDatabase database(test::shared_postgres());
  User user;
  user.set("CLEVERAGENTS_DATABASE_URL", database.url());
  EXPECT_THAT(user.agents({"db", "status"}).output,
              AllOf(HasSubstr("engine: PostgreSQL "), HasSubstr("schema: none yet")));
  EXPECT_EQ(user.agents({"db", "verify"}).exit_code, 3);
  EXPECT_EQ(database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0\n");
  EXPECT_EQ(user.agents({"db", "migrate"}).exit_code, 0);
  for (const char* command : {"status", "migrate", "verify", "rebuild", "vacuum"}) {
    EXPECT_EQ(user.agents({"db", command}).exit_code, 0) << command;
  }
  EXPECT_THAT(user.agents({"db", "status"}).output,
              AllOf(HasSubstr("plans: 0\n"), HasSubstr("other connections: 0\n")));
  const auto backup = user.agents({"db", "backup", "x.dump"});
  EXPECT_EQ(backup.exit_code, 1);
  EXPECT_THAT(backup.error_output, HasSubstr("pg_dump --format=custom --file="));
  EXPECT_FALSE(std::filesystem::exists(user.folder() / "home"));
}

TEST(DbTest, FirstRunsOnAServerAtOnceAllSucceed) {
  const test::PostgresDatabase database(test::shared_postgres());
  User user;
  user.set("CLEVERAGENTS_DATABASE_URL", database.url());
  const auto seen = user.bash(R"(
    for i in $(seq 16); do "$AGENTS" db migrate > "$i.out" 2>&1 & processes+=($!); done
    for process in "${processes[@]}"; do wait "$process" || { echo "exit $?"; cat *.out; }; done)");
  EXPECT_THAT(seen.output, IsEmpty());
  expect_sound(user);
}

TEST(DbTest, AMissingDatabaseOfAServerIsNotFound) {
  User user;
  const auto seen = user.agents(
      {"db", "status", "--database", test::shared_postgres().url("there_is_none_of_this_name")});
  EXPECT_EQ(seen.exit_code, 3);
  EXPECT_THAT(seen.error_output, HasSubstr("hint: create the database with `createdb`"));
}

}  // namespace
}  // namespace clever::e2e

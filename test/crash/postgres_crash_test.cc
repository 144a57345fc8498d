// PostgreSQL: the program is killed, or the server is.
#include <gtest/gtest.h>

#include "base/random.h"
#include "crash/load.h"
#include "crash/memory_folder.h"
#include "crash/seeds.h"
#include "crash/victims.h"
#include "support/postgres_server.h"

namespace clever::storage::crash {
namespace {

// What a killed program had sent is still carried out or undone by the server: until that is over
// the database is in use.
void wait_until_alone(const test::PostgresServer& server, const std::string& database) {
  const std::string others = "SELECT count(*) FROM pg_stat_activity WHERE datname = '" + database +
                             "' AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
  while (server.execute(database, others) != "0\n") {
  }
}

class PostgresCrashTest : public ::testing::Test {
 protected:
  void add(Victims& victims) {
    for (const Report& report : victims.take_reports()) reports_.push_back(report);
  }

  const MemoryFolder folder_;
  std::vector<Report> reports_;
};

TEST_F(PostgresCrashTest, NothingAcknowledgedIsLostWhenTheProgramIsKilled) {
  const test::PostgresDatabase database(test::shared_postgres());
  const Place place{database.url(), folder_.path()};
  int run = 0;
  for (const std::uint64_t seed : Seeds(10, 100)) {
    SCOPED_TRACE(replay(seed));
    base::SeededRandom random(seed);
    Victims victims(
        1, [&](int, const Tell& tell) { run_load(place, {.seed = seed, .run = run}, tell); });
    victims.listen(random.below(150), Victims::kForever);
    victims.kill_all();
    add(victims);
    wait_until_alone(test::shared_postgres(), database.name());
    EXPECT_EQ(to_string(inspect_apart(place, reports_, run)), "");
    ++run;
  }
}

TEST_F(PostgresCrashTest, NorWhenTheServerIs) {
  test::PrivatePostgresServer server;
  const std::string database = server.create_database();
  const Place place{server.url(database), folder_.path()};
  for (const std::uint64_t seed : Seeds(2, 20)) {
    SCOPED_TRACE(replay(seed));
    base::SeededRandom random(seed);
    Victims victims(1, [&](int, const Tell& tell) {
      LoadOptions options{.seed = seed, .run = static_cast<int>(seed)};
      options.server_may_die = true;
      run_load(place, options, tell);
    });
    std::size_t heard = 0;
    for (int death = 0; death < 3; ++death) {
      heard += 20 + random.below(200);
      victims.listen(heard, Victims::kForever);
      server.stop_hard();
      server.start();
    }
    victims.listen(heard + 400, Victims::kForever);
    victims.kill_all();
    add(victims);
    wait_until_alone(server, database);
    EXPECT_EQ(to_string(inspect_apart(place, reports_, static_cast<int>(seed))), "");
  }
}

}  // namespace
}  // namespace clever::storage::crash

// Many writers on one plan: acknowledged = kept.
#include "crash/writers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "crash/memory_folder.h"
#include "crash/seeds.h"
#include "crash/victims.h"
#include "support/postgres_server.h"

namespace clever::storage::crash {
namespace {

class WritersTest : public ::testing::Test {
 protected:
  void create(const Place& place) {
    Victims creator(1, [&](int, const Tell& tell) { create_shared_plan(place, tell); });
    creator.wait();
    reports_ = creator.take_reports();
  }
  // To the end: every append of everybody was acknowledged, and is there.
  void all_append(const Place& place, int processes, Writers writers) {
    create(place);
    Victims victims(processes, [&](int process, const Tell& tell) {
      writers.process = process;
      run_writers(place, writers, tell);
    });
    victims.wait();
    add(victims);
    const auto acknowledged = std::ranges::count(reports_, Did::kAppend, &Report::did);
    EXPECT_EQ(acknowledged, processes * writers.threads * writers.appends);
    EXPECT_EQ(to_string(inspect_apart(place, reports_, 1)), "");
  }
  void add(Victims& victims) {
    for (const Report& report : victims.take_reports()) reports_.push_back(report);
  }

  std::vector<Report> reports_;
};

TEST_F(WritersTest, SixtyFourThreads) {
  const MemoryFolder folder;
  all_append(Place::file(folder.path()), 1, {.threads = 64, .appends = 4});
}

TEST_F(WritersTest, SixtyFourThreadsOnPostgres) {
  const MemoryFolder folder;
  const test::PostgresDatabase database(test::shared_postgres());
  all_append({database.url(), folder.path()}, 1, {.threads = 64, .appends = 2});
}

TEST_F(WritersTest, EightProcesses) {
  const MemoryFolder folder;
  all_append(Place::file(folder.path()), 8, {.threads = 8, .appends = 4});
}

TEST_F(WritersTest, EightProcessesOfWhichSomeDie) {
  for (const std::uint64_t seed : Seeds(3, 100)) {
    SCOPED_TRACE(replay(seed));
    const MemoryFolder folder;
    const Place place = Place::file(folder.path());
    base::SeededRandom random(seed);
    create(place);
    Victims victims(8, [&](int process, const Tell& tell) {
      run_writers(place, {.process = process, .threads = 2, .appends = 4}, tell);
    });
    for (std::size_t i = 0; i < 4; ++i) {
      victims.listen(random.below(20) * (i + 1), Victims::kForever);
      victims.kill(2 * i);
    }
    victims.wait();
    add(victims);
    EXPECT_EQ(to_string(inspect_apart(place, reports_, 1)), "");
  }
}

}  // namespace
}  // namespace clever::storage::crash

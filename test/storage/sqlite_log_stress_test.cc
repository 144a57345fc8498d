// Real threads write, read and take the log into the database at the same time.
#include <filesystem>

#include "storage/engines.h"
#include "storage/sqlite/sqlite_engine.h"
#include "support/together.h"

namespace clever::storage {
namespace {

constexpr int kLogWriters = 8;
constexpr int kWritesEach = 60;

TEST(SqliteLogStressTest, NothingIsLostWhileTheLogIsTaken) {
  base::SystemClock clock;
  const test::TemporaryDirectory folder;
  const auto url =
      DatabaseUrl::parse("sqlite:" + (folder / "plans.db").string(), folder.path()).value();
  const auto engine = open_sqlite(url, {.log_pages = 8}, clock).value();
  const auto count = [&](int thread) {
    return engine
        ->query("SELECT count(*) FROM budget WHERE cap = $1", static_cast<std::int64_t>(thread))
        .value()[0]
        .integer(0);
  };
  test::together(kLogWriters, [&](int thread) {
    for (int round = 0; round < kWritesEach; ++round) {
      UnitOfWork unit;
      unit.run("INSERT INTO budget (scope, cap, reserved, spent) VALUES ($1, $2, 0, 0)",
               std::to_string(thread * kWritesEach + round), thread);
      ASSERT_TRUE(engine->commit(std::move(unit)).ok());
      EXPECT_EQ(count(thread), round + 1);
    }
  });
  for (int thread = 0; thread < kLogWriters; ++thread) EXPECT_EQ(count(thread), kWritesEach);
  engine->check_integrity([](auto, auto, auto) {}, {}).value();
}

}  // namespace
}  // namespace clever::storage

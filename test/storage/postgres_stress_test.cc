// Writers, readers, subscribers and an administrator who ends connections, all at once.
#include "storage/postgres_fixture.h"

namespace clever::storage {
namespace {

using testing::create_ledger;
using testing::entries;
using testing::entry;

TEST(PostgresStressTest, AcknowledgedIsKeptWhileConnectionsEnd) {
  constexpr std::size_t kThreads = 64;
  constexpr std::size_t kWrites = 10;
  base::SystemClock clock;
  const test::PostgresDatabase database(test::shared_postgres());
  const auto engine = testing::opened_postgres(database.url(), clock);
  create_ledger(*engine);
  base::Monitor<int> heard;
  const auto subscription =
      engine->subscribe("ledger", [&] { heard.update([](int& count) { ++count; }); });
  testing::in_threads(kThreads + 5, [&](std::size_t thread) {
    if (thread == kThreads + 4) {
      for (int i = 0; i < 5; ++i) test::shared_postgres().terminate_backends(database.name());
      return;
    }
    for (std::size_t i = 0; i < kWrites; ++i) {
      if (thread >= kThreads) {
        static_cast<void>(engine->query("SELECT count(*) FROM ledger"));
        continue;
      }
      UnitOfWork unit = entry(static_cast<std::int64_t>(thread * kWrites + i));
      unit.notify("ledger");
      const auto written = engine->commit(std::move(unit));
      EXPECT_TRUE(written.ok()) << written.error().to_string();
    }
  });
  const auto found = entries(*engine);
  ASSERT_EQ(found.size(), kThreads * kWrites);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i], static_cast<std::int64_t>(i));
  }
  EXPECT_GT(heard.read([](int count) { return count; }), 0);
}

TEST(PostgresStressTest, WritersOnSharedRowsLoseNothing) {
  constexpr std::size_t kThreads = 32;
  constexpr std::size_t kWrites = 10;
  base::SystemClock clock;
  const test::PostgresDatabase database(test::shared_postgres());
  const auto engine = testing::opened_postgres(database.url(), clock);
  const auto other = testing::opened_postgres(database.url(), clock);
  create_ledger(*engine);
  UnitOfWork counters;
  counters.run("INSERT INTO counter SELECT 'c' || i, 0 FROM generate_series(0, 7) AS i");
  engine->commit(std::move(counters)).value();
  testing::in_threads(kThreads, [&](std::size_t thread) {
    for (std::size_t i = 0; i < kWrites; ++i) {
      UnitOfWork unit;
      for (const std::size_t row : {(thread + i) % 8, (thread * 3 + i + 1) % 8}) {
        unit.run("UPDATE counter SET value = value + 1 WHERE name = $1", "c" + std::to_string(row));
      }
      const auto written = (thread % 2 == 0 ? *engine : *other).commit(std::move(unit));
      EXPECT_TRUE(written.ok()) << written.error().to_string();
    }
  });
  EXPECT_EQ(engine->query("SELECT sum(value) FROM counter").value()[0].integer(0),
            static_cast<std::int64_t>(kThreads * kWrites * 2));
}

}  // namespace
}  // namespace clever::storage

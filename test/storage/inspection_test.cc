#include "storage/inspection.h"

#include <array>

#include "storage/plan_test.h"

namespace clever::storage {
namespace {

using base::ErrorCode;

class InspectionTest : public testing::PlanTest {
 protected:
  [[nodiscard]] base::Result<Inspection> look() {
    return inspect(database().url(), database().clock());
  }
};

// A database that others can open too: not one in memory.
class SharedInspectionTest : public InspectionTest {};

TEST_P(InspectionTest, SeesVersionAndContent) {
  const auto plan = create();
  const auto found = look().value();
  EXPECT_EQ(found.facts.address, database().url().normalised());
  EXPECT_EQ(found.exists, !in_memory());
  if (in_memory()) return;
  EXPECT_EQ(found.facts.schema_version, static_cast<std::int64_t>(schema().size()));
  EXPECT_EQ(found.facts.version, engine().facts().value().version);
  EXPECT_GT(found.facts.size_in_bytes, 0U);
  EXPECT_TRUE(pending_steps(found).value().empty());
  EXPECT_EQ(found.counts.value().plans, 1U);
  EXPECT_EQ(found.counts.value().events, 1U);
  EXPECT_EQ(found.counts.value().jobs, 0U);
  EXPECT_EQ(found.counts.value().leases, 1U);
}

TEST_P(SharedInspectionTest, CountsNothingOfANewerSchema) {
  edit("INSERT INTO schema_migration (version, name, digest, applied) VALUES (99, 'x', 'x', 0)");
  const auto found = look().value();
  EXPECT_FALSE(found.counts.has_value());
  EXPECT_EQ(pending_steps(found).error().code(), ErrorCode::kConflict);
}

TEST_P(InspectionTest, TheFirstStepsOfAnOldSchemaAreNotPending) {
  Inspection found;
  found.applied.push_back({1, "journal", MigrationRunner::digest(schema()[0])});
  const auto pending = pending_steps(found).value();
  ASSERT_EQ(pending.size(), schema().size() - 1);
  EXPECT_EQ(pending[0].version, 2);
}

CLEVER_ALL_ENGINES(InspectionTest);
CLEVER_SHARED_ENGINES(SharedInspectionTest);

TEST(InspectSqliteTest, CreatesNothing) {
  base::SystemClock clock;
  const test::TemporaryDirectory folder;
  const auto found = inspect(DatabaseUrl::file(folder / "none/x.db"), clock).value();
  EXPECT_FALSE(found.exists);
  EXPECT_TRUE(folder.names().empty());
}

TEST(InspectSqliteTest, RefusesAnInvalidDatabaseOfOurs) {
  base::SystemClock clock;
  const test::TemporaryDirectory folder;
  const auto code = [&](const std::filesystem::path& path) {
    return inspect(DatabaseUrl::file(path), clock).error().code();
  };
  EXPECT_EQ(code(folder.path()), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(folder.write("x.db", "nonsense")), ErrorCode::kCorruption);
}

TEST(InspectPostgresTest, ChangesNothingInAnEmptyDatabase) {
  base::SystemClock clock;
  const test::PostgresDatabase database(test::shared_postgres());
  const auto url = DatabaseUrl::parse(database.url(), "/").value();
  const auto found = inspect(url, clock).value();
  EXPECT_TRUE(found.exists);
  EXPECT_TRUE(found.applied.empty());
  EXPECT_EQ(found.other_connections, 0U);
  EXPECT_EQ(database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0\n");
}

}  // namespace
}  // namespace clever::storage

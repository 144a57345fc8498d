// SQLite's log is taken into the database beside the writer.
#include <filesystem>

#include "storage/engines.h"
#include "storage/sqlite/sqlite_engine.h"

namespace clever::storage {
namespace {

constexpr int kPages = 32;
constexpr std::uintmax_t kPageBytes = 4096 + 24;

class SqliteLogTest : public ::testing::Test {
 protected:
  std::unique_ptr<Engine> open() {
    const auto url = DatabaseUrl::parse("sqlite:" + file_.string(), folder_.path()).value();
    return open_sqlite(url, {.log_pages = kPages}, clock_).value();
  }
  static void write(Engine& engine, int from, int to) {
    for (int i = from; i < to; ++i) {
      UnitOfWork unit;
      unit.run("INSERT INTO budget (scope, cap, reserved, spent) VALUES ($1, 1, 0, 0)",
               std::to_string(i));
      engine.commit(std::move(unit)).value();
    }
  }
  static std::int64_t rows(Engine& engine) {
    return engine.query("SELECT count(*) FROM budget").value()[0].integer(0);
  }
  [[nodiscard]] std::uintmax_t log_pages() const {
    return std::filesystem::file_size(file_.string() + "-wal") / kPageBytes;
  }

  base::SystemClock clock_;
  test::TemporaryDirectory folder_;
  const std::filesystem::path file_ = folder_ / "plans.db";
};

TEST_F(SqliteLogTest, ItDoesNotGrowWithWhatIsWritten) {
  const auto engine = open();
  write(*engine, 0, 3000);
  EXPECT_EQ(rows(*engine), 3000);
  // Far below the three thousand commits of at least a page each; how far depends on who runs when.
  EXPECT_LT(log_pages(), 1500U);
  engine->check_integrity([](auto, auto, auto) {}, {}).value();
}

TEST_F(SqliteLogTest, WhoLooksAtAnOlderStateKeepsItAndNothingIsLost) {
  const auto engine = open();
  write(*engine, 0, 10);
  const auto look = [&](Snapshot& view) -> base::Result<void> {
    CLEVER_ASSIGN(const Rows before, view.query("SELECT count(*) FROM budget"));
    write(*engine, 10, 500);
    CLEVER_ASSIGN(const Rows after, view.query("SELECT count(*) FROM budget"));
    EXPECT_EQ(before[0].integer(0), 10);
    EXPECT_EQ(after[0].integer(0), 10);
    return {};
  };
  engine->read(look).value();
  write(*engine, 500, 600);
  EXPECT_EQ(rows(*engine), 600);
}

TEST_F(SqliteLogTest, ClosingTakesTheRest) {
  write(*open(), 0, 200);
  EXPECT_FALSE(std::filesystem::exists(file_.string() + "-wal"));
  EXPECT_EQ(rows(*open()), 200);
}

}  // namespace
}  // namespace clever::storage

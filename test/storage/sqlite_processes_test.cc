// Several processes on one file.
#include <sched.h>

#include <memory>
#include <vector>

#include "storage/engines.h"
#include "storage/sqlite/sqlite_engine.h"
#include "support/campaign.h"
#include "support/child_process.h"

namespace clever::storage {
namespace {

using test::ChildProcess;

class SqliteProcessesTest : public ::testing::Test {
 protected:
  [[nodiscard]] base::Result<std::unique_ptr<Engine>> open() {
    const auto url =
        DatabaseUrl::parse("sqlite:" + (folder_ / "home/plans.db").string(), folder_.path());
    return open_sqlite(url.value(), {}, clock_);
  }
  template <class Body>
  void in_processes(int count, Body body) {
    std::vector<std::unique_ptr<ChildProcess>> children;
    for (int i = 0; i < count; ++i) {
      children.push_back(std::make_unique<ChildProcess>([&, i] { return body(i); }));
    }
    for (auto& child : children) EXPECT_EQ(child->wait(), 0);
  }
  static base::Result<Receipt> add(Engine& engine, const std::string& name, int i) {
    UnitOfWork unit;
    unit.run("INSERT INTO budget (scope, cap, reserved, spent) VALUES ($1, $2, 0, 0)",
             name + "/" + std::to_string(i), i);
    return engine.commit(std::move(unit));
  }

  base::SystemClock clock_;
  test::TemporaryDirectory folder_;
};

TEST_F(SqliteProcessesTest, ThirtyTwoFirstRunsAtOnceAllSucceed) {
  for (std::size_t round = 0; round < test::campaign(2, 25); ++round) {
    in_processes(32, [&](int process) {
      const auto engine = open();
      if (!engine.ok()) return 1;
      return add(**engine, "process", process).ok() ? 0 : 2;
    });
    const auto engine = open().value();
    EXPECT_EQ(engine->query("SELECT count(*) FROM budget").value()[0].integer(0), 32);
    EXPECT_EQ(engine->query("SELECT count(*) FROM schema_migration").value()[0].integer(0),
              static_cast<std::int64_t>(schema().size()));
    std::filesystem::remove_all(folder_ / "home");
  }
}

TEST_F(SqliteProcessesTest, WritersOfManyProcessesLoseNothing) {
  constexpr int kProcesses = 8;
  constexpr int kUnits = 100;
  in_processes(kProcesses, [&](int process) {
    const auto engine = open().value();
    for (int i = 0; i < kUnits; ++i) {
      if (!add(*engine, std::to_string(process), i).ok()) return 1;
    }
    return 0;
  });
  EXPECT_EQ(open().value()->query("SELECT count(*) FROM budget").value()[0].integer(0),
            kProcesses * kUnits);
}

TEST_F(SqliteProcessesTest, ACounterRaisedByManyProcessesCountsAll) {
  constexpr int kProcesses = 8;
  constexpr int kRaises = 50;
  add(*open().value(), "counter", 0).value();
  in_processes(kProcesses, [&](int) {
    const auto engine = open().value();
    for (int raised = 0; raised < kRaises;) {
      const auto seen = engine->query("SELECT spent FROM budget").value()[0].integer(0);
      UnitOfWork unit;
      unit.require(1, {base::ErrorCode::kConflict, "stale"},
                   "UPDATE budget SET spent = $1 WHERE spent = $2", seen + 1, seen);
      const auto result = engine->commit(std::move(unit));
      if (!result.ok() && result.error().code() != base::ErrorCode::kConflict) return 1;
      if (result.ok()) ++raised;
    }
    return 0;
  });
  EXPECT_EQ(open().value()->query("SELECT spent FROM budget").value()[0].integer(0),
            kProcesses * kRaises);
}

TEST_F(SqliteProcessesTest, AKilledWriterBlocksNoOther) {
  for (std::size_t round = 0; round < test::campaign(5, 100); ++round) {
    ChildProcess victim([&] {
      const auto engine = open().value();
      for (int i = 0;; ++i) {
        if (!add(*engine, "victim" + std::to_string(round), i).ok()) return 1;
      }
    });
    const auto engine = open().value();
    for (int i = 0; i < 20; ++i) add(*engine, "other" + std::to_string(round), i).value();
    victim.kill_and_wait();
    add(*engine, "after" + std::to_string(round), 0).value();
    engine->check_integrity([](auto, auto, auto) {}, {}).value();
  }
}

}  // namespace
}  // namespace clever::storage

// The engine cache over real SQLite databases, under 200 threads.

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "storage/database_source.h"
#include "storage/engine_cache.h"
#include "support/temporary_directory.h"
#include "support/together.h"

namespace clever::storage {
namespace {

// Real databases; counts how often one was opened, which is how often its migrations ran.
class CountedSource final : public EngineSource {
 public:
  explicit CountedSource(base::Clock& clock) : source_(EngineOptions{}, clock) {}

  base::Result<std::string> identify(const DatabaseUrl& url) override {
    return source_.identify(url);
  }
  base::Result<std::unique_ptr<Engine>> open(const DatabaseUrl& url,
                                             const base::StopToken& stop) override {
    if (openings++ % fails_every == fails_every - 1) return base::unavailable("no answer");
    return source_.open(url, stop);
  }

  std::atomic<int> openings = 0;
  int fails_every = 1'000'000;

 private:
  DatabaseSource source_;
};

struct EngineCacheThreads : ::testing::Test {
  [[nodiscard]] DatabaseUrl url(std::string_view text) const {
    return DatabaseUrl::parse(
               text, DatabaseUrl::Folders{.home = folder.path(), .directory = folder.path()})
        .value();
  }

  // Everyone opens one of the spellings and looks for the row that the first one wrote.
  void expect_one_database(const std::vector<std::string_view>& spellings) {
    std::vector<std::shared_ptr<Engine>> engines(test::kManyThreads);
    std::atomic<int> seen = 0;
    engines[0] = cache.open(url(spellings[0])).value();
    write_first_row(*engines[0]);
    test::together(test::kManyThreads - 1, [&](int worker) {
      const auto at = static_cast<std::size_t>(worker) + 1;
      engines[at] = cache.open(url(spellings[at % spellings.size()])).value();
      seen += rows_in(*engines[at]);
    });
    EXPECT_EQ(std::set(engines.begin(), engines.end()).size(), 1U);
    EXPECT_EQ(source.openings, 1);
    EXPECT_EQ(seen, test::kManyThreads - 1);
  }
  static void write_first_row(Engine& engine) {
    UnitOfWork unit;
    unit.run("CREATE TABLE seen (name TEXT)");
    unit.run("INSERT INTO seen VALUES ('first')");
    engine.commit(std::move(unit)).value();
  }
  static int rows_in(Engine& engine) {
    return static_cast<int>(engine.query("SELECT name FROM seen").value().size());
  }

  test::TemporaryDirectory folder;
  base::SystemClock clock;
  CountedSource source{clock};
  EngineCache cache{source};
};

TEST_F(EngineCacheThreads, EveryoneSeesTheFirstRowsInMemory) {
  expect_one_database({"sqlite::memory:", "sqlite://", "sqlite:///:memory:"});
}

TEST_F(EngineCacheThreads, EveryoneSeesTheFirstRowsOfAFileByAnyName) {
  std::filesystem::create_symlink(".", folder / "folder");
  std::filesystem::create_symlink("x.db", folder / "link");
  expect_one_database(
      {"sqlite:x.db", "sqlite:link", "sqlite:///folder/x.db", "sqlite:./y/../x.db"});
}

// All at once on a database that is not there yet: who comes first makes it, and the table is made
// exactly once.
void expect_one_first_run(EngineCache& cache, const DatabaseUrl& url, std::atomic<int>& openings) {
  std::vector<std::shared_ptr<Engine>> engines(test::kManyThreads);
  std::atomic<int> made = 0;
  test::together(test::kManyThreads, [&](int worker) {
    auto& engine = engines[static_cast<std::size_t>(worker)];
    engine = cache.open(url).value();
    UnitOfWork unit;
    unit.run("CREATE TABLE once (name TEXT)");
    made += engine->commit(std::move(unit)).ok() ? 1 : 0;
  });
  EXPECT_EQ(std::set(engines.begin(), engines.end()).size(), 1U);
  EXPECT_EQ(openings, 1);
  EXPECT_EQ(made, 1);
}

TEST_F(EngineCacheThreads, TheFirstRunOfAFileIsOne) {
  expect_one_first_run(cache, url("sqlite:x.db"), source.openings);
}

TEST_F(EngineCacheThreads, TheFirstRunInMemoryIsOne) {
  expect_one_first_run(cache, url("sqlite::memory:"), source.openings);
}

TEST_F(EngineCacheThreads, AFailingOpenerNeverHandsOutABrokenEngine) {
  source.fails_every = 2;
  write_first_row(*cache.open(url("sqlite:x.db")).value());
  std::atomic<int> wrong = 0;
  std::atomic<int> failed = 0;
  test::together(test::kManyThreads, [&](int) {
    const auto engine = cache.open(url("sqlite:x.db"));
    if (engine.ok()) {
      wrong += rows_in(**engine) == 1 ? 0 : 1;
    } else {
      ++failed;
      wrong += engine.error().code() == base::ErrorCode::kUnavailable ? 0 : 1;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(failed, 0) << "the opener never failed";
}

TEST_F(EngineCacheThreads, OpenedUsedAndLetGoOnOneFile) {
  constexpr int kUsers = 64;
  constexpr int kRounds = 5;
  {
    UnitOfWork unit;
    unit.run("CREATE TABLE seen (name TEXT)");
    cache.open(url("sqlite:x.db")).value()->commit(std::move(unit)).value();
  }
  test::together(kUsers, [&](int) {
    for (int round = 0; round < kRounds; ++round) {
      const auto engine = cache.open(url("sqlite:x.db")).value();
      UnitOfWork unit;
      unit.run("INSERT INTO seen VALUES ('x')");
      engine->commit(std::move(unit)).value();
    }
  });
  EXPECT_EQ(rows_in(*cache.open(url("sqlite:x.db")).value()), kUsers * kRounds);
}

}  // namespace
}  // namespace clever::storage

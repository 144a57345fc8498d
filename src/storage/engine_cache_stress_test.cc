#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <vector>

#include "storage/engine_cache.h"
#include "support/idle_engine.h"
#include "support/together.h"

namespace clever::storage {
namespace {

struct Counts {
  std::atomic<int> openings = 0;
  std::atomic<int> open = 0;
  std::atomic<int> most_open = 0;
};

class CountedEngine final : public test::IdleEngine {
 public:
  explicit CountedEngine(Counts& counts) : counts_(counts) {
    const int open = ++counts_.open;
    if (open > counts_.most_open) counts_.most_open = open;
  }
  ~CountedEngine() override {
    content = 0;
    --counts_.open;
  }
  // Not atomic on purpose: ThreadSanitizer sees who uses an engine that is being closed.
  int content = 1;

 private:
  Counts& counts_;
};

class CountedSource final : public EngineSource {
 public:
  base::Result<std::string> identify(const DatabaseUrl& url) override { return url.normalised(); }
  base::Result<std::unique_ptr<Engine>> open(const DatabaseUrl& /*url*/,
                                             const base::StopToken& stop) override {
    const int opening = counts.openings++;
    if (stop.stop_requested()) return base::cancelled("stopped while opening");
    if (opening % every == every - 1) return base::unavailable("no answer");
    return std::make_unique<CountedEngine>(counts);
  }

  Counts counts;
  int every = 1'000'000;  // the one in so many that fails
};

int content_of(const std::shared_ptr<Engine>& engine) {
  return static_cast<const CountedEngine&>(*engine).content;
}

DatabaseUrl url(std::string_view text) {
  return DatabaseUrl::parse(text, DatabaseUrl::Folders{.home = "/", .directory = "/"}).value();
}

void expect_one_engine(std::initializer_list<std::string_view> spellings) {
  const std::vector<std::string_view> texts(spellings);
  CountedSource source;
  EngineCache cache(source);
  std::vector<std::shared_ptr<Engine>> engines(test::kManyThreads);
  test::together(test::kManyThreads, [&](int worker) {
    const auto at = static_cast<std::size_t>(worker);
    engines[at] = cache.open(url(texts[at % texts.size()])).value();
  });
  EXPECT_EQ(std::set(engines.begin(), engines.end()).size(), 1U);
  EXPECT_EQ(source.counts.openings, 1);
}

TEST(EngineCacheStress, TwoHundredThreadsGetOneFile) {
  expect_one_engine({"sqlite:x.db", "sqlite:///x.db", "sqlite:/y/../x.db"});
}

TEST(EngineCacheStress, TwoHundredThreadsGetOneDatabaseInMemory) {
  expect_one_engine({"sqlite::memory:", "sqlite://", "sqlite:///:memory:"});
}

TEST(EngineCacheStress, OpenedUsedAndReleasedTimeAndAgain) {
  CountedSource source;
  EngineCache cache(source);
  test::together(64, [&](int) {
    for (int round = 0; round < 200; ++round) {
      EXPECT_EQ(content_of(cache.open(url("sqlite:x.db")).value()), 1);
    }
  });
  EXPECT_EQ(source.counts.most_open, 1);
  EXPECT_EQ(source.counts.open, 0);
}

TEST(EngineCacheStress, FailuresAndStopsNeverHandOutABrokenEngine) {
  CountedSource source;
  source.every = 3;
  EngineCache cache(source);
  std::atomic<int> strange = 0;
  test::together(test::kManyThreads, [&](int worker) {
    for (int round = 0; round < 20; ++round) {
      base::StopSource stop;
      const bool stopped = (worker + round) % 5 == 0;
      if (stopped) stop.request_stop();
      const auto engine = cache.open(url("sqlite:x.db"), stop.token());
      if (engine.ok()) {
        strange += content_of(*engine) == 1 ? 0 : 1;
      } else if (engine.error().code() == base::ErrorCode::kCancelled) {
        strange += stopped ? 0 : 1;
      } else {
        strange += engine.error().code() == base::ErrorCode::kUnavailable ? 0 : 1;
      }
    }
  });
  EXPECT_EQ(strange, 0);
  EXPECT_EQ(source.counts.most_open, 1);
  EXPECT_EQ(source.counts.open, 0);
}

}  // namespace
}  // namespace clever::storage

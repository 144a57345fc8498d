#include "storage/engine_cache.h"

#include <gmock/gmock.h>

#include <vector>

#include "base/thread.h"
#include "support/idle_engine.h"

namespace clever::storage {
namespace {

DatabaseUrl url_at_root(std::string_view text) {
  return DatabaseUrl::parse(text, DatabaseUrl::Folders{.home = "/", .directory = "/"}).value();
}

struct Counts {
  int opened = 0;
  int closed = 0;
};

class CountedEngine final : public test::IdleEngine {
 public:
  explicit CountedEngine(Counts& counts) : counts_(counts) { ++counts_.opened; }
  ~CountedEngine() override { ++counts_.closed; }

 private:
  Counts& counts_;
};

// Opens engines without a database, on the test's own thread; answers as configured.
class ScriptedSource final : public EngineSource {
 public:
  base::Result<std::string> identify(const DatabaseUrl& asked) override {
    if (!identities.empty()) {
      auto identity = std::move(identities.front());
      identities.erase(identities.begin());
      return identity;
    }
    return asked.normalised();
  }
  base::Result<std::unique_ptr<Engine>> open(const DatabaseUrl& asked,
                                             const base::StopToken& stop) override {
    if (stop.stop_requested()) return base::cancelled("stopped while opening");
    if (during_open) std::exchange(during_open, nullptr)();
    if (failures > 0) {
      --failures;
      return base::unavailable("no answer from " + asked.normalised());
    }
    return std::make_unique<CountedEngine>(counts);
  }

  Counts counts;
  int failures = 0;
  /// What the next calls of identify() say, before the URL itself is the identity.
  std::vector<base::Result<std::string>> identities;
  std::move_only_function<void()> during_open;
};

struct EngineCacheTest : testing::Test {
  ScriptedSource source;
  std::optional<EngineCache> cache{std::in_place, source};
};

TEST_F(EngineCacheTest, OneDatabaseIsOneEngine) {
  const auto first = cache->open(url_at_root("sqlite:x.db")).value();
  EXPECT_EQ(cache->open(url_at_root("sqlite:///y/../x.db")).value(), first);
  EXPECT_NE(cache->open(url_at_root("sqlite:y.db")).value(), first);
  EXPECT_EQ(source.counts.opened, 2);
}

TEST_F(EngineCacheTest, TheLastHolderClosesAFile) {
  auto first = cache->open(url_at_root("sqlite:x.db")).value();
  auto second = cache->open(url_at_root("sqlite:x.db")).value();
  first.reset();
  EXPECT_EQ(source.counts.closed, 0);
  second.reset();
  EXPECT_EQ(source.counts.closed, 1);
  EXPECT_TRUE(cache->open(url_at_root("sqlite:x.db")).ok());
  EXPECT_EQ(source.counts.opened, 2);
}

TEST_F(EngineCacheTest, AnEngineInMemoryLivesAsLongAsTheCache) {
  for (const auto* name : {"sqlite::memory:", "sqlite::memory:other"}) {
    const auto* const address = cache->open(url_at_root(name)).value().get();
    EXPECT_EQ(cache->open(url_at_root(name)).value().get(), address);
  }
  EXPECT_EQ(source.counts.opened, 2);
  EXPECT_EQ(source.counts.closed, 0);
  cache.reset();
  EXPECT_EQ(source.counts.closed, 2);
}

TEST_F(EngineCacheTest, EnginesMayOutliveTheCache) {
  auto file = cache->open(url_at_root("sqlite:x.db")).value();
  auto memory = cache->open(url_at_root("sqlite::memory:")).value();
  cache.reset();
  EXPECT_EQ(source.counts.closed, 0);
  file.reset();
  memory.reset();
  EXPECT_EQ(source.counts.closed, 2);
}

TEST_F(EngineCacheTest, AFailureIsNotKept) {
  source.failures = 1;
  EXPECT_EQ(cache->open(url_at_root("sqlite:x.db")).error().code(), base::ErrorCode::kUnavailable);
  EXPECT_TRUE(cache->open(url_at_root("sqlite:x.db")).ok());
  EXPECT_EQ(source.counts.opened, 1);
}

TEST_F(EngineCacheTest, DoesNotOpenAnUnidentifiableDatabase) {
  source.identities.emplace_back(base::permission_denied("not yours"));
  EXPECT_EQ(cache->open(url_at_root("sqlite:x.db")).error().message(), "not yours");
  EXPECT_EQ(source.counts.opened, 0);
}

TEST_F(EngineCacheTest, AFileReplacedWhileItIsOpenedIsOpenedAgain) {
  source.identities = {"before", "after", "after", "after"};
  const auto engine = cache->open(url_at_root("sqlite:x.db"));
  EXPECT_TRUE(engine.ok());
  EXPECT_EQ(source.counts.opened, 2);
  EXPECT_EQ(source.counts.closed, 1) << "the engine on the wrong file is still open";
}

TEST_F(EngineCacheTest, AFileReplacedWhileItIsInUseIsNotOpened) {
  source.identities = {"before", "before"};
  auto engine = cache->open(url_at_root("sqlite:x.db")).value();
  EXPECT_EQ(cache->open(url_at_root("sqlite:x.db")).error().code(), base::ErrorCode::kConflict);
  engine.reset();
  EXPECT_TRUE(cache->open(url_at_root("sqlite:x.db")).ok());
  EXPECT_EQ(source.counts.opened, 2);
}

TEST_F(EngineCacheTest, AFileThatVanishesWhileItIsOpenedIsAnError) {
  source.identities = {"x", base::not_found("gone"), base::not_found("gone")};
  EXPECT_EQ(cache->open(url_at_root("sqlite:x.db")).error().message(), "gone");
  EXPECT_EQ(source.counts.closed, source.counts.opened);
}

TEST_F(EngineCacheTest, GivesUpOnAFileThatIsReplacedTimeAndAgain) {
  for (int i = 0; i < 100; ++i) source.identities.emplace_back(std::to_string(i));
  const auto failed = cache->open(url_at_root("sqlite:x.db"));
  EXPECT_EQ(failed.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_EQ(source.counts.closed, source.counts.opened);
}

TEST_F(EngineCacheTest, AStoppedOpeningIsTheLeadersAlone) {
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(cache->open(url_at_root("sqlite:x.db"), stop.token()).error().code(),
            base::ErrorCode::kCancelled);
  EXPECT_TRUE(cache->open(url_at_root("sqlite:x.db")).ok());
}

TEST_F(EngineCacheTest, AStoppedCallerStillGetsWhatIsOpen) {
  const auto engine = cache->open(url_at_root("sqlite:x.db")).value();
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(cache->open(url_at_root("sqlite:x.db"), stop.token()).value(), engine);
}

TEST_F(EngineCacheTest, NothingIsOpenedAfterTheDeadline) {
  base::SimulatedClock clock;
  const auto passed = base::Deadline::after(clock, base::Duration::zero());
  EXPECT_EQ(cache->open(url_at_root("sqlite:x.db"), {}, passed).error().code(),
            base::ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(source.counts.opened, 0);
}

TEST_F(EngineCacheTest, AWaitForAnOpeningCanBeStopped) {
  base::StopSource stop;
  source.during_open = [&] {
    base::Thread waiter("waiter", [&](const base::StopToken&) {
      EXPECT_EQ(cache->open(url_at_root("sqlite:x.db"), stop.token()).error().code(),
                base::ErrorCode::kCancelled);
    });
    stop.request_stop();
    waiter.join();
  };
  EXPECT_TRUE(cache->open(url_at_root("sqlite:x.db")).ok());
}

TEST_F(EngineCacheTest, AWaitForAnOpeningHasADeadline) {
  base::SimulatedClock clock;
  source.during_open = [&] {
    const auto passed = base::Deadline::after(clock, base::Duration::zero());
    EXPECT_EQ(cache->open(url_at_root("sqlite:x.db"), {}, passed).error().code(),
              base::ErrorCode::kDeadlineExceeded);
  };
  EXPECT_TRUE(cache->open(url_at_root("sqlite:x.db")).ok());
}

}  // namespace
}  // namespace clever::storage

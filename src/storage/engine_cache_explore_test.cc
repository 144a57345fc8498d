#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "base/guarded.h"
#include "explore/explore.h"
#include "storage/engine_cache.h"
#include "support/every_schedule.h"
#include "support/idle_engine.h"

namespace clever::storage {
namespace {

DatabaseUrl file_url() { return DatabaseUrl::file("/x.db"); }

// A file system and what is open on it.
struct OpenFiles {
  std::string inode = "1";
  std::map<std::string, int> open;
  int openings = 0;
  int failures = 0;  // so many of the next openings fail
  bool two_at_once = false;
};

class WatchedEngine final : public test::IdleEngine {
 public:
  WatchedEngine(base::Guarded<OpenFiles>& world, std::string inode)
      : world_(world), inode_(std::move(inode)) {
    world_.with([&](OpenFiles& world_now) {
      if (++world_now.open[inode_] > 1) world_now.two_at_once = true;
    });
  }
  ~WatchedEngine() override {
    world_.with([&](OpenFiles& world) { --world.open[inode_]; });
  }
  [[nodiscard]] const std::string& inode() const { return inode_; }

 private:
  base::Guarded<OpenFiles>& world_;
  const std::string inode_;
};

class WatchedSource final : public EngineSource {
 public:
  explicit WatchedSource(base::Guarded<OpenFiles>& world) : world_(world) {}

  base::Result<std::string> identify(const DatabaseUrl& /*url*/) override {
    return world_.with([](const OpenFiles& world) { return world.inode; });
  }
  base::Result<std::unique_ptr<Engine>> open(const DatabaseUrl& /*url*/,
                                             const base::StopToken& stop) override {
    const bool fails = world_.with([](OpenFiles& world) {
      ++world.openings;
      return world.failures > 0 && world.failures-- > 0;
    });
    if (stop.stop_requested()) return base::cancelled("stopped");
    if (fails) return base::unavailable("no answer");
    return std::make_unique<WatchedEngine>(world_, identify(file_url()).value());
  }

 private:
  base::Guarded<OpenFiles>& world_;
};

// Finds an engine that is still held, and opens one otherwise: what a weak pointer suggests.
class NaiveCache {
 public:
  explicit NaiveCache(EngineSource& source) : source_(source) {}

  base::Result<std::shared_ptr<Engine>> open(const DatabaseUrl& asked,
                                             const base::StopToken& stop = {}) {
    if (auto engine = known_.with([](const auto& known) { return known.lock(); })) return engine;
    CLEVER_ASSIGN(auto made, source_.open(asked, stop));
    std::shared_ptr<Engine> engine(std::move(made));
    known_.with([&](auto& known) { known = engine; });
    return engine;
  }

 private:
  EngineSource& source_;
  base::Guarded<std::weak_ptr<Engine>> known_;
};

template <class Cache>
struct Scene {
  base::Guarded<OpenFiles> world;
  WatchedSource source{world};
  Cache cache{source};

  [[nodiscard]] OpenFiles now() const {
    return world.with([](const OpenFiles& w) { return w; });
  }
  void require_no_two_at_once(explore::Run& run) const {
    run.require(!now().two_at_once, "two engines of one file were open at the same time");
  }
};

template <class Cache>
void open_and_let_go(explore::Run& run) {
  Scene<Cache> scene;
  for (const char* name : {"one", "two"}) {
    run.thread(name, [&] { run.require(scene.cache.open(file_url()).ok(), "an open failed"); });
  }
  run.join();
  scene.require_no_two_at_once(run);
  run.require(scene.now().open["1"] == 0, "an engine stayed open");
}

TEST(EngineCacheExplore, AWeakPointerIsNotEnough) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore(test::kEverySchedule, open_and_let_go<NaiveCache>));
}

TEST(EngineCacheExplore, AnOpenWaitsForACloseInProgress) {
  test::expect_no_failing_schedule(open_and_let_go<EngineCache>);
}

using OurScene = Scene<EngineCache>;

TEST(EngineCacheExplore, WaitersGetTheSameEngine) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    OurScene scene;
    std::array<std::shared_ptr<Engine>, 2> engines;
    for (auto& engine : engines) {
      run.thread("caller", [&] { engine = scene.cache.open(file_url()).value(); });
    }
    run.join();
    run.require(engines[0] == engines[1], "two engines");
    run.require(scene.now().openings == 1, "opened twice");
  });
}

TEST(EngineCacheExplore, AFailureReachesOnlyWaitingCallers) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    OurScene scene;
    scene.world.with([](OpenFiles& world) { world.failures = 1; });
    std::array<base::ErrorCode, 2> codes{};
    std::array<bool, 2> failed{};
    for (std::size_t i = 0; i < 2; ++i) {
      run.thread("caller", [&, i] {
        const auto engine = scene.cache.open(file_url());
        failed[i] = !engine.ok();
        if (failed[i]) codes[i] = engine.error().code();
      });
    }
    run.join();
    run.require(failed[0] || failed[1], "no caller got the failure");
    for (std::size_t i = 0; i < 2; ++i) {
      run.require(!failed[i] || codes[i] == base::ErrorCode::kUnavailable, "another error");
    }
    // Both failed: one waited for the other. Otherwise one came later and tried again.
    run.require(scene.now().openings == (failed[0] && failed[1] ? 1 : 2), "a wrong try");
    run.require(scene.cache.open(file_url()).ok(), "the failure was kept");
    scene.require_no_two_at_once(run);
  });
}

TEST(EngineCacheExplore, AStoppedLeaderFailsNoFollower) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    OurScene scene;
    base::StopSource stop;
    run.thread("impatient", [&] { static_cast<void>(scene.cache.open(file_url(), stop.token())); });
    run.thread("patient",
               [&] { run.require(scene.cache.open(file_url()).ok(), "failed with another"); });
    run.thread("stopper", [&] { stop.request_stop(); });
    run.join();
    scene.require_no_two_at_once(run);
  });
}

const std::string& inode_of(const std::shared_ptr<Engine>& engine) {
  return static_cast<const WatchedEngine&>(*engine).inode();
}

// A caller that asks after a file was replaced gets the new one, or learns that the old one is in
// use.
TEST(EngineCacheExplore, AReplacedFileIsNeverHandedOutAsTheOldOne) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    OurScene scene;
    std::array<std::shared_ptr<Engine>, 2> engines;
    run.thread("replacer", [&] { scene.world.with([](OpenFiles& world) { world.inode = "2"; }); });
    for (auto& engine : engines) {
      run.thread("caller", [&] {
        const std::string before = scene.now().inode;
        auto opened = scene.cache.open(file_url());
        if (opened.ok()) engine = *std::move(opened);
        run.require(!engine || before == "1" || inode_of(engine) == "2", "the old file");
        run.require(opened.ok() || opened.error().code() == base::ErrorCode::kConflict, "an error");
      });
    }
    run.join();
    scene.require_no_two_at_once(run);
    run.require(!engines[0] || !engines[1] || engines[0] == engines[1], "old and new were open");
    const auto& held = engines[0] ? engines[0] : engines[1];
    run.require(held != nullptr, "no caller got an engine");
    const auto now = scene.cache.open(file_url());
    run.require(now.ok() ? *now == held && inode_of(*now) == "2" : inode_of(held) == "1",
                "the old file was handed out");
  });
}

TEST(EngineCacheExplore, AHolderMayOutliveTheCache) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    base::Guarded<OpenFiles> world;
    WatchedSource source{world};
    auto cache = std::make_unique<EngineCache>(source);
    auto engine = cache->open(file_url()).value();
    run.thread("holder", [&] { engine.reset(); });
    run.thread("owner", [&] { cache.reset(); });
    run.join();
    run.require(world.with([](OpenFiles& w) { return w.open["1"]; }) == 0, "an engine stayed open");
  });
}

}  // namespace
}  // namespace clever::storage

#include "base/stop_token.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "base/atomic.h"
#include "base/guarded.h"
#include "base/thread.h"
#include "explore/explore.h"
#include "support/every_schedule.h"

namespace clever::base {
namespace {

TEST(StopToken, ADefaultOneNeverStops) {
  const StopToken token;
  EXPECT_FALSE(token.can_stop());
  EXPECT_FALSE(token.stop_requested());
}

TEST(StopSource, OnlyTheFirstRequestMakesTheDifference) {
  StopSource source;
  const StopToken token = source.token();
  EXPECT_TRUE(token.can_stop());
  EXPECT_TRUE(source.request_stop());
  EXPECT_FALSE(source.request_stop());
  EXPECT_TRUE(token.stop_requested());
  EXPECT_TRUE(source.stop_requested());
}

TEST(StopSource, AChildStopsWithItsParentButNotTheOtherWayRound) {
  StopSource parent;
  StopSource child(parent.token());
  StopSource grandchild(child.token());
  child.request_stop();
  EXPECT_FALSE(parent.stop_requested());
  EXPECT_TRUE(grandchild.stop_requested());
  StopSource second(parent.token());
  parent.request_stop();
  EXPECT_TRUE(second.stop_requested());
}

TEST(StopSource, AChildOfAStoppedParentIsBornStopped) {
  StopSource parent;
  parent.request_stop();
  EXPECT_TRUE(StopSource(parent.token()).stop_requested());
  EXPECT_FALSE(StopSource(StopToken{}).stop_requested());
}

TEST(StopCallback, RunsOnceWhenStopped) {
  int calls = 0;
  StopSource source;
  const StopCallback callback(source.token(), [&] { ++calls; });
  EXPECT_EQ(calls, 0);
  source.request_stop();
  source.request_stop();
  EXPECT_EQ(calls, 1);
}

TEST(StopCallback, RunsAtOnceIfAlreadyStopped) {
  int calls = 0;
  StopSource source;
  source.request_stop();
  const StopCallback callback(source.token(), [&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(StopCallback, ADestroyedOneDoesNotRun) {
  int calls = 0;
  StopSource source;
  {
    const StopCallback callback(source.token(), [&] { ++calls; });
  }
  source.request_stop();
  EXPECT_EQ(calls, 0);
}

TEST(StopCallback, MayDestroyItself) {
  StopSource source;
  std::optional<StopCallback> callback;
  callback.emplace(source.token(), [&] { callback.reset(); });
  source.request_stop();
  EXPECT_FALSE(callback.has_value());
}

TEST(StopCallbackDeathTest, AStopUnderALockAborts) {
  StopSource source;
  Guarded<int> value;
  EXPECT_DEATH(value.with([&](int&) { source.request_stop(); }), "requesting a stop");
}

// Looks, then registers: a stop in between is never heard.
struct NaiveStop {
  void on_stop(explore::Racy<bool>& heard) {
    if (stopped.read()) return heard.write(true);
    callback.write(&heard);
  }
  void request() {
    stopped.write(true);
    if (auto* heard = callback.read()) heard->write(true);
  }
  explore::Racy<bool> stopped;
  explore::Racy<explore::Racy<bool>*> callback;
};

TEST(StopTokenExplore, CheckThenRegisterMissesAStop) {
  const auto body = [](explore::Run& run) {
    NaiveStop stop;
    explore::Racy<bool> heard;
    run.thread("listener", [&] { stop.on_stop(heard); });
    run.thread("stopper", [&] { stop.request(); });
    run.join();
    run.require(heard.read(), "the stop was not heard");
  };
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(test::kEverySchedule, body));
}

TEST(StopTokenExplore, ACallbackGetsEveryStopExactlyOnce) {
  const auto body = [](explore::Run& run) {
    StopSource source;
    Atomic<int> heard;
    Atomic<int> made_the_difference;
    std::optional<StopCallback> callback;
    run.thread("listener", [&] { callback.emplace(source.token(), [&] { heard.fetch_add(1); }); });
    for (const char* name : {"stopper 1", "stopper 2"}) {
      run.thread(name, [&] { made_the_difference.fetch_add(source.request_stop() ? 1 : 0); });
    }
    run.join();
    run.require(heard.load() == 1, "heard once");
    run.require(made_the_difference.load() == 1, "one request made the difference");
  };
  test::expect_no_failing_schedule(body);
}

TEST(StopTokenExplore, AfterTheDestructorTheFunctionIsNotRunning) {
  const auto body = [](explore::Run& run) {
    StopSource source;
    Atomic<bool> gone;
    run.thread("owner", [&] {
      {
        const StopCallback callback(source.token(), [&] {
          run.require(!gone.load(), "the function runs after its callback was destroyed");
        });
      }
      gone.store(true);
    });
    run.thread("stopper", [&] { source.request_stop(); });
    run.join();
  };
  test::expect_no_failing_schedule(body);
}

}  // namespace
}  // namespace clever::base

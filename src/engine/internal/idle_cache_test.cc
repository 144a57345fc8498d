#include "engine/internal/idle_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/monitor.h"
#include "engine/thread_scheduler.h"

namespace clever::engine::internal {
namespace {

using std::chrono::minutes;
using ::testing::ElementsAre;

using Log = base::Monitor<std::vector<std::string>>;

/// Says when it is opened and closed.
class Thing {
 public:
  Thing(std::string name, Log& log) : name_(std::move(name)), log_(log) { say("open "); }
  Thing(const Thing&) = delete;
  Thing& operator=(const Thing&) = delete;
  ~Thing() { say("close "); }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  void say(const std::string& what) {
    log_.update([&](auto& log) { log.push_back(what + name_); });
  }
  const std::string name_;
  Log& log_;
};

class IdleCacheTest : public ::testing::Test {
 protected:
  using Things = IdleCache<Thing>;

  Things::Open opener() {
    return [this](const std::string& name,
                  const base::StopToken&) -> base::Result<std::unique_ptr<Thing>> {
      if (name == "gone") return base::not_found("there is none");
      return std::make_unique<Thing>(name, log_);
    };
  }
  void await(std::size_t lines) {
    log_.wait({}, base::Deadline::never(), [&](const auto& log) { return log.size() >= lines; })
        .value();
  }
  std::vector<std::string> log() {
    return log_.read([](const auto& lines) { return lines; });
  }

  base::SimulatedClock clock_;
  Log log_;
  Things* things_ = nullptr;
  ThreadScheduler scheduler_{clock_, {.strands = 1, .blocking = 2, .storing = 1}};
};

TEST_F(IdleCacheTest, OpensOncePerNameAndSharesIt) {
  Things things(scheduler_, {}, opener());
  const auto one = things.get("a").value();
  const auto same = things.get("a").value();
  const auto other = things.get("b").value();
  EXPECT_EQ(one.get(), same.get());
  EXPECT_EQ(other->name(), "b");
  EXPECT_EQ(things.size(), 2U);
  EXPECT_THAT(log(), ElementsAre("open a", "open b"));
}

TEST_F(IdleCacheTest, WhatCannotBeOpenedIsTriedAgainAndHarmsNoOther) {
  Things things(scheduler_, {}, opener());
  const auto used = things.get("a").value();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(things.get("gone").error().code(), base::ErrorCode::kNotFound);
  }
  EXPECT_EQ(things.size(), 1U);
}

TEST_F(IdleCacheTest, IsClosedWhenItWasIdleForLong) {
  Things things(scheduler_, {.idle = minutes(5)}, opener());
  auto one = things.get("a").value();
  const auto kept = things.get("b").value();
  one.reset();
  clock_.advance(minutes(4));
  EXPECT_EQ(things.size(), 2U);
  clock_.advance(minutes(2));
  await(3);
  EXPECT_THAT(log(), ElementsAre("open a", "open b", "close a"));
  EXPECT_EQ(things.get("a").value()->name(), "a");
  EXPECT_THAT(log(), ElementsAre("open a", "open b", "close a", "open a"));
}

TEST_F(IdleCacheTest, AUseBeginsTheTimeAgain) {
  Things things(scheduler_, {.idle = minutes(5)}, opener());
  (void)things.get("a").value();
  clock_.advance(minutes(4));
  (void)things.get("a").value();
  (void)things.get("b").value();
  // The first alarm finds nothing to close and sets the next.
  clock_.advance(minutes(2));
  EXPECT_EQ(things.get("a").value()->name(), "a");
  EXPECT_THAT(log(), ElementsAre("open a", "open b"));
  while (log().size() < 4) clock_.advance(minutes(1));
  EXPECT_EQ(things.size(), 0U);
}

TEST_F(IdleCacheTest, TooManyIdleOnesCloseTheOldestAtOnce) {
  Things things(scheduler_, {.most_idle = 2}, opener());
  for (const char* name : {"a", "b", "c"}) (void)things.get(name).value();
  await(4);
  EXPECT_THAT(log(), ElementsAre("open a", "open b", "open c", "close a"));
}

TEST_F(IdleCacheTest, TheEndClosesWhatIsIdle) {
  {
    EXPECT_TRUE(Things(scheduler_, {}, opener()).get("a").ok());
  }
  EXPECT_THAT(log(), ElementsAre("open a", "close a"));
}

TEST_F(IdleCacheTest, AStopEndsTheWaitingForAnotherThreadsOpening) {
  Things things(scheduler_, {}, [&](const std::string& name, const base::StopToken&) {
    base::StopSource stopped;
    stopped.request_stop();
    // While this opens it, another use of it would wait.
    EXPECT_EQ(things_->get(name, stopped.token()).error().code(), base::ErrorCode::kCancelled);
    return base::Result<std::unique_ptr<Thing>>(std::make_unique<Thing>(name, log_));
  });
  things_ = &things;
  EXPECT_TRUE(things.get("a").ok());
}

}  // namespace
}  // namespace clever::engine::internal

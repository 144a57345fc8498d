#include "provider/governor/governor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "provider/testing/memory_limits.h"
#include "sim/events.h"

namespace clever::provider {
namespace {

using namespace std::chrono_literals;
using base::TimePoint;
using testing::ElementsAre;
using testing::IsEmpty;

class Recorder final : public PlaceWaiter {
 public:
  explicit Recorder(std::vector<std::string>& log, std::string name)
      : log_(log), name_(std::move(name)) {}
  void on_place() override { log_.push_back(name_ + " place"); }
  void on_withdrawn(Withdrawal why) override {
    const char* const names[] = {" patience", " cancelled", " unavailable"};
    log_.push_back(name_ + names[static_cast<std::size_t>(why)]);
  }
  void on_wait(const Wait& wait) override {
    log_.push_back(name_ + " waits: " + std::string(to_string(wait.reason)));
  }

 private:
  std::vector<std::string>& log_;
  const std::string name_;
};

class News final : public CircuitNews {
 public:
  void opened(const LaneKey& lane, TimePoint) override { log.push_back("opened " + lane.name()); }
  void closed(const LaneKey& lane) override { log.push_back("closed " + lane.name()); }
  std::vector<std::string> log;
};

class GovernorTest : public testing::Test {
 protected:
  Ticket acquire(const std::string& name, const PlaceRequest& like = {}) {
    PlaceRequest request = like;
    request.ticket = governor_.new_ticket();
    request.flow = "plan";
    EXPECT_TRUE(lane_->acquire(request, std::make_shared<Recorder>(log_, name)).ok());
    return request.ticket;
  }
  void fail(Ticket ticket, FailureKind kind) { lane_->settle(ticket, {.failure = kind}); }
  std::vector<std::string> log() { return std::exchange(log_, {}); }

  const LaneKey kKey{"a", "a:key", "m"};
  sim::Events events_;
  base::SeededRandom random_{1};
  base::CircuitBreaker circuits_{events_.clock(), random_};
  sim::SimulatedAlarms alarms_{events_};
  News news_;
  Governor governor_{{events_.clock(), random_, circuits_, alarms_, nullptr, &news_}};
  std::shared_ptr<Lane> lane_ = governor_.lane(kKey, {});
  std::vector<std::string> log_;
};

TEST_F(GovernorTest, ALaneIsThereOnce) {
  EXPECT_EQ(governor_.lane(kKey, {}), lane_);
  EXPECT_NE(governor_.lane({"a", "a:other", "m"}, {}), lane_);
  EXPECT_EQ(lane_->key(), kKey);
  EXPECT_EQ(governor_.list().size(), 2U);
}

TEST_F(GovernorTest, TicketsAreDifferent) {
  EXPECT_NE(governor_.new_ticket(), governor_.new_ticket());
}

TEST_F(GovernorTest, NewSettingsReachALaneThatExists) {
  EXPECT_EQ(governor_.list()[0].requests_per_minute, std::nullopt);
  (void)governor_.lane(kKey, {.requests_per_minute = 30, .tokens_per_minute = 500});
  EXPECT_EQ(governor_.list()[0].requests_per_minute, 30);
  EXPECT_EQ(governor_.list()[0].tokens_per_minute, 500);
  (void)governor_.lane(kKey, {.requests_per_minute = 0});
  EXPECT_EQ(governor_.list()[0].requests_per_minute, std::nullopt);
}

TEST_F(GovernorTest, PlacesAreGivenOneAfterTheOther) {
  const Ticket first = acquire("1");
  acquire("2");
  EXPECT_THAT(log(), ElementsAre("1 place"));
  lane_->settle(first, {});
  EXPECT_THAT(log(), ElementsAre("2 place"));
}

TEST_F(GovernorTest, AllWaitersShareOneAlarm) {
  const Ticket first = acquire("1");
  fail(first, FailureKind::kRateLimited);
  for (int i = 0; i < 1000; ++i) acquire("n");
  EXPECT_THAT(log_, ElementsAre("1 place"));
  events_.run_for(2s);
  EXPECT_THAT(log_, ElementsAre("1 place", "n place"));
  EXPECT_LE(alarms_.rung(), 2U);
}

TEST_F(GovernorTest, ReportsWithdrawals) {
  acquire("1");
  acquire("2", {.patience = events_.now() + 7s});
  const Ticket third = acquire("3");
  lane_->cancel(third);
  lane_->cancel(third);
  EXPECT_THAT(log(), ElementsAre("1 place", "3 cancelled"));
  events_.run_for(8s);
  EXPECT_THAT(log(), ElementsAre("2 waits: turn", "2 patience"));
}

TEST_F(GovernorTest, AResetClosesTheCircuitAndCallsContinue) {
  for (int i = 0; i < 3; ++i) {
    fail(acquire("x"), FailureKind::kOverloaded);
    events_.run_for(3s);
  }
  EXPECT_THAT(news_.log, ElementsAre("opened a/m"));
  EXPECT_TRUE(lane_->unavailable_until());
  log();
  acquire("1");
  EXPECT_THAT(log(), testing::Not(testing::Contains("1 place")));
  EXPECT_EQ(governor_.reset("nobody"), 0U);
  EXPECT_EQ(governor_.reset("a"), 1U);
  EXPECT_THAT(log(), ElementsAre("1 place"));
  EXPECT_FALSE(lane_->unavailable_until());
  EXPECT_THAT(news_.log, ElementsAre("opened a/m", "closed a/m"));
}

TEST_F(GovernorTest, ReportsACircuitWhenItOpensAndWhenItCloses) {
  for (int i = 0; i < 3; ++i) {
    fail(acquire("x"), FailureKind::kConnection);
    events_.run_for(3s);
  }
  for (int i = 0; i < 3; ++i) {
    const Ticket probe = acquire("probe");
    events_.run_for(1min);
    fail(probe, FailureKind::kConnection);
  }
  const Ticket probe = acquire("last");
  events_.run_for(3min);
  EXPECT_THAT(news_.log, ElementsAre("opened a/m"));
  lane_->begin(probe);
  EXPECT_THAT(news_.log, ElementsAre("opened a/m", "closed a/m"));
  lane_->settle(probe, {});
  EXPECT_EQ(news_.log.size(), 2U);
}

TEST_F(GovernorTest, RatesAreLearnedWhileAnAnswerComes) {
  const Ticket first = acquire("1");
  RateObservation rates;
  rates.requests.limit = 10;
  lane_->observe(first, rates);
  EXPECT_EQ(lane_->view().requests_per_minute, 10);
  EXPECT_EQ(lane_->view().running, 1U);
}

TEST_F(GovernorTest, ALaneOutlivesItsGovernorQuietly) {
  std::shared_ptr<Lane> lane;
  {
    Governor other({events_.clock(), random_, circuits_, alarms_});
    lane = other.lane({"b", "b", "m"}, {});
    PlaceRequest request;
    request.ticket = other.new_ticket();
    ASSERT_TRUE(lane->acquire(request, std::make_shared<Recorder>(log_, "1")).ok());
    request.ticket = other.new_ticket();
    ASSERT_TRUE(lane->acquire(request, std::make_shared<Recorder>(log_, "2")).ok());
  }
  lane.reset();
  EXPECT_TRUE(events_.run_all());
  EXPECT_THAT(log(), ElementsAre("1 place"));
}

// A store that answers when the test says so.
class SlowLimits final : public SharedLimits {
 public:
  void lease(const LaneKey&, const PerMetered<std::int64_t>&, Done done) override {
    pending.push_back(std::move(done));
  }
  void report(const LaneKey&, const LaneNews& news) override { reports.push_back(news); }
  std::vector<Done> pending;
  std::vector<LaneNews> reports;
};

TEST_F(GovernorTest, SlotsAreLeasedOnceForAllWhoWait) {
  SlowLimits limits;
  Governor governor({events_.clock(), random_, circuits_, alarms_, &limits});
  lane_ = governor.lane({"b", "b", "m"}, {});
  acquire("1");
  acquire("2");
  ASSERT_EQ(limits.pending.size(), 1U);
  EXPECT_THAT(log(), IsEmpty());
  Lease lease;
  lease.known = true;
  limits.pending[0](lease);
  EXPECT_THAT(log(), ElementsAre("1 place"));
  lane_.reset();
}

TEST_F(GovernorTest, ALeaseThatComesTooLateIsIgnored) {
  SlowLimits limits;
  {
    Governor governor({events_.clock(), random_, circuits_, alarms_, &limits});
    lane_ = governor.lane({"b", "b", "m"}, {});
    acquire("1");
    lane_.reset();
  }
  limits.pending.at(0)(Lease{});
  EXPECT_THAT(log(), IsEmpty());
}

TEST(TimerAlarmsTest, RingOnTheExecutor) {
  base::SystemClock clock;
  base::ThreadPool pool({.threads = 1});
  base::TimerQueue timers(clock);
  TimerAlarms alarms(timers, pool);
  base::Monitor<int> rung;
  const auto alarm = alarms.make([&] { rung.update([](int& count) { ++count; }); });
  alarm->set(clock.now() + 1h);
  alarm->set(clock.now());
  EXPECT_TRUE(rung.wait({}, base::Deadline::never(), [](int count) { return count == 1; }).ok());
  EXPECT_EQ(timers.size(), 0U);
}

TEST(TimerAlarmsTest, WithoutATimerTheyRingEarly) {
  base::SystemClock clock;
  base::ThreadPool pool({.threads = 1});
  base::TimerQueue timers(clock, {.limit = 0});
  TimerAlarms alarms(timers, pool);
  base::Monitor<int> rung;
  const auto alarm = alarms.make([&] { rung.update([](int& count) { ++count; }); });
  alarm->set(clock.now() + 1h);
  EXPECT_TRUE(rung.wait({}, base::Deadline::never(), [](int count) { return count == 1; }).ok());
}

}  // namespace
}  // namespace clever::provider

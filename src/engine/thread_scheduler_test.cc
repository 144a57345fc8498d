#include "engine/thread_scheduler.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/monitor.h"

namespace clever::engine {
namespace {

using SeenNumbers = base::Monitor<std::vector<int>>;

void wait_for_numbers(SeenNumbers& seen, std::size_t count) {
  seen.wait({}, base::Deadline::never(), [&](const auto& all) { return all.size() >= count; })
      .value();
}

TEST(ThreadSchedulerTest, AStrandKeepsItsOrder) {
  base::SystemClock clock;
  ThreadScheduler scheduler(clock, {.strands = 4, .blocking = 1});
  SeenNumbers seen;
  const auto strand = scheduler.make_strand();
  std::vector<int> expected;
  for (int i = 0; i < 100; ++i) {
    expected.push_back(i);
    ASSERT_TRUE(
        strand->post([&seen, i] { seen.update([&](auto& all) { all.push_back(i); }); }).ok());
  }
  wait_for_numbers(seen, 100);
  EXPECT_EQ(seen.read([](const auto& all) { return all; }), expected);
}

TEST(ThreadSchedulerTest, TheStoreDoesNotWaitBehindATool) {
  base::SystemClock clock;
  ThreadScheduler scheduler(clock, {.strands = 1, .blocking = 1, .storing = 1});
  SeenNumbers seen;
  ASSERT_TRUE(scheduler.blocking().post([&] { wait_for_numbers(seen, 1); }).ok());
  ASSERT_TRUE(
      scheduler.storing().post([&] { seen.update([](auto& all) { all.push_back(1); }); }).ok());
  wait_for_numbers(seen, 1);
}

TEST(ThreadSchedulerTest, AnAlarmRingsWhenItIsDueUnlessItWasCancelled) {
  base::SimulatedClock clock;
  ThreadScheduler scheduler(clock, {.strands = 1, .blocking = 1});
  SeenNumbers seen;
  const auto ring = [&](int number) {
    return [&seen, number] { seen.update([&](auto& all) { all.push_back(number); }); };
  };
  auto cancelled =
      scheduler.at(clock.now() + std::chrono::seconds(1), scheduler.storing(), ring(1));
  const auto kept =
      scheduler.at(clock.now() + std::chrono::seconds(2), scheduler.storing(), ring(2));
  cancelled.reset();
  clock.advance(std::chrono::seconds(3));
  wait_for_numbers(seen, 1);
  EXPECT_EQ(seen.read([](const auto& all) { return all; }), std::vector{2});
}

TEST(ThreadSchedulerTest, BeyondTheMostAlarmsTheyRingAtOnce) {
  base::SimulatedClock clock;
  ThreadScheduler scheduler(clock, {.strands = 1, .blocking = 1, .alarms = 1});
  SeenNumbers seen;
  const auto nothing =
      scheduler.at(clock.now() + std::chrono::hours(1), scheduler.storing(), [] {});
  const auto early = scheduler.at(clock.now() + std::chrono::hours(1), scheduler.storing(),
                                  [&] { seen.update([](auto& all) { all.push_back(1); }); });
  wait_for_numbers(seen, 1);
  EXPECT_EQ(&scheduler.clock(), &clock);
}

}  // namespace
}  // namespace clever::engine

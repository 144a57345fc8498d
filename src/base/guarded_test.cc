#include "base/guarded.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/atomic.h"
#include "explore/explore.h"
#include "support/every_schedule.h"

namespace clever::base {
namespace {

TEST(Guarded, RunsTheFunctionOnTheValueAndReturnsItsResult) {
  Guarded<std::string> text(std::in_place, "ab");
  EXPECT_EQ(text.with([](std::string& value) { return (value += "c").size(); }), 3U);
  const auto& constant = text;
  EXPECT_EQ(constant.with([](const std::string& value) { return value; }), "abc");
}

TEST(Guarded, HoldsTypesThatCannotBeMoved) {
  struct Fixed {
    explicit Fixed(int v) : value(v) {}
    Fixed(const Fixed&) = delete;
    int value;
  };
  Guarded<Fixed> fixed(std::in_place, 7);
  EXPECT_EQ(fixed.with([](Fixed& f) { return f.value; }), 7);
}

TEST(Guarded, MovesAResultOut) {
  Guarded<std::unique_ptr<int>> owner(std::in_place, std::make_unique<int>(5));
  const std::unique_ptr<int> taken =
      owner.with([](std::unique_ptr<int>& p) { return std::move(p); });
  EXPECT_EQ(*taken, 5);
}

TEST(GuardedDeathTest, EnteringItAgainFromItsOwnLambdaAborts) {
  Guarded<int> value;
  EXPECT_DEATH(value.with([&](int&) { value.with([](int&) {}); }), "lock order");
}

TEST(GuardedDeathTest, ALowerRankUnderAHigherAborts) {
  Guarded<int, LockRank::kLeaf> inner;
  Guarded<int, LockRank::kComponent> outer;
  outer.with([&](int&) { inner.with([](int&) {}); });
  EXPECT_DEATH(inner.with([&](int&) { outer.with([](int&) {}); }), "take the lower rank first");
}

template <class Increment>
auto counting_body(Increment increment) {
  return [increment](explore::Run& run) {
    auto counter = increment();
    for (const char* name : {"a", "b", "c"}) run.thread(name, [&] { counter.add(); });
    run.join();
    run.require(counter.total() == 3, "a count was lost");
  };
}

struct NaiveCounter {
  void add() { value.write(value.read() + 1); }
  [[nodiscard]] int total() const { return value.read(); }
  explore::Racy<int> value;
};

struct GuardedCounter {
  void add() {
    value.with([](int& v) { ++v; });
  }
  [[nodiscard]] int total() const {
    return value.with([](int v) { return v; });
  }
  Guarded<int> value;
};

struct AtomicCounter {
  void add() { value.fetch_add(1); }
  [[nodiscard]] int total() const { return value.load(); }
  Atomic<int> value;  // publishes nothing but itself
};

TEST(GuardedExplore, APlainCounterLosesCounts) {
  EXPECT_FINDS(
      explore::Failure::kCheck,
      explore::explore(test::kEverySchedule, counting_body([] { return NaiveCounter{}; })));
}

TEST(GuardedExplore, AGuardedCounterLosesNone) {
  test::expect_no_failing_schedule(counting_body([] { return GuardedCounter{}; }));
}

TEST(GuardedExplore, AnAtomicCounterLosesNone) {
  test::expect_no_failing_schedule(counting_body([] { return AtomicCounter{}; }));
}

TEST(Atomic, DoesWhatStdAtomicDoes) {
  Atomic<int> value(5);
  EXPECT_EQ(value.exchange(6), 5);
  EXPECT_EQ(value.fetch_add(2), 6);
  EXPECT_EQ(value.fetch_sub(1), 8);
  int expected = 1;
  EXPECT_FALSE(value.compare_exchange(expected, 9));
  EXPECT_EQ(expected, 7);
  EXPECT_TRUE(value.compare_exchange(expected, 9));
  value.store(value.load() + 1);
  EXPECT_EQ(value.load(), 10);
}

}  // namespace
}  // namespace clever::base

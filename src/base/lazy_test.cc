#include "base/lazy.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/atomic.h"
#include "explore/explore.h"
#include "support/every_schedule.h"

namespace clever::base {
namespace {

using explore::Run;

TEST(Lazy, MakesNothingBeforeItIsAsked) {
  int made = 0;
  Lazy<int> lazy;
  EXPECT_EQ(made, 0);
  EXPECT_EQ(lazy.get([&] { return std::make_unique<int>(++made); }), 1);
}

TEST(Lazy, MakesItOnce) {
  int made = 0;
  Lazy<int> lazy;
  const auto make = [&] { return std::make_unique<int>(++made); };
  const int& first = lazy.get(make);
  EXPECT_EQ(&lazy.get(make), &first);
  EXPECT_EQ(made, 1);
}

TEST(Lazy, TriesAgainAfterAnError) {
  Lazy<int> lazy;
  using Made = Result<std::unique_ptr<int>>;
  EXPECT_EQ(lazy.try_get([] { return Made(unavailable("not yet")); }).error().message(), "not yet");
  EXPECT_EQ(*lazy.try_get([] { return Made(std::make_unique<int>(7)); }).value(), 7);
}

TEST(Lazy, TriesAgainAfterAnException) {
  Lazy<int> lazy;
  const auto throwing = []() -> std::unique_ptr<int> { throw std::runtime_error("no memory"); };
  EXPECT_THROW(static_cast<void>(lazy.get(throwing)), std::runtime_error);
  EXPECT_EQ(lazy.get([] { return std::make_unique<int>(7); }), 7);
}

TEST(Lazy, AValueMayOutliveIt) {
  std::shared_ptr<int> kept;
  {
    Lazy<int> lazy;
    kept = lazy.try_get([] { return std::make_unique<int>(7); }).value();
  }
  EXPECT_EQ(*kept, 7);
}

// ---- in every order

// Looks whether it is there and makes it, without holding anything in between.
class NaiveLazy {
 public:
  template <class Make>
  int& get(Make&& make) {
    if (!made_.read()) {
      value_ = make();
      made_.write(true);
    }
    return *value_;
  }

 private:
  explore::Racy<bool> made_;
  std::unique_ptr<int> value_;
};

template <class L>
void asked_by_two(Run& run) {
  L lazy;
  Atomic<int> made{0};  // how often it was made
  for (const auto* name : {"first", "second"}) {
    run.thread(name, [&] {
      const int value = lazy.get([&] { return std::make_unique<int>(made.fetch_add(1) + 1); });
      run.require(value == 1, "a caller got another value");
    });
  }
  run.join();
  run.require(made.load() == 1, "it was made twice");
}

TEST(LazyExplore, LookingBeforeMakingMakesItTwice) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore(test::kEverySchedule, asked_by_two<NaiveLazy>));
}

TEST(LazyExplore, ALazyMakesItOnce) { test::expect_no_failing_schedule(asked_by_two<Lazy<int>>); }

// Who waits for a maker that fails must not wait forever.
void first_fails(Run& run) {
  Lazy<int> lazy;
  Atomic<int> tries{0};    // of making it
  Atomic<int> answers{0};  // that were the value
  for (const auto* name : {"first", "second"}) {
    run.thread(name, [&] {
      const auto value = lazy.try_get([&]() -> Result<std::unique_ptr<int>> {
        if (tries.fetch_add(1) == 0) return unavailable("not yet");
        return std::make_unique<int>(7);
      });
      if (value.ok()) answers.fetch_add(1);
    });
  }
  run.join();
  run.require(answers.load() == 1 && tries.load() == 2, "a failure was not tried again");
}

TEST(LazyExplore, AFailureIsTriedAgainByTheNext) { test::expect_no_failing_schedule(first_fails); }

}  // namespace
}  // namespace clever::base

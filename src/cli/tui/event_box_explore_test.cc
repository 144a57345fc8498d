#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "cli/tui/event_box.h"
#include "explore/explore.h"

namespace clever::cli {
namespace {

using explore::Run;
using explore::Strategy;

constexpr int kPosters = 2;
constexpr int kEvents = 2;

/// A bell: rung by posters, waited for by the one who draws.
class Woken {
 public:
  void ring() {
    rung_.update([](bool& rung) { rung = true; });
  }
  void wait() {
    static_cast<void>(
        rung_
            .update_when(
                {}, [](const bool& rung) { return rung; }, [](bool& rung) { rung = false; })
            .ok());
  }

 private:
  base::Monitor<bool> rung_;
};

/// Wakes before there is something to find.
class NaiveBox {
 public:
  explicit NaiveBox(std::function<void()> wake) : wake_(std::move(wake)) {}
  void post(int event) {
    wake_();
    events_.with([&](std::vector<int>& events) { events.push_back(event); });
  }
  std::vector<int> take() {
    return events_.with([](std::vector<int>& events) { return std::exchange(events, {}); });
  }

 private:
  const std::function<void()> wake_;
  base::Guarded<std::vector<int>> events_;
};

// A reader that waits for the bell and then looks sees everything, or waits for ever, which the
// explorer notices.
template <class Box>
void post_and_draw(Run& run, Box& box, Woken& woken) {
  for (int poster = 0; poster < kPosters; ++poster) {
    run.thread("poster " + std::to_string(poster), [&box, poster] {
      for (int i = 0; i < kEvents; ++i) box.post(poster * kEvents + i);
    });
  }
  run.thread("drawer", [&] {
    std::vector<int> seen;
    while (seen.size() < std::size_t{kPosters} * kEvents) {
      woken.wait();
      for (const int event : box.take()) seen.push_back(event);
    }
  });
  run.join();
}

void drive_event_box(Run& run) {
  Woken woken;
  EventBox<int> box([&] { woken.ring(); }, [](int, int) { return false; });
  post_and_draw(run, box, woken);
}

void drive_naive_box(Run& run) {
  Woken woken;
  NaiveBox box([&] { woken.ring(); });
  post_and_draw(run, box, woken);
}

TEST(EventBoxExploreTest, NoNewsAreMissed) {
  for (const Strategy strategy : {Strategy::kRandom, Strategy::kPct}) {
    const auto outcome =
        explore::explore({.strategy = strategy, .schedules = 2000}, drive_event_box);
    EXPECT_FALSE(outcome.failed()) << outcome;
  }
}

TEST(EventBoxExploreTest, WakingTooEarlyIsFound) {
  const auto outcome =
      explore::explore({.strategy = Strategy::kRandom, .schedules = 2000}, drive_naive_box);
  EXPECT_EQ(outcome.failure, explore::Failure::kLostWakeUp) << outcome;
}

}  // namespace
}  // namespace clever::cli

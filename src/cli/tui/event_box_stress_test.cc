#include <gtest/gtest.h>

#include "base/monitor.h"
#include "base/thread.h"
#include "cli/tui/event_box.h"
#include "support/campaign.h"
#include "support/together.h"

namespace clever::cli {
namespace {

// Many post while one takes: nothing is lost, and those of one stay in their order.
TEST(EventBoxStressTest, ManyPostWhileOneTakes) {
  constexpr int kPosters = 8;
  const auto events = static_cast<int>(test::campaign(500, 20'000));
  base::Monitor<bool> rung;
  EventBox<std::pair<int, int>> box([&] { rung.update([](bool& is) { is = true; }); },
                                    [](const auto&, const auto&) { return false; });
  std::vector<int> next(kPosters, 0);
  {
    base::Thread taker("taker", [&](const base::StopToken& stop) {
      int seen = 0;
      while (seen < kPosters * events) {
        const auto woken =
            rung.update_when(stop, [](const bool& is) { return is; }, [](bool& is) { is = false; });
        if (!woken.ok()) return;
        for (const auto& [poster, number] : box.take()) {
          EXPECT_EQ(number, next[static_cast<std::size_t>(poster)]++);
          ++seen;
        }
      }
    });
    test::together(kPosters, [&](int poster) {
      for (int i = 0; i < events; ++i) box.post({poster, i});
    });
    taker.join();
  }
  for (const int count : next) EXPECT_EQ(count, events);
}

}  // namespace
}  // namespace clever::cli

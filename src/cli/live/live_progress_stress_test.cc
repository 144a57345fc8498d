#include <gtest/gtest.h>

#include "base/guarded.h"
#include "cli/live/live_progress.h"
#include "support/campaign.h"
#include "support/shown_plans.h"
#include "support/together.h"

namespace clever::cli {
namespace {

// Many plans report at once while the block is drawn, paused and resumed.
TEST(LiveProgressStressTest, ManyPlansReportAtOnce) {
  constexpr int kPlans = 32;
  const std::size_t rounds = test::campaign(200, 5000);
  base::SystemClock clock;
  base::Guarded<std::size_t> written;
  Screen screen;
  screen.error_is_terminal = true;
  screen.error_output = [&written](std::string_view text) -> base::Result<void> {
    written.with([&](std::size_t& bytes) { bytes += text.size(); });
    return {};
  };
  {
    LiveProgress progress(screen, clock, {});
    progress.on_events(test::working_plan(0, "Root"), {});
    test::together(kPlans, [&](int index) {
      const auto plan = static_cast<std::uint8_t>(index + 1);
      const model::PlanId id = test::plan_number(plan);
      for (std::size_t i = 0; i < rounds; ++i) {
        if (index == 0 && i % 50 == 0) {
          progress.pause();
          progress.resume();
        }
        progress.on_events(test::working_plan(plan, "Part", test::plan_number(0)), {});
        progress.on_tool(id, "read_file", true);
        progress.on_text(test::plan_number(0), "text\n", false);
        progress.on_wait(id, {.sentence = "a moment"});
        progress.on_tool(id, "read_file", false);
        progress.on_restart(id);
      }
    });
  }
  EXPECT_GT(written.with([](std::size_t bytes) { return bytes; }), 0U);
}

}  // namespace
}  // namespace clever::cli

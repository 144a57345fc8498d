#include <gtest/gtest.h>

#include <array>

#include "base/guarded.h"
#include "cli/live/live_progress.h"
#include "explore/explore.h"
#include "support/shown_plans.h"

namespace clever::cli {
namespace {

using explore::Options;
using explore::Run;
using explore::Strategy;

constexpr int kCalls = 2;

// Two plans call tools, each on a thread of its own.
template <class Progress>
void call_tools(Run& run, Progress& progress) {
  for (const std::uint8_t plan : std::array<std::uint8_t, 2>{1, 2}) {
    run.thread("plan " + std::to_string(plan), [&progress, plan] {
      for (int i = 0; i < kCalls; ++i) {
        progress.on_tool(test::plan_number(plan),
                         "call " + std::to_string(plan) + "." + std::to_string(i), true);
      }
    });
  }
  run.join();
}

// Every call is written once, those of one plan in order.
void check_written(Run& run, const std::string& written) {
  for (const int plan : {1, 2}) {
    std::size_t last = 0;
    for (int i = 0; i < kCalls; ++i) {
      const std::string line = "call " + std::to_string(plan) + "." + std::to_string(i) + "\n";
      const std::size_t at = written.find(line);
      run.require(at != std::string::npos, "a line is lost");
      run.require(written.find(line, at + 1) == std::string::npos, "a line is there twice");
      run.require(at >= last, "lines of one plan are out of order");
      last = at;
    }
  }
}

void drive_progress(Run& run) {
  base::SystemClock clock;
  base::Guarded<std::string> written;
  Screen screen;
  screen.error_output = [&written](std::string_view text) -> base::Result<void> {
    written.with([&](std::string& all) { all.append(text); });
    return {};
  };
  {
    LiveProgress progress(screen, clock, {});
    call_tools(run, progress);
  }
  check_written(run, written.with([](const std::string& all) { return all; }));
}

TEST(LiveProgressExploreTest, EveryLineIsWrittenOnce) {
  for (const Strategy strategy : {Strategy::kRandom, Strategy::kPct}) {
    const auto outcome =
        explore::explore({.strategy = strategy, .schedules = 2000}, drive_progress);
    EXPECT_FALSE(outcome.failed()) << outcome;
  }
}

// What it would be to read the words under one hold of the lock, and to forget them under another.
class NaiveProgress {
 public:
  explicit NaiveProgress(std::string& written) : written_(written) {}

  void on_tool(const model::PlanId& plan, const std::string& call, bool begins) {
    model_.with([&](ProgressModel& model) { model.on_tool(plan, call, begins); });
  }
  void write() {
    ProgressModel seen = model_.with([](const ProgressModel& model) { return model; });
    for (const ProgressWords& words : seen.take_words()) written_ += words.text + "\n";
    model_.with([](ProgressModel& model) { static_cast<void>(model.take_words()); });
  }

 private:
  base::Guarded<ProgressModel> model_;
  std::string& written_;
};

void drive_naive_progress(Run& run) {
  std::string written;
  NaiveProgress progress(written);
  run.thread("writer", [&progress] {
    for (int i = 0; i < 2; ++i) progress.write();
  });
  call_tools(run, progress);
  progress.write();
  check_written(run, written);
}

TEST(LiveProgressExploreTest, FindsWhatTheNaiveOneLoses) {
  const auto outcome =
      explore::explore({.strategy = Strategy::kRandom, .schedules = 2000}, drive_naive_progress);
  EXPECT_EQ(outcome.failure, explore::Failure::kCheck);
  EXPECT_EQ(outcome.reason, "a line is lost");
}

}  // namespace
}  // namespace clever::cli

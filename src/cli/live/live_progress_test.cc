#include "cli/live/live_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/monitor.h"
#include "support/shown_plans.h"

namespace clever::cli {
namespace {

using test::plan_number;
using test::with_effect;
using test::working_plan;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Keeps what is written, and lets a test wait for it.
class Paper {
 public:
  Screen screen(bool terminal) {
    Screen screen;
    screen.error_is_terminal = terminal;
    screen.error_look = {.color = false, .unicode = true, .width = 80};
    screen.size = [this] { return size; };
    screen.error_output = [this](std::string_view text) -> base::Result<void> {
      written_.update([&](std::string& all) { all.append(text); });
      return outcome;
    };
    return screen;
  }

  std::string wait_for(std::string_view text) {
    static_cast<void>(written_.wait({}, base::Deadline::never(), [&](const std::string& all) {
      return all.find(text) != std::string::npos;
    }));
    return all();
  }
  std::string all() const {
    return written_.read([](const std::string& text) { return text; });
  }

  io::TerminalSize size{.columns = 80, .rows = 24};
  base::Result<void> outcome{};

 private:
  base::Monitor<std::string> written_;
};

TEST(LiveProgressTest, InAPipeWritesPlainLines) {
  Paper paper;
  base::SystemClock clock;
  {
    LiveProgress progress(paper.screen(false), clock, {});
    progress.on_events(working_plan(1, "Fix it"), {});
    progress.on_tool(plan_number(1), "read_file a.cc", true);
    progress.on_text(plan_number(1), "I see the", false);
    progress.on_text(plan_number(1), " bug\nand", false);
    progress.on_wait(plan_number(1), {.sentence = "a pause"});
    progress.on_text(plan_number(1), "the end", false);
  }
  EXPECT_EQ(paper.all(), "plan " + plan_number(1).to_string() +
                             ": Fix it\nexecute\nread_file a.cc\n> I see the bug\n> and\na pause\n"
                             "> the end\n");
}

TEST(LiveProgressTest, IsSilentForProgramsAndWhenQuiet) {
  Paper paper;
  base::SystemClock clock;
  for (const bool quiet : {false, true}) {
    Screen screen = paper.screen(true);
    screen.quiet = quiet;
    if (!quiet) screen.format = Format::kJson;
    LiveProgress progress(screen, clock, {});
    progress.on_events(working_plan(1, "Fix it"), {});
    progress.on_tool(plan_number(1), "read_file a.cc", true);
    progress.on_text(plan_number(1), "text\n", false);
    progress.on_restart(plan_number(1));
    progress.on_wait(plan_number(1), {.sentence = "why"});
  }
  EXPECT_EQ(paper.all(), "");
}

TEST(LiveProgressTest, AtATerminalDrawsABlockAndTakesItAway) {
  Paper paper;
  base::SystemClock clock;
  {
    LiveProgress progress(paper.screen(true), clock, {});
    progress.on_events(working_plan(1, "Fix it"), {});
    progress.on_tool(plan_number(1), "read_file a.cc", true);
    paper.wait_for("read_file a.cc");
    progress.on_text(plan_number(1), "I see.", false);
    paper.wait_for("I see.");
    progress.on_restart(plan_number(1));
    paper.wait_for("starts over");
  }
  const std::string written = paper.all();
  EXPECT_THAT(written, AllOf(HasSubstr("Fix it  "), HasSubstr("\x1b[1A"), HasSubstr("\x1b[K\n"),
                             HasSubstr("\x1b[J")));
  EXPECT_THAT(written, Not(HasSubstr("\x1b[?25l"))) << "the cursor is never hidden";
}

TEST(LiveProgressTest, RedrawsWithTime) {
  Paper paper;
  base::SimulatedClock clock;
  LiveProgress progress(paper.screen(true), clock, {});
  progress.on_events(with_effect(working_plan(1, "Fix it"), plan::EffectKind::kModel), {});
  while (clock.waiters() == 0) std::this_thread::yield();
  clock.advance(std::chrono::seconds{1});
  EXPECT_THAT(paper.wait_for(" 1s"), HasSubstr("Fix it"));
}

TEST(LiveProgressTest, StaysWithinTheTerminal) {
  Paper paper;
  paper.size = {.columns = 60, .rows = 10};
  base::SystemClock clock;
  {
    LiveProgress progress(paper.screen(true), clock, {});
    progress.on_events(working_plan(1, "Root"), {});
    for (std::uint8_t i = 2; i < 40; ++i) {
      progress.on_events(working_plan(i, "Part", plan_number(1)), {});
    }
    paper.wait_for("… and 33 more");
  }
  EXPECT_THAT(paper.all(), Not(HasSubstr("\x1b[10A")));
}

TEST(LiveProgressTest, ATerminalOfOneRowIsEnough) {
  Paper paper;
  paper.size = {.columns = 1, .rows = 1};
  base::SystemClock clock;
  LiveProgress progress(paper.screen(true), clock, {});
  progress.on_events(working_plan(1, "Root"), {});
  progress.on_text(plan_number(1), "ab", false);
  paper.wait_for("a");
}

TEST(LiveProgressTest, ADumbTerminalGetsLines) {
  Paper paper;
  base::SystemClock clock;
  {
    LiveProgress progress(paper.screen(true), clock, {.dumb = true});
    progress.on_events(working_plan(1, "Fix it"), {});
  }
  EXPECT_THAT(paper.all(), AllOf(HasSubstr("Fix it\n"), Not(HasSubstr("\x1b"))));
}

TEST(LiveProgressTest, SaysNothingWhilePaused) {
  Paper paper;
  base::SystemClock clock;
  LiveProgress progress(paper.screen(true), clock, {});
  progress.on_events(working_plan(1, "Fix it"), {});
  paper.wait_for("Fix it");
  progress.pause();
  const std::string before = paper.all();
  progress.on_text(plan_number(1), "meanwhile\n", false);
  progress.pause();
  EXPECT_EQ(paper.all(), before);
  progress.resume();
  paper.wait_for("meanwhile");
}

TEST(LiveProgressTest, ATerminalThatTakesNoTextIsIgnored) {
  Paper paper;
  paper.outcome = base::unavailable("gone");
  base::SystemClock clock;
  LiveProgress progress(paper.screen(false), clock, {});
  progress.on_events(working_plan(1, "Fix it"), {});
  paper.wait_for("Fix it");
}

}  // namespace
}  // namespace clever::cli

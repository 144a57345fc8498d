#include "cli/tui/tui_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "cli/tui/key_decoder.h"
#include "io/file.h"
#include "support/built_paths.h"
#include "support/shown_plans.h"
#include "support/typed_keys.h"

namespace clever::cli {
namespace {

using test::type_into;
using testing::HasSubstr;

TuiPlan tui_plan(std::uint8_t number, std::string title, std::string phase, std::string state) {
  return {.id = test::plan_number(number),
          .title = std::move(title),
          .phase = std::move(phase),
          .state = std::move(state)};
}

// Four plans of a morning; the one that asks is chosen.
TuiModel morning(io::TerminalSize size) {
  TuiModel model(size, "/project/compiler");
  TuiPlan asks = tui_plan(4, "Publish the release notes", "execute", "waiting");
  asks.cost = 42'000;
  asks.reason = "tools wait for approval";
  asks.approval = TuiApproval{.number = 1,
                              .subject = "tools",
                              .items = {"run_command git push origin main  (the settings ask)"}};
  TuiPlan works = tui_plan(3, "Port the parser to the new lexer", "execute", "processing");
  works.cost = 1'250'000;
  TuiPlan ready = tui_plan(2, "Größe der Tabelle 漢字 prüfen", "execute", "complete");
  ready.digest = "3f9a1c02aabbccdd";
  static_cast<void>(model.update(
      TuiPlans{{works, asks, ready, tui_plan(1, "Fix the build", "apply", "applied")}}));
  TuiDetail detail{.plan = test::plan_number(4)};
  detail.tree = {
      {.status = WorkStatus::kDone, .text = "Gather the changes", .note = "12 commits"},
      {.status = WorkStatus::kWorking, .text = "Write the notes", .note = "execute/processing"},
      {.depth = 1, .status = WorkStatus::kDone, .text = "English"},
      {.depth = 1, .status = WorkStatus::kFailed, .text = "German", .note = "no dictionary"},
      {.status = WorkStatus::kQueued, .text = "Publish"},
      {.text = "decisions", .tone = Tone::kStrong},
      {.depth = 1,
       .text = "strategy_choice",
       .note = "One page per language",
       .tone = Tone::kAccent}};
  detail.stream = {{"Publish the release notes: 3 steps", Tone::kAccent},
                   {"I gather what changed since the last release, and write a page of it."},
                   {"read_file CHANGES.md", Tone::kDim},
                   {"execute waiting: tools wait for approval", Tone::kWarn}};
  detail.diff = {{"diff --git a/NOTES.md b/NOTES.md", Tone::kStrong},
                 {"@@ -1,2 +1,3 @@", Tone::kAccent},
                 {" # Notes"},
                 {"-Nothing yet.", Tone::kBad},
                 {"+Faster, and in two languages.", Tone::kGood}};
  static_cast<void>(model.update(detail));
  return model;
}

std::string screen_text(const TuiModel& model) {
  CellScreen screen(model.size());
  draw(model, screen);
  return "\n" + screen.text();
}

// Against src/cli/tui/golden/NAME; where CLEVER_REWRITE_SCREENS is set, what came is written there.
void check_screen(const std::string& name, const TuiModel& model) {
  const std::filesystem::path file = test::source_root() / "src/cli/tui/golden" / (name + ".txt");
  const std::string screen = screen_text(model).substr(1);
  if (std::getenv("CLEVER_REWRITE_SCREENS") != nullptr) {
    ASSERT_TRUE(io::write_file_atomically(file, screen, 0644).ok());
  }
  EXPECT_EQ(screen, io::read_file(file).value()) << name;
}

constexpr io::TerminalSize kUsual{.columns = 80, .rows = 24};
constexpr io::TerminalSize kLarge{.columns = 120, .rows = 40};
constexpr io::TerminalSize kSmall{.columns = 40, .rows = 10};

TEST(TuiViewTest, Trees) {
  check_screen("tree_80x24", morning(kUsual));
  check_screen("tree_120x40", morning(kLarge));
}

TEST(TuiViewTest, ListOnASmallScreen) { check_screen("list_40x10", morning(kSmall)); }

TEST(TuiViewTest, PaneOnASmallScreen) {
  TuiModel model = morning(kSmall);
  type_into(model, "\r2");
  check_screen("stream_40x10", model);
}

TEST(TuiViewTest, Streams) {
  TuiModel model = morning(kUsual);
  type_into(model, "2");
  check_screen("stream_80x24", model);
}

TEST(TuiViewTest, Diffs) {
  TuiModel model = morning(kUsual);
  type_into(model, "3");
  check_screen("diff_80x24", model);
  TuiModel large = morning(kLarge);
  type_into(large, "3\r");
  check_screen("diff_120x40", large);
}

TEST(TuiViewTest, Help) {
  TuiModel model = morning(kUsual);
  type_into(model, "?");
  check_screen("help_80x24", model);
}

TEST(TuiViewTest, Questions) {
  TuiModel model = morning(kUsual);
  type_into(model, "c");
  EXPECT_THAT(screen_text(model), HasSubstr("\n Cancel it for good? y/n\n"));
}

TEST(TuiViewTest, WhatIsTyped) {
  TuiModel model = morning(kUsual);
  type_into(model, "pAlso in Fr");
  CellScreen screen(model.size());
  draw(model, screen);
  EXPECT_THAT(screen.text(), HasSubstr("\n say: Also in Fr\n"));
  EXPECT_THAT(screen.flush(), HasSubstr("\x1b[23;17H\x1b[?25h"));
}

TEST(TuiViewTest, WhatIsSaid) {
  TuiModel model = morning(kUsual);
  static_cast<void>(model.update(TuiSaid{"approved", Tone::kGood}));
  EXPECT_THAT(screen_text(model), HasSubstr("\n approved\n"));
}

TEST(TuiViewTest, WithoutPlans) {
  TuiModel model(kUsual, "/project");
  EXPECT_THAT(screen_text(model), testing::Not(HasSubstr("no plan"))) << "nobody knows yet";
  static_cast<void>(model.update(TuiPlans{}));
  EXPECT_THAT(screen_text(model), HasSubstr("No plan yet"));
}

TEST(TuiViewTest, TooSmallIsSaid) {
  const TuiModel model = morning({.columns = 20, .rows = 5});
  EXPECT_EQ(screen_text(model), "\ntoo small: 20x5, at\nleast 30x6 (q quits)\n\n\n\n");
}

TEST(TuiViewTest, WithoutUnicodeSymbolsAreAscii) {
  TuiModel model(kUsual, "/project", false);
  static_cast<void>(model.update(TuiPlans{
      {tui_plan(1, "Fix it", "execute", "processing"), tui_plan(2, "Ask", "execute", "waiting"),
       tui_plan(3, "Done", "execute", "complete"), tui_plan(4, "Failed", "execute", "errored"),
       tui_plan(5, "Queued", "execute", "queued")}}));
  const std::string text = screen_text(model);
  for (const char byte : text) ASSERT_GE(byte, 0);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("* Fix it"), HasSubstr("? Ask"), HasSubstr("+ Done"),
                                   HasSubstr("x Failed"), HasSubstr(". Queued")));
}

TEST(TuiViewTest, TheChosenPlanIsAlwaysInSight) {
  TuiModel model(kSmall, "/project");
  TuiPlans plans;
  for (std::uint8_t i = 1; i <= 50; ++i) {
    plans.plans.push_back(tui_plan(i, "Task " + std::to_string(i), "execute", "processing"));
  }
  static_cast<void>(model.update(plans));
  type_into(model, "\x1b[F");
  EXPECT_THAT(screen_text(model), HasSubstr("Task 1 "));
}

// One plan of 200 moves: the rows that changed are written, and no others. The test prints how long
// a frame takes and does not judge it.
TEST(TuiViewTest, AFrameOfManyPlansIsSmall) {
  TuiModel model(kLarge, "/project");
  CellScreen screen(kLarge);
  TuiPlans plans;
  for (std::uint8_t i = 0; i < 200; ++i) {
    plans.plans.push_back(tui_plan(i, "Task " + std::to_string(i), "execute", "processing"));
  }
  static_cast<void>(model.update(plans));
  TuiDetail detail{.plan = model.selected()->id};
  detail.tree.resize(
      500, {.depth = 2, .status = WorkStatus::kWorking, .text = "A step", .note = "works"});
  detail.stream.resize(2000, {"A line of what a model says about its work, not too short."});
  static_cast<void>(model.update(detail));
  draw(model, screen);
  EXPECT_GT(screen.flush().size(), 1000U);
  constexpr int kFrames = 200;
  const auto begin = std::chrono::steady_clock::now();
  for (int frame = 0; frame < kFrames; ++frame) {
    plans.plans[199].title = "Task now " + std::to_string(frame % 10);
    static_cast<void>(model.update(plans));
    draw(model, screen);
    EXPECT_LT(screen.flush().size(), 100U);
  }
  const auto took = std::chrono::steady_clock::now() - begin;
  RecordProperty(
      "microseconds_per_frame",
      static_cast<int>(std::chrono::duration_cast<std::chrono::microseconds>(took).count() /
                       kFrames));
}

}  // namespace
}  // namespace clever::cli

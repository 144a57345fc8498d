#include "cli/live/progress_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string text_of(const Line& line) {
  std::string text;
  for (const Span& span : line) text += span.text;
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::vector<std::string> drawn(const ProgressView& view, const BlockLook& look) {
  std::vector<std::string> rows;
  for (const Line& line : progress_block(view, look)) rows.push_back(text_of(line));
  return rows;
}

ProgressView example() {
  return {.entries = {{.title = "Fix the failing tests",
                       .status = WorkStatus::kWorking,
                       .place = "execute",
                       .doing = "1 of 3 subplans done, 1 running",
                       .tokens = 12'345,
                       .cost = 41'000,
                       .elapsed = std::chrono::seconds{65}},
                      {.depth = 1,
                       .title = "Fix the parser",
                       .status = WorkStatus::kDone,
                       .tokens = 980,
                       .elapsed = std::chrono::seconds{4}},
                      {.depth = 1,
                       .title = "Fix the lexer",
                       .status = WorkStatus::kWorking,
                       .place = "execute",
                       .doing = "edit_file src/lexer.cc",
                       .tokens = 1'000,
                       .cost = 1'234,
                       .elapsed = std::chrono::seconds{3}},
                      {.depth = 1, .title = "Write docs", .status = WorkStatus::kQueued}},
          .roots = 1};
}

TEST(ProgressBlockTest, LooksLikeThis) {
  EXPECT_THAT(
      drawn(example(), {.width = 80, .unicode = true, .frame = 0}),
      ElementsAre(
          "⠋ Fix the failing tests   execute  1 of 3 subplans don… 12.3k tok   $0.05 1m05s",
          "  ✓ Fix the parser                                        980 tok            4s",
          "  ⠋ Fix the lexer           edit_file src/lexer.cc       1.0k tok $0.0013    3s",
          "  · Write docs                                                               0s"));
}

TEST(ProgressBlockTest, NeedsNoUnicode) {
  const auto rows = drawn(example(), {.width = 80, .unicode = false, .frame = 1});
  EXPECT_THAT(rows[0], StartsWith("/ Fix"));
  EXPECT_THAT(rows[0], HasSubstr("subplans d..."));
  EXPECT_THAT(rows[1], StartsWith("  + Fix"));
  EXPECT_THAT(rows[3], StartsWith("  . Write"));
}

TEST(ProgressBlockTest, NoLineTakesTheWholeWidth) {
  ProgressView view = example();
  view.entries[0].title = std::string(300, 'x');
  view.entries[1].title =
      "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字";
  view.entries[2].doing = std::string(300, 'y');
  view.roots = 3;
  view.more = 5;
  for (std::size_t width = 1; width < 200; ++width) {
    for (const Line& line : progress_block(view, {.width = width})) {
      if (width < 16 && text_of(line).starts_with("  …")) continue;
      std::size_t used = 0;
      for (const Span& span : line) used += columns(span.text);
      EXPECT_LT(used, width + 1) << width << ": " << text_of(line);
      if (width > 1) EXPECT_LE(used, width - 1) << width << ": " << text_of(line);
    }
  }
}

TEST(ProgressBlockTest, TheFiguresGiveWayInANarrowTerminal) {
  EXPECT_THAT(drawn(example(), {.width = 40})[2], "  ⠋ Fix the lexer    edit_file src/lex…");
}

TEST(ProgressBlockTest, SaysHowManyAreLeftOut) {
  ProgressView view = example();
  view.more = 12;
  EXPECT_EQ(drawn(view, {.width = 80}).back(), "  … and 12 more");
  view.more_done = 8;
  EXPECT_EQ(drawn(view, {.width = 80, .unicode = false}).back(), "  ... and 12 more (8 done)");
}

TEST(ProgressBlockTest, SeveralTasksHaveASum) {
  ProgressView view = example();
  view.roots = 3;
  view.roots_done = 1;
  view.tokens = 1'234'567;
  view.cost = 12'000'000;
  EXPECT_THAT(drawn(view, {.width = 80}).back(),
              testing::MatchesRegex("1 of 3 tasks done +1.2M tok +\\$12.00"));
}

TEST(ProgressBlockTest, SymbolsShowTheStatus) {
  for (const auto& [status, symbol] : std::vector<std::pair<WorkStatus, std::string>>{
           {WorkStatus::kWaiting, "◦"}, {WorkStatus::kFailed, "✗"}}) {
    const ProgressView view{.entries = {{.title = "a", .status = status}}, .roots = 1};
    EXPECT_THAT(drawn(view, {.width = 80})[0], StartsWith(symbol + " a"));
  }
  const ProgressView view{.entries = {{.title = "a", .status = WorkStatus::kFailed}}, .roots = 1};
  EXPECT_THAT(drawn(view, {.width = 80, .unicode = false})[0], StartsWith("x a"));
}

TEST(ProgressBlockTest, TheSpinnerTurns) {
  const ProgressView view{.entries = {{.title = "a", .status = WorkStatus::kWorking}}, .roots = 1};
  EXPECT_NE(drawn(view, {.frame = 0}), drawn(view, {.frame = 1}));
  EXPECT_EQ(drawn(view, {.frame = 0}), drawn(view, {.frame = 10}));
}

TEST(ProgressBlockTest, NothingSteersTheTerminal) {
  const ProgressView view{
      .entries = {{.title = "a\x1b[2J\nb", .status = WorkStatus::kWorking, .doing = "c\rd"}},
      .roots = 1};
  for (const std::string& row : drawn(view, {.width = 80})) {
    EXPECT_EQ(row.find_first_of("\x1b\n\r"), std::string::npos);
  }
}

TEST(ProgressBlockTest, TimesAndTokensAndMoneyAreShort) {
  using std::chrono::hours;
  using std::chrono::minutes;
  using std::chrono::seconds;
  EXPECT_EQ(service::elapsed_text(seconds{0}), "0s");
  EXPECT_EQ(service::elapsed_text(seconds{59}), "59s");
  EXPECT_EQ(service::elapsed_text(minutes{10} + seconds{3}), "10m03s");
  EXPECT_EQ(service::elapsed_text(hours{26} + minutes{4}), "26h04m");
  EXPECT_EQ(service::tokens_text(999), "999");
  EXPECT_EQ(service::tokens_text(99'949), "99.9k");
  EXPECT_EQ(service::tokens_text(123'456), "123k");
  EXPECT_EQ(service::tokens_text(12'345'678), "12.3M");
  EXPECT_EQ(cost_text(1), "$0.0001");
  EXPECT_EQ(cost_text(1'234), "$0.0013");
  EXPECT_EQ(cost_text(12'340'001), "$12.35");
}

TEST(ProgressBlockTest, TextIsShortenedByColumns) {
  EXPECT_EQ(service::shortened("abc", 3, true), "abc");
  EXPECT_EQ(service::shortened("abcd", 3, true), "ab…");
  EXPECT_EQ(service::shortened("漢字漢字", 5, true), "漢字…");
  EXPECT_EQ(service::shortened("漢字漢字", 4, true), "漢…");
  EXPECT_EQ(service::shortened("abcdef", 4, false), "a...");
  EXPECT_EQ(service::shortened("abcdef", 2, false), "..");
  EXPECT_EQ(service::shortened("abcdef", 0, true), "");
}

}  // namespace
}  // namespace clever::cli

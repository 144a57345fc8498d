#include "cli/tui/cell_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "support/campaign.h"
#include "support/terminal_picture.h"

namespace clever::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(CellScreenTest, ShowsWhatWasPut) {
  CellScreen screen({.columns = 10, .rows = 2});
  EXPECT_EQ(screen.put({0, 2}, "hello"), 5U);
  EXPECT_EQ(screen.put({1, 8}, "cut off"), 2U);
  EXPECT_EQ(screen.text(), "  hello\n        cu\n");
}

TEST(CellScreenTest, NothingStandsOutside) {
  CellScreen screen({.columns = 4, .rows = 1});
  EXPECT_EQ(screen.put({1, 0}, "x"), 0U);
  EXPECT_EQ(screen.put({0, 4}, "x"), 0U);
  screen.restyle({7, 0}, 3, true);
  EXPECT_EQ(screen.text(), "\n");
}

TEST(CellScreenTest, WideCharactersTakeTwoCells) {
  CellScreen screen({.columns = 5, .rows = 1});
  EXPECT_EQ(screen.put({0, 0}, "漢字漢"), 4U);
  EXPECT_EQ(screen.text(), "漢字\n");
  screen.put({0, 1}, "x");
  EXPECT_EQ(screen.text(), " x字\n") << "half a character is none";
  screen.put({0, 2}, "y");
  EXPECT_EQ(screen.text(), " xy\n");
}

TEST(CellScreenTest, MarksCombine) {
  CellScreen screen({.columns = 3, .rows = 1});
  EXPECT_EQ(screen.put({0, 0}, "e\u0301x"), 2U);
  EXPECT_EQ(screen.text(), "e\u0301x\n");
  EXPECT_EQ(screen.put({0, 0}, "\u0301"), 0U) << "a mark alone has nothing to stand on";
  EXPECT_EQ(screen.put({0, 0}, "漢\u0301"), 2U);
  std::string many = "a";
  for (int i = 0; i < 100; ++i) many += "\u0301";
  screen.put({0, 2}, many);
  EXPECT_LT(screen.text().size(), 60U);
}

TEST(CellScreenTest, NothingSteersTheTerminal) {
  CellScreen screen({.columns = 20, .rows = 1});
  screen.put({0, 0}, "a\x1b[2Jb\nc");
  EXPECT_EQ(screen.text(), "a\uFFFD[2Jb c\n");
}

TEST(CellScreenTest, WritesOnlyWhatChanged) {
  CellScreen screen({.columns = 40, .rows = 10});
  screen.put({3, 0}, "the same");
  screen.put({4, 0}, "count 1");
  EXPECT_THAT(screen.flush(), HasSubstr("the same"));
  EXPECT_EQ(screen.flush(), "");
  screen.put({4, 6}, "2");
  EXPECT_EQ(screen.flush(), "\x1b[5;7H2");
}

TEST(CellScreenTest, ShortGapsAreWrittenNotJumped) {
  CellScreen screen({.columns = 20, .rows = 1});
  screen.put({0, 0}, "abcdef");
  static_cast<void>(screen.flush());
  screen.put({0, 0}, "Abcd");
  screen.put({0, 3}, "D");
  EXPECT_EQ(screen.flush(), "\x1b[1;1HAbcD");
}

TEST(CellScreenTest, StylesAndTheirEnd) {
  CellScreen screen({.columns = 20, .rows = 1});
  screen.put({0, 0}, "bad", {Tone::kBad});
  screen.put({0, 3}, "x");
  screen.restyle({0, 3}, 1, true);
  EXPECT_THAT(screen.flush(), HasSubstr("\x1b[0;31mbad\x1b[0;7mx"));
  CellScreen plain({.columns = 20, .rows = 1}, Theme::kNone);
  plain.put({0, 0}, "bad", {Tone::kBad});
  plain.put({0, 3}, "bold", {Tone::kStrong});
  EXPECT_THAT(plain.flush(), testing::AllOf(Not(HasSubstr("31")), HasSubstr("\x1b[0;1mbold")));
}

TEST(CellScreenTest, TheCursorIsShownWhereItBelongs) {
  CellScreen screen({.columns = 20, .rows = 2});
  static_cast<void>(screen.flush());
  screen.place_cursor(CellPlace{1, 4});
  EXPECT_EQ(screen.flush(), "\x1b[2;5H\x1b[?25h");
  screen.clear();
  EXPECT_EQ(screen.flush(), "\x1b[?25l");
}

TEST(CellScreenTest, AfterAResizeEverythingIsDrawn) {
  CellScreen screen({.columns = 20, .rows = 2});
  screen.put({0, 0}, "text");
  static_cast<void>(screen.flush());
  screen.resize({.columns = 10, .rows = 1});
  screen.put({0, 0}, "text");
  EXPECT_EQ(screen.flush(), "\x1b[0m\x1b[2J\x1b[1;1Htext");
}

// A terminal shows what was drawn, after whatever was drawn before.
TEST(CellScreenTest, ATerminalShowsWhatWasDrawn) {
  base::SeededRandom random(7);
  const std::vector<std::string> pieces{"a",       "bc",   "漢",         "字x", "é",
                                        "e\u0301", "    ", "long words", "🙂"};
  const std::size_t rounds = test::campaign(300, 20'000);
  for (std::size_t round = 0; round < rounds; ++round) {
    CellScreen screen({.columns = 3 + random.below(20), .rows = 1 + random.below(5)});
    test::TerminalPicture terminal(screen.size().columns, screen.size().rows);
    for (int frame = 0; frame < 6; ++frame) {
      if (random.below(3) == 0) screen.clear();
      for (std::uint64_t i = random.below(8); i > 0; --i) {
        const CellPlace place{random.below(screen.size().rows),
                              random.below(screen.size().columns)};
        screen.put(place, pieces[random.below(pieces.size())],
                   {.tone = random.below(2) == 0 ? Tone::kGood : Tone::kPlain});
      }
      terminal.write(screen.flush());
      ASSERT_EQ(terminal.text(), screen.text()) << round << "." << frame;
    }
  }
}

}  // namespace
}  // namespace clever::cli

#include "cli/diff/painted_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr Look kColour{.color = true, .unicode = true};

const std::string kText =
    "diff --git a/f b/f\n"
    "index 1..2 100644\n"
    "--- a/f\n"
    "+++ b/f\n"
    "@@ -1,3 +1,3 @@ here\n"
    " same\n"
    "--- not a header\n"
    "+++ not a header either\n"
    " last\n";

TEST(PaintedUnified, WithoutColoursItIsTheText) { EXPECT_EQ(painted_unified(kText, {}), kText); }

TEST(PaintedUnified, HeadersArePaintedAsSuch) {
  const std::string shown = painted_unified(kText, kColour);
  EXPECT_THAT(shown, HasSubstr("\x1b[1mdiff --git a/f b/f\x1b[0m"));
  EXPECT_THAT(shown, HasSubstr("\x1b[1m--- a/f\x1b[0m"));
  EXPECT_THAT(shown, HasSubstr("\x1b[36m@@ -1,3 +1,3 @@ here\x1b[0m"));
}

TEST(PaintedUnified, LinesThatLookLikeHeadersDoNotCount) {
  const std::string shown = painted_unified(kText, kColour);
  EXPECT_THAT(shown, HasSubstr("\x1b[31m-\x1b[7m--\x1b[27m not a header"));
  EXPECT_THAT(shown, HasSubstr("\x1b[32m+\x1b[7m++\x1b[27m not a header"));
}

TEST(PaintedUnified, WordsThatDifferAreSetOff) {
  const std::string shown = painted_unified("@@ -1 +1 @@\n-return one;\n+return two;\n", kColour);
  EXPECT_THAT(shown, HasSubstr("\x1b[31m-return \x1b[7mone\x1b[27m;\x1b[0m"));
  EXPECT_THAT(shown, HasSubstr("\x1b[32m+return \x1b[7mtwo\x1b[27m;\x1b[0m"));
}

TEST(PaintedUnified, AMissingLineEndStaysWhereItWas) {
  const std::string text =
      "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n";
  EXPECT_EQ(painted_unified(text, {}), text);
}

TEST(PaintedUnified, TwoFilesAreDistinguished) {
  const std::string text = kText + kText;
  const std::string shown = painted_unified(text, kColour);
  const std::string header = "\x1b[1mdiff --git a/f b/f\x1b[0m";
  EXPECT_NE(shown.find(header), shown.rfind(header));
}

TEST(PaintedUnified, CannotSteerTheTerminal) {
  EXPECT_THAT(painted_unified("@@ -0,0 +1 @@\n+\x1b[2J\n", {}), Not(HasSubstr("\x1b")));
}

TEST(PaintedUnified, ABrokenPlaceIsAHeader) {
  EXPECT_EQ(painted_unified("@@ -1 nonsense\n", {}), "@@ -1 nonsense\n");
}

TEST(PaintedWords, MarksWithinLines) {
  const std::string shown =
      painted_words("diff --git a/f b/f\n@@ -1 +1 @@\nreturn [-one-]{+two+};\n[-open\n", kColour);
  EXPECT_THAT(shown, HasSubstr("return \x1b[31m[-one-]\x1b[0m\x1b[32m{+two+}\x1b[0m;"));
  EXPECT_THAT(shown, HasSubstr("\n[-open\n"));
}

TEST(PaintedStat, PaintsTheGraphAlone) {
  EXPECT_EQ(painted_stat(" a-b | 3 ++-\n 1 file changed\n", kColour),
            " a-b | 3 \x1b[32m++\x1b[0m\x1b[31m-\x1b[0m\n 1 file changed\n");
}

// A name is free to look like the end of one, and to hold what a terminal obeys.
TEST(PaintedStat, WhatLooksLikeTheGraphSteersNoTerminalEither) {
  const std::string shown = painted_stat(" f|+\x1b[2J-\x1b[2J | 3 \n f|-\x1b[2J", {});
  EXPECT_THAT(shown, Not(HasSubstr("\x1b")));
}

TEST(PaintedHunk, IsWhatTheUnifiedFormHas) {
  const auto hunks = diff::hunks_of("f", "a\nb\nc\n", "a\nB\nc");
  ASSERT_EQ(hunks.size(), 1U);
  EXPECT_EQ(painted_hunk(hunks[0], {}),
            "@@ -1,3 +1,3 @@\n a\n-b\n-c\n+B\n+c\n\\ No newline at end of file\n");
}

}  // namespace
}  // namespace clever::cli

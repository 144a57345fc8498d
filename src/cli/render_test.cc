#include "cli/render.h"

#include <gtest/gtest.h>

namespace clever::cli {
namespace {

constexpr Look kAsciiLook{};
constexpr Look kUnicodeLook{.color = false, .unicode = true};
constexpr Look kColorLook{.color = true, .unicode = true};

View settings_table() {
  return {Table{"", {"key", "value"}, {{{"a"}, {"1"}}, {{"longer"}, {"two words"}}}}};
}

View checks() {
  return {Checks{"home",
                 {{"directory", Verdict::kOk, "there", ""},
                  {"mode", Verdict::kWarn, "open", "chmod 700"},
                  {"disk", Verdict::kFail, "full", ""}}},
          Checks{"git", {{"command", Verdict::kOk, "2.39", ""}}}};
}

TEST(RenderPlainTest, AlignsATableWithoutTrailingSpaces) {
  EXPECT_EQ(render_plain(settings_table()), "key     value\na       1\nlonger  two words\n");
}

TEST(RenderPlainTest, EachCheckStandsAloneOnItsLine) {
  EXPECT_EQ(render_plain(checks()),
            "ok   home/directory: there\n"
            "warn home/mode: open (chmod 700)\n"
            "fail home/disk: full\n"
            "ok   git/command: 2.39\n");
}

TEST(RenderPlainTest, WritesFieldsProseAndRawText) {
  EXPECT_EQ(render_plain({Fields{"", {{"name", {"value", Tone::kGood}}}},
                          Prose{{{{"one ", Tone::kStrong}, {"two"}}, {}}}, Raw{"\x1b raw"}}),
            "name: value\none two\n\n\x1b raw");
}

TEST(RenderPlainTest, ValuesCannotBreakLines) {
  EXPECT_EQ(render_plain({Fields{"", {{"name", {"a\nb: c"}}}}}), "name: a b: c\n");
}

TEST(RenderTableTest, DrawsAnAsciiBox) {
  EXPECT_EQ(render_table(settings_table(), kAsciiLook),
            "+--------+-----------+\n"
            "| key    | value     |\n"
            "+--------+-----------+\n"
            "| a      | 1         |\n"
            "| longer | two words |\n"
            "+--------+-----------+\n");
}

TEST(RenderTableTest, PutsChecksOfAllSectionsIntoOneTable) {
  EXPECT_EQ(render_table(checks(), kUnicodeLook),
            "╭─────────┬───────────┬────────┬──────────────────╮\n"
            "│ section │ check     │ status │ detail           │\n"
            "├─────────┼───────────┼────────┼──────────────────┤\n"
            "│ home    │ directory │ ok     │ there            │\n"
            "│ home    │ mode      │ warn   │ open (chmod 700) │\n"
            "│ home    │ disk      │ fail   │ full             │\n"
            "│ git     │ command   │ ok     │ 2.39             │\n"
            "╰─────────┴───────────┴────────┴──────────────────╯\n");
}

TEST(RenderTableTest, FieldsBecomeRowsAndProseStays) {
  EXPECT_EQ(
      render_table({Prose{{{{"hello"}}}}, Fields{"", {{"a", {"b"}}}}, Raw{"end"}}, kAsciiLook),
      "hello\n"
      "+------+-------+\n"
      "| name | value |\n"
      "+------+-------+\n"
      "| a    | b     |\n"
      "+------+-------+\n"
      "end");
}

TEST(RenderTableTest, ANarrowTerminalWrapsTheLastColumn) {
  const View view{Table{"", {"k", "text"}, {{{"a"}, {"one two three four five six"}}}}};
  EXPECT_EQ(render_table(view, {.color = false, .unicode = false, .width = 24}),
            "+---+------------------+\n"
            "| k | text             |\n"
            "+---+------------------+\n"
            "| a | one two three    |\n"
            "|   | four five six    |\n"
            "+---+------------------+\n");
}

TEST(RenderTableTest, InANarrowerOneAllColumnsGiveWay) {
  const View view{Table{"", {"k", "text"}, {{{"a b c"}, {"one two"}}}}};
  EXPECT_EQ(render_table(view, {.color = false, .unicode = false, .width = 12}),
            "+---+------+\n"
            "| k | text |\n"
            "+---+------+\n"
            "| a | one  |\n"
            "| b | two  |\n"
            "| c |      |\n"
            "+---+------+\n");
}

TEST(RenderTableTest, WithoutRoomForItsWordsEachCellHasALine) {
  const View view{Table{"",
                        {"plan", "what"},
                        {{{"01M7TMK47QQMPQ55"}, {"Write b and c"}}, {{"01M7TMJ1RYNGRVXR"}, {""}}}}};
  EXPECT_EQ(render_table(view, {.color = false, .unicode = false, .width = 22}),
            "plan  01M7TMK47QQMPQ55\n"
            "what  Write b and c\n"
            "\n"
            "plan  01M7TMJ1RYNGRVXR\n"
            "what\n");
}

TEST(RenderTableTest, WideCharactersKeepTheBoxStraight) {
  const View view{Table{"", {"k"}, {{{"日本"}}, {{"x"}}}}};
  EXPECT_EQ(render_table(view, kAsciiLook),
            "+------+\n| k    |\n+------+\n| 日本 |\n| x    |\n+------+\n");
}

TEST(RenderRichTest, ShowsChecksInSectionsWithOneColumnOfDetails) {
  EXPECT_EQ(render_rich(checks(), kUnicodeLook),
            "Home\n"
            "  ✔ directory  there\n"
            "  ▲ mode       open\n"
            "               → chmod 700\n"
            "  ✘ disk       full\n"
            "\n"
            "Git\n"
            "  ✔ command    2.39\n");
}

TEST(RenderRichTest, WithoutUtf8ItIsAllAscii) {
  for (const char c : render_rich(checks(), kAsciiLook)) EXPECT_GE(c, 0) << c;
}

TEST(RenderRichTest, ColoursOnlyWhereTheLookHasColours) {
  EXPECT_EQ(render_rich({Prose{{{{"x", Tone::kGood}, {" y"}}}}}, kColorLook),
            "\x1b[32mx\x1b[0m y\n");
  EXPECT_EQ(render_rich(checks(), kUnicodeLook).find('\x1b'), std::string::npos);
}

TEST(RenderRichTest, SeparatesBlocksAndAlignsFields) {
  EXPECT_EQ(render_rich({Prose{{{{"title"}}}}, Fields{"facts", {{"a", {"1"}}, {"long", {"2"}}}},
                         settings_table().front()},
                        kAsciiLook),
            "title\n"
            "\n"
            "Facts\n"
            "  a     1\n"
            "  long  2\n"
            "\n" +
                render_table(settings_table(), kAsciiLook));
}

TEST(RenderRichTest, LongDetailsHangBelowTheirStart) {
  const View view{Checks{"s", {{"name", Verdict::kOk, "one two three four five six seven", ""}}}};
  EXPECT_EQ(render_rich(view, {.color = false, .unicode = false, .width = 32}),
            "S\n"
            "  + name  one two three four\n"
            "          five six seven\n");
}

TEST(PaintedTest, EveryToneHasItsColour) {
  EXPECT_EQ(painted("x", Tone::kStrong, kColorLook), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(painted("x", Tone::kDim, kColorLook), "\x1b[2mx\x1b[0m");
  EXPECT_EQ(painted("x", Tone::kWarn, kColorLook), "\x1b[33mx\x1b[0m");
  EXPECT_EQ(painted("x", Tone::kBad, kColorLook), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(painted("x", Tone::kAccent, kColorLook), "\x1b[36mx\x1b[0m");
  EXPECT_EQ(painted("x", Tone::kPlain, kColorLook), "x");
}

}  // namespace
}  // namespace clever::cli

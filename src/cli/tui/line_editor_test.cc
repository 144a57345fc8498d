#include "cli/tui/line_editor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "cli/tui/key_decoder.h"
#include "cli/words.h"
#include "service/text.h"
#include "support/campaign.h"
#include "support/terminal_picture.h"
#include "support/typed_keys.h"

namespace clever::cli {
namespace {

using testing::ElementsAre;
using EditOutcome = LineEditor::Outcome;

EditOutcome edit(LineEditor& editor, std::string_view bytes) {
  EditOutcome outcome = EditOutcome::kNothing;
  for (const Key& key : test::typed_keys(bytes)) outcome = editor.handle(key);
  return outcome;
}

// What the keys make of an empty line.
void check_edited(std::string_view keys, std::string_view text) {
  LineEditor editor;
  edit(editor, keys);
  EXPECT_EQ(editor.text(), text) << keys;
}

TEST(LineEditorTest, Typing) {
  check_edited("hello", "hello");
  check_edited("Größe 漢字", "Größe 漢字");
  check_edited("ac\x1b[Db", "abc");
}

TEST(LineEditorTest, Removing) {
  check_edited("abc\x7f", "ab");
  check_edited("漢字\x7f", "漢");
  check_edited("ae\u0301\x7f", "a");
  check_edited("ab\x1b[D\x1b[3~", "a");
  check_edited("ab\x1b[D\x04", "a");
  check_edited("one two\x17", "one ");
  check_edited("one two\x1b\x7f", "one ");
  check_edited("one two\x15x", "x");
  check_edited("one\x01\x0bx", "x");
  check_edited(
      "one two\x01\x1b"
      "d",
      " two");
  check_edited("\x7f\x1b[3~\x17\x15\x0b", "");
}

TEST(LineEditorTest, PutsBackWhatWasRemoved) { check_edited("one two\x17\x01\x19", "twoone "); }

TEST(LineEditorTest, Moving) {
  check_edited(
      "bc\x01"
      "a\x05"
      "d",
      "abcd");
  check_edited("bc\x1b[Ha\x1b[Fd", "abcd");
  check_edited(
      "one two\x1b"
      "bX",
      "one Xtwo");
  check_edited(
      "one two\x01\x1b"
      "fX",
      "oneX two");
  check_edited("one two\x1b[1;5DX", "one Xtwo");
  check_edited("ab\x02X\x06Y", "aXbY");
  check_edited("e\u0301x\x1b[D\x1b[DX", "Xe\u0301x");
}

TEST(LineEditorTest, SeveralLines) {
  check_edited("one\x1b\rtwo", "one\ntwo");
  check_edited("one\\\rtwo", "one\ntwo");
  check_edited("one\x1b\rtwo\x1b[AX", "oneX\ntwo");
  check_edited("one\x1b\rtwo\x1b[A\x01\x1b[BX", "one\nXtwo");
  check_edited("漢字\x1b\rabc\x1b[AX", "漢字X\nabc");
}

TEST(LineEditorTest, APasteMayHaveLinesButNothingElse) {
  check_edited("\x1b[200~a\r\nb\rc\td\x1b[Ae\x1b[201~", "a\nb\nc    d\uFFFD[Ae");
}

TEST(LineEditorTest, Outcomes) {
  LineEditor editor;
  EXPECT_EQ(edit(editor, "\x04"), EditOutcome::kEnd);
  EXPECT_EQ(edit(editor, "x\r"), EditOutcome::kSubmit);
  EXPECT_EQ(editor.text(), "x");
  EXPECT_EQ(edit(editor, "\x03"), EditOutcome::kInterrupt);
  EXPECT_EQ(edit(editor, "\t"), EditOutcome::kComplete);
  EXPECT_EQ(edit(editor, "\x0c"), EditOutcome::kRefresh);
  EXPECT_EQ(edit(editor, "\x1b[5~\x1b\x1b[Z\x14"), EditOutcome::kNothing);
  editor.clear();
  EXPECT_EQ(editor.text(), "");
}

TEST(LineEditorTest, HistoryIsWithinReach) {
  LineEditor editor({"first"});
  editor.remember("second");
  editor.remember("second");
  editor.remember("");
  edit(editor, "draft\x1b[A");
  EXPECT_EQ(editor.text(), "second");
  edit(editor, "\x10");
  EXPECT_EQ(editor.text(), "first");
  edit(editor, "\x1b[A");
  EXPECT_EQ(editor.text(), "first");
  edit(editor, "\x1b[B\x0e");
  EXPECT_EQ(editor.text(), "draft");
  edit(editor, "\x1b[B");
  EXPECT_EQ(editor.text(), "draft");
}

TEST(LineEditorTest, SearchesTheHistory) {
  LineEditor editor({"fix the parser", "write docs", "fix the lexer"});
  edit(editor,
       "\x12"
       "fix");
  EXPECT_TRUE(editor.is_searching());
  EXPECT_EQ(editor.text(), "fix the lexer");
  EXPECT_EQ(editor.picture("> ", 80).rows.front(), "search “fix”: fix the lexer");
  edit(editor, "\x12");
  EXPECT_EQ(editor.text(), "fix the parser");
  EXPECT_EQ(edit(editor, "\r"), EditOutcome::kNothing);
  EXPECT_FALSE(editor.is_searching());
  EXPECT_EQ(editor.text(), "fix the parser");
}

TEST(LineEditorTest, ASearchCanBeGivenUp) {
  LineEditor editor({"one", "öne"});
  edit(editor,
       "draft\x12ö\x7f\x7f"
       "on\x1b");
  EXPECT_EQ(editor.text(), "draft");
  edit(editor, "\x12on\x1b[D");
  EXPECT_EQ(editor.text(), "one");
  EXPECT_EQ(editor.cursor(), 2U);
  edit(editor, "\x12nowhere\x07");
  EXPECT_EQ(editor.text(), "one");
}

TEST(LineEditorTest, APictureIsWrapped) {
  LineEditor editor;
  edit(editor, "abcdefgh");
  const auto picture = editor.picture("> ", 7);
  EXPECT_THAT(picture.rows, ElementsAre("> abcd", "  efgh"));
  EXPECT_EQ(picture.cursor, (CellPlace{1, 6}));
  edit(editor, "\x01");
  EXPECT_EQ(editor.picture("> ", 7).cursor, (CellPlace{0, 2}));
}

TEST(LineEditorTest, APictureOfSeveralLines) {
  LineEditor editor;
  edit(editor, "漢\x1b\rb\x1b[A");
  const auto picture = editor.picture("> ", 20);
  EXPECT_THAT(picture.rows, ElementsAre("> 漢", "  b"));
  EXPECT_EQ(picture.cursor, (CellPlace{0, 4}));
}

TEST(EditorRegionTest, DrawsOverItself) {
  test::TerminalPicture terminal(20, 6);
  LineEditor editor;
  EditorRegion region;
  terminal.write("before\r\n");
  terminal.write(region.draw(editor.picture("> ", 20)));
  edit(editor, "one\x1b\rtwo\x1b[A");
  terminal.write(region.draw(editor.picture("> ", 20)));
  EXPECT_EQ(terminal.text(), "before\n> one\n  two\n\n\n\n");
  EXPECT_EQ(terminal.row(), 1U);
  EXPECT_EQ(terminal.column(), 5U);
  terminal.write(region.leave() + "after");
  EXPECT_EQ(terminal.text(), "before\n> one\n  two\nafter\n\n\n");
  EXPECT_EQ(region.leave(), "");
}

// Whatever is typed: the cursor stands between characters, and the picture fits.
TEST(LineEditorTest, TakesAnyKeys) {
  base::SeededRandom random(3);
  const std::vector<std::string> keys{"a",
                                      "ä",
                                      "漢",
                                      "e\u0301",
                                      " ",
                                      "\x1b[D",
                                      "\x1b[C",
                                      "\x1b[A",
                                      "\x1b[B",
                                      "\x7f",
                                      "\x1b[3~",
                                      "\x17",
                                      "\x1b\r",
                                      "\x1b"
                                      "b",
                                      "\x1b"
                                      "f",
                                      "\x15",
                                      "\x12",
                                      "\r",
                                      "\x0b",
                                      "\x19",
                                      "\x1b[H",
                                      "\x1b[F",
                                      "\x1b[1;5D",
                                      "\\"};
  const std::size_t rounds = test::campaign(300, 20'000);
  for (std::size_t round = 0; round < rounds; ++round) {
    LineEditor editor({"older\nentry", "漢字"});
    for (std::uint64_t i = random.below(40); i > 0; --i) {
      edit(editor, keys[random.below(keys.size())]);
      ASSERT_LE(editor.cursor(), editor.text().size());
      const bool between =
          editor.cursor() == editor.text().size() ||
          (static_cast<unsigned char>(editor.text()[editor.cursor()]) & 0xC0U) != 0x80U;
      ASSERT_TRUE(between);
      const auto picture = editor.picture("> ", 12);
      ASSERT_LT(picture.cursor.row, picture.rows.size());
      if (editor.is_searching()) continue;
      for (const std::string& row : picture.rows) ASSERT_LE(columns(row), 12U);
    }
  }
}

}  // namespace
}  // namespace clever::cli

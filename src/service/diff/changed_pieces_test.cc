#include "service/diff/changed_pieces.h"

#include <gtest/gtest.h>

namespace clever::service {
namespace {

// "a [b] c": what is marked stands in brackets.
std::string marked(const LinePieces& pieces) {
  std::string text;
  for (const LinePiece& piece : pieces) {
    text += piece.changed ? "[" + piece.text + "]" : piece.text;
  }
  return text;
}

void check_pieces(const std::vector<std::string>& removed, const std::vector<std::string>& added,
                  const std::vector<std::string>& expected_removed,
                  const std::vector<std::string>& expected_added) {
  const ComparedLines compared = compare_lines(removed, added);
  std::vector<std::string> left;
  for (const LinePieces& line : compared.removed) left.push_back(marked(line));
  std::vector<std::string> right;
  for (const LinePieces& line : compared.added) right.push_back(marked(line));
  EXPECT_EQ(left, expected_removed);
  EXPECT_EQ(right, expected_added);
}

TEST(CompareLines, MarksTheWordsThatDiffer) {
  check_pieces({"int count = 1;"}, {"int count = 2;"}, {"int count = [1];"}, {"int count = [2];"});
}

TEST(CompareLines, MarksAcrossLines) {
  check_pieces({"return first;", "return second;"}, {"return first;", "return third;"},
               {"return first;", "return [second];"}, {"return first;", "return [third];"});
}

TEST(CompareLines, AsManyLinesAsThereWere) {
  const ComparedLines compared = compare_lines({"one two three"}, {"one", "two three four"});
  EXPECT_EQ(compared.removed.size(), 1U);
  EXPECT_EQ(compared.added.size(), 2U);
}

TEST(CompareLines, WhatIsOnlyAddedIsNotMarked) { check_pieces({}, {"new"}, {}, {"new"}); }

TEST(CompareLines, WhatHasLittleInCommonIsNotMarked) {
  check_pieces({"alpha beta gamma delta"}, {"quite another sentence here"},
               {"alpha beta gamma delta"}, {"quite another sentence here"});
}

TEST(CompareLines, ALineThatIsAnotherIsNotMarked) {
  check_pieces(
      {"  return ordered[len(ordered) // 2]"},
      {"  middle = len(ordered) // 2", "  if is_even(ordered):", "  return ordered[middle]"},
      {"  [return] [ordered[]len(ordered) // 2]"},
      {"  [middle =] len(ordered) // 2", "  if is_even(ordered):", "  return ordered[middle]"});
}

TEST(CompareLines, VeryLongLinesAreNotCompared) {
  const std::string line(30'000, 'x');
  check_pieces({line}, {line + " y"}, {line}, {line + " y"});
}

TEST(CompareLines, EmptyLinesStayLines) {
  check_pieces({"", "same word"}, {"", "same words"}, {"", "same [word]"}, {"", "same [words]"});
}

TEST(ShownLine, HoldsNothingThatSteersTheTerminal) { EXPECT_EQ(shown_line("a\x1b[2Jb"), "a�[2Jb"); }

TEST(ShownLine, TabsAreTheBlanksTheyStandFor) {
  EXPECT_EQ(shown_line("\tx"), "        x");
  EXPECT_EQ(shown_line("ab\tx"), "ab      x");
}

TEST(ShownLine, ACarriageReturnAtTheEndIsSeen) { EXPECT_EQ(shown_line("a\r"), "a^M"); }

TEST(ShownPieces, TabsCountFromTheLinesBegin) {
  EXPECT_EQ(marked(shown_pieces({{"ab", true}, {"\tx", false}})), "[ab]      x");
}

TEST(Broken, NeverWiderThanTheWidth) {
  const auto lines = broken({{"abcdef", false}, {"gh", true}}, 3);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(marked(lines[0]), "abc");
  EXPECT_EQ(marked(lines[1]), "def");
  EXPECT_EQ(marked(lines[2]), "[gh]");
}

TEST(Broken, WideCharactersTakeTwoColumns) {
  const auto lines = broken({{"漢字x", false}}, 3);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(marked(lines[0]), "漢");
  EXPECT_EQ(marked(lines[1]), "字x");
}

TEST(Broken, CombiningMarksStayWithTheirLetter) {
  const auto lines = broken({{"e\u0301e\u0301", false}}, 1);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(marked(lines[0]), "e\u0301");
}

TEST(Broken, NothingIsOneLine) { EXPECT_EQ(broken({}, 10).size(), 1U); }

TEST(ColumnsOf, IsTheSumOfItsPieces) { EXPECT_EQ(columns_of({{"ab", false}, {"漢", true}}), 4U); }

}  // namespace
}  // namespace clever::service

#include "cli/live/text_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TextFlowTest, KeepsARowUntilItEnds) {
  TextFlow flow;
  EXPECT_THAT(flow.feed("Hel", 0), IsEmpty());
  EXPECT_EQ(flow.rest(), "Hel");
  EXPECT_THAT(flow.feed("lo\nWor", 0), ElementsAre("Hello"));
  EXPECT_THAT(flow.end(), ElementsAre("Wor"));
  EXPECT_THAT(flow.end(), IsEmpty());
}

TEST(TextFlowTest, KeepsEmptyLines) {
  TextFlow flow;
  EXPECT_THAT(flow.feed("a\n\nb\n", 0), ElementsAre("a", "", "b"));
}

TEST(TextFlowTest, BreaksRowsAtTheWidth) {
  TextFlow flow;
  EXPECT_THAT(flow.feed("abcdefgh", 3), ElementsAre("abc", "def"));
  EXPECT_EQ(flow.rest(), "gh");
}

TEST(TextFlowTest, BreaksRowsBetweenWords) {
  TextFlow flow;
  EXPECT_THAT(flow.feed("one two three", 8), ElementsAre("one two"));
  EXPECT_THAT(flow.feed(" four", 8), ElementsAre("three"));
  EXPECT_THAT(flow.end(), ElementsAre("four"));
  EXPECT_THAT(flow.feed("exactly eight", 7), ElementsAre("exactly"));
  EXPECT_EQ(flow.rest(), "eight");
}

TEST(TextFlowTest, CountsColumnsNotBytes) {
  TextFlow flow;
  EXPECT_THAT(flow.feed("äöü漢字", 4), ElementsAre("äöü"));
  EXPECT_EQ(flow.rest(), "漢字");
}

TEST(TextFlowTest, APieceMayEndWithinACharacter) {
  const std::string text = "漢字 🙂 ä\n";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    TextFlow flow;
    std::vector<std::string> rows = flow.feed(text.substr(0, cut), 0);
    for (std::string& row : flow.feed(text.substr(cut), 0)) rows.push_back(row);
    EXPECT_THAT(rows, ElementsAre("漢字 🙂 ä")) << cut;
  }
}

TEST(TextFlowTest, NothingSteersTheTerminal) {
  TextFlow flow;
  EXPECT_THAT(flow.feed("a\x1b[2Jb\r\n\tc\n", 0), ElementsAre("a\uFFFD[2Jb", "    c"));
}

TEST(TextFlowTest, ATornCharacterAtTheEndIsLeftOut) {
  TextFlow flow;
  EXPECT_THAT(flow.feed("a\xE6\xBC", 0), IsEmpty());
  EXPECT_THAT(flow.end(), ElementsAre("a"));
}

TEST(TextFlowTest, AWideCharacterInOneColumnStandsAlone) {
  TextFlow flow;
  EXPECT_THAT(flow.feed("漢字\n", 1), ElementsAre("漢", "字"));
}

}  // namespace
}  // namespace clever::cli

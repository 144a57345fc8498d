#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>

#include "base/random.h"
#include "diff/merge.h"
#include "support/campaign.h"
#include "support/repository.h"
#include "support/texts.h"

namespace clever::diff {
namespace {

using test::replaced;

const std::string kNineLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

MergedText merged(std::string_view base, std::string_view ours, std::string_view theirs) {
  return merge_texts(base, ours, theirs, {.theirs = "child"}).value();
}

MergedText replayed(std::string_view base, std::string_view ours, std::string_view theirs) {
  return replay_text(base, ours, theirs, {.theirs = "child"});
}

TEST(MergeTexts, TakesBothChanges) {
  EXPECT_EQ(merged(kNineLines, replaced(kNineLines, "2\n", "two\n"),
                   replaced(kNineLines, "8\n", "eight\n")),
            (MergedText{replaced(replaced(kNineLines, "2\n", "two\n"), "8\n", "eight\n"), 0}));
}

TEST(MergeTexts, TheSameChangeIsNotAConflict) {
  const std::string ours = replaced(replaced(kNineLines, "2\n", "two\n"), "8\n", "eight\n");
  EXPECT_EQ(merged(kNineLines, ours, replaced(kNineLines, "2\n", "two\n")), (MergedText{ours, 0}));
}

TEST(MergeTexts, MarksAConflictWithAllThreeSides) {
  EXPECT_EQ(merged("a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\n"),
            (MergedText{"a\n<<<<<<< ours\nx\n||||||| base\nb\n=======\ny\n>>>>>>> child\nc\n", 1}));
}

TEST(MergeTexts, CountsTheConflicts) {
  const std::string ours = replaced(replaced(kNineLines, "2\n", "x\n"), "8\n", "x\n");
  const std::string theirs = replaced(replaced(kNineLines, "2\n", "y\n"), "8\n", "y\n");
  EXPECT_EQ(merged(kNineLines, ours, theirs).conflicts, 2);
}

TEST(MergeTexts, MarksLinesWithTheirLineEnds) {
  EXPECT_THAT(merged("a\r\nb\r\n", "a\r\nx\r\n", "a\r\ny\r\n").content,
              testing::HasSubstr("<<<<<<< ours\r\nx\r\n"));
}

TEST(MergeTexts, MarkersDifferFromLinesOfTheTexts) {
  const MergedText text = merged("<<<<<<< old\nb\n", "<<<<<<< old\nx\n", "<<<<<<< old\ny\n");
  EXPECT_EQ(text.conflicts, 1);
  EXPECT_THAT(text.content, testing::HasSubstr("\n<<<<<<<< ours\n"));
}

TEST(MergeTexts, NamesOnMarkersStayOnTheirLine) {
  const MergedText text = merge_texts("b\n", "x\n", "y\n", {.theirs = "a\nb"}).value();
  EXPECT_THAT(text.content, testing::HasSubstr(">>>>>>> a\\nb\n"));
}

std::string text_of_few_lines() {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a\n", "b\n", "c\n", "}\n", "\n", "a\r\n", "a"));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

TEST(MergeTexts, OneSideAloneIsTaken) {
  EXPECT_TRUE(rc::check([] {
    const std::string base = text_of_few_lines();
    const std::string changed = text_of_few_lines();
    RC_ASSERT(merged(base, base, changed) == (MergedText{changed, 0}));
    RC_ASSERT(merged(base, changed, base) == (MergedText{changed, 0}));
    RC_ASSERT(merged(base, changed, changed) == (MergedText{changed, 0}));
  }));
}

TEST(MergeTexts, CleanMergesDoNotDependOnTheSide) {
  EXPECT_TRUE(rc::check([] {
    const std::string base = text_of_few_lines();
    const std::string one = text_of_few_lines();
    const std::string other = text_of_few_lines();
    const MergedText there = merged(base, one, other);
    const MergedText back = merged(base, other, one);
    RC_ASSERT((there.conflicts == 0) == (back.conflicts == 0));
    if (there.conflicts == 0) RC_ASSERT(there == back);
  }));
}

// Three texts of few different lines: what one and the other made of the first.
struct Texts {
  explicit Texts(std::uint64_t seed) : random(seed) {
    std::vector<std::string> lines;
    const std::size_t count = random.below(40);
    for (std::size_t i = 0; i < count; ++i) {
      lines.emplace_back(std::array{"a\n", "b\n", "c\n", "d\n", "}\n", "\n"}[random.below(6)]);
      base += lines.back();
    }
    ours = edited(lines);
    theirs = edited(lines);
  }

  std::string edited(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
      const std::uint64_t what = random.below(12);
      if (what == 0) text += "new " + line;
      if (what == 1) text += "added\n";
      if (what != 0 && what != 2) text += line;
    }
    return text;
  }

  base::SeededRandom random;
  std::string base;
  std::string ours;
  std::string theirs;
};

// Whether there are conflicts, how many, and the text must be exactly git's own.
TEST(MergeTexts, IsWhatGitMergeFileDoes) {
  const test::Repository repository;
  for (std::size_t seed = 0; seed < test::campaign(25, 5000); ++seed) {
    SCOPED_TRACE(seed);
    const Texts texts(seed);
    repository.write("base", texts.base);
    repository.write("ours", texts.ours);
    repository.write("theirs", texts.theirs);
    const auto plain = repository.run({"merge-file", "-p", "ours", "base", "theirs"});
    const MergedText text = merged(texts.base, texts.ours, texts.theirs);
    if (plain.exit_code == 0) {
      ASSERT_EQ(text, (MergedText{plain.output, 0}));
      continue;
    }
    const auto marked = repository.run({"merge-file", "-p", "--zdiff3", "-L", "ours", "-L", "base",
                                        "-L", "child", "ours", "base", "theirs"});
    ASSERT_EQ(text, (MergedText{marked.output, static_cast<std::uint64_t>(marked.exit_code)}));
  }
}

TEST(ReplayText, ABlockMovesWithItsLines) {
  const std::string ours = "new\nnew\n" + kNineLines;
  EXPECT_EQ(replayed(kNineLines, ours, replaced(kNineLines, "5\n", "five\n")),
            (MergedText{replaced(ours, "5\n", "five\n"), 0}));
}

TEST(ReplayText, TheNearestPlaceIsTaken) {
  const std::string part = "{\nx\n}\n";
  const std::string base = part + kNineLines + part;
  const std::string theirs = part + kNineLines + "{\ny\n}\n";
  EXPECT_EQ(replayed(base, "top\n" + base, theirs), (MergedText{"top\n" + theirs, 0}));
}

TEST(ReplayText, AChangedNeighbourIsAConflict) {
  EXPECT_EQ(replayed(kNineLines, replaced(kNineLines, "4\n", "four\n"),
                     replaced(kNineLines, "5\n", "five\n"))
                .conflicts,
            1);
}

TEST(ReplayText, TheSameChangeDoesNotFitTwice) {
  const std::string ours = replaced(replaced(kNineLines, "2\n", "two\n"), "8\n", "eight\n");
  EXPECT_EQ(replayed(kNineLines, ours, replaced(kNineLines, "2\n", "two\n")).conflicts, 1);
}

TEST(ReplayText, OneBlockMayFitAndAnotherNot) {
  std::string base;
  for (int i = 0; i < 30; ++i) base += "line " + std::to_string(i) + "\n";
  const std::string theirs = replaced(replaced(base, "line 3\n", "A\n"), "line 20\n", "B\n");
  const MergedText text = replayed(base, replaced(base, "line 4\n", "ours\n"), theirs);
  EXPECT_EQ(text.conflicts, 1);
  EXPECT_THAT(text.content, testing::HasSubstr("line 19\nB\nline 21\n"));
}

TEST(ReplayText, MarksWhatDoesNotFit) {
  EXPECT_EQ(
      replayed("a\nb", "x\nb", "a\nc"),
      (MergedText{"<<<<<<< ours\nx\nb\n||||||| base\na\nb\n=======\na\nc\n>>>>>>> child\n", 1}));
}

TEST(ReplayText, MarkersHaveTheLineEndsOfOurs) {
  EXPECT_THAT(replayed("a\r\nb\r\n", "x\r\nb\r\n", "a\r\nc\r\n").content,
              testing::StartsWith("<<<<<<< ours\r\nx\r\n"));
}

TEST(ReplayText, AnAdditionToNothingFitsOnlyNothing) {
  EXPECT_EQ(replayed("", "", "a\n"), (MergedText{"a\n", 0}));
  EXPECT_EQ(replayed("", "b\n", "a\n").conflicts, 1);
}

TEST(ReplayText, AnEndWithoutNewlineStaysTheEnd) {
  EXPECT_EQ(replayed("a\nb\n", "a\nb\nc\n", "a\nb").conflicts, 1);
  EXPECT_EQ(replayed("a\nb\n", "0\na\nb\n", "a\nb"), (MergedText{"0\na\nb", 0}));
}

TEST(ReplayText, OntoTheBaseGivesTheirs) {
  EXPECT_TRUE(rc::check([] {
    const std::string base = text_of_few_lines();
    const std::string theirs = text_of_few_lines();
    RC_ASSERT(replayed(base, base, theirs) == (MergedText{theirs, 0}));
    RC_ASSERT(replayed(base, theirs, base) == (MergedText{theirs, 0}));
  }));
}

}  // namespace
}  // namespace clever::diff

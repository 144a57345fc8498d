#include "diff/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "support/texts.h"
#include "support/trees.h"

namespace clever::diff {
namespace {

using test::numbered_lines;
using test_trees::Files;
using test_trees::link;
using test_trees::program;
using test_trees::submodule;
using test_trees::text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kTwentyLines = numbered_lines(1, 20);
const std::string kTopChanged = "top\n" + numbered_lines(2, 20);
const std::string kEndChanged = numbered_lines(1, 19) + "end\n";
const std::string kBoth = "top\n" + numbered_lines(2, 19) + "end\n";
const std::string kBinary("\0\1\2", 3);

class MergeTest : public testing::Test {
 protected:
  Child child(const std::string& name, const Files& base, const Files& tree,
              std::set<std::string> reads = {}) {
    return {name, trees_.tree(base), trees_.tree(tree), std::move(reads)};
  }

  base::Result<Merged> try_merge(const Files& ours, const std::vector<Child>& children,
                                 MergeStrategy strategy = MergeStrategy::kGitThreeWay) {
    return merge(trees_.store(), trees_.tree(ours), children, strategy);
  }

  // Of one base, what we made of it and what they made of it.
  Merged merged(const Files& base, const Files& ours, const Files& theirs,
                MergeStrategy strategy = MergeStrategy::kGitThreeWay) {
    return try_merge(ours, {child("child", base, theirs)}, strategy).value();
  }

  void expect_clean(const Files& base, const Files& ours, const Files& theirs,
                    const Files& expected) {
    for (const MergeStrategy strategy :
         {MergeStrategy::kGitThreeWay, MergeStrategy::kSequentialApply,
          MergeStrategy::kFailOnConflict, MergeStrategy::kLastWins}) {
      SCOPED_TRACE(to_string(strategy));
      const Merged result = merged(base, ours, theirs, strategy);
      EXPECT_THAT(result.conflicts, IsEmpty());
      EXPECT_EQ(trees_.files(result.tree), expected);
    }
  }

  // The tree with the conflict, and the tree if the last one wins.
  Conflict expect_conflict(const Files& base, const Files& ours, const Files& theirs,
                           const Files& kept, const Files& won) {
    const Merged result = merged(base, ours, theirs);
    EXPECT_FALSE(result.clean());
    EXPECT_EQ(trees_.files(result.tree), kept);
    const Merged last = merged(base, ours, theirs, MergeStrategy::kLastWins);
    EXPECT_TRUE(last.clean());
    EXPECT_EQ(last.conflicts.size(), result.conflicts.size());
    EXPECT_EQ(trees_.files(last.tree), won);
    const auto refused =
        try_merge(ours, {child("child", base, theirs)}, MergeStrategy::kFailOnConflict);
    EXPECT_FALSE(refused.ok());
    return result.conflicts.empty() ? Conflict{} : result.conflicts[0];
  }

  test_trees::Trees trees_;
};

TEST_F(MergeTest, OfNoChildIsOurs) {
  const Merged result = try_merge({{"a", text("1\n")}}, {}).value();
  EXPECT_EQ(result.tree, trees_.tree({{"a", text("1\n")}}));
  EXPECT_TRUE(result.clean());
}

TEST_F(MergeTest, AChildOnOursIsTaken) {
  expect_clean({{"a", text("1\n")}}, {{"a", text("1\n")}}, {{"b", text("2\n")}},
               {{"b", text("2\n")}});
}

TEST_F(MergeTest, ChangesOfDifferentFilesAreBothTaken) {
  expect_clean({{"a", text("1\n")}, {"d/b", text("2\n")}, {"c", text("3\n")}},
               {{"a", text("x\n")}, {"d/b", text("2\n")}, {"c", text("3\n")}},
               {{"a", text("1\n")}, {"d/b", text("y\n")}, {"e", text("4\n")}},
               {{"a", text("x\n")}, {"d/b", text("y\n")}, {"e", text("4\n")}});
}

TEST_F(MergeTest, ChangesOfDifferentLinesAreBothTaken) {
  expect_clean({{"a", text(kTwentyLines)}}, {{"a", text(kTopChanged)}}, {{"a", text(kEndChanged)}},
               {{"a", text(kBoth)}});
}

TEST_F(MergeTest, TheSameChangeIsNotAConflict) {
  expect_clean({{"a", text("1\n")}, {"b", text("1\n")}, {"m", text("1\n")}},
               {{"a", text("2\n")}, {"n", link("x")}, {"m", program("1\n")}},
               {{"a", text("2\n")}, {"n", link("x")}, {"m", program("1\n")}},
               {{"a", text("2\n")}, {"n", link("x")}, {"m", program("1\n")}});
}

TEST_F(MergeTest, AModeAndALineAreBothTaken) {
  expect_clean({{"a", text(kTwentyLines)}}, {{"a", program(kTwentyLines)}},
               {{"a", text(kEndChanged)}}, {{"a", program(kEndChanged)}});
  expect_clean({{"a", text(kTwentyLines)}}, {{"a", text(kTopChanged)}},
               {{"a", program(kTwentyLines)}}, {{"a", program(kTopChanged)}});
  expect_clean({{"a", text(kTwentyLines)}}, {{"a", text(kTopChanged)}},
               {{"a", program(kEndChanged)}}, {{"a", program(kBoth)}});
}

TEST_F(MergeTest, TheSameLinesAreAConflictWithMarkers) {
  const std::string marked = "<<<<<<< ours\n2\n||||||| base\n1\n=======\n3\n>>>>>>> child\n";
  const Conflict conflict =
      expect_conflict({{"a", text("1\n")}}, {{"a", program("2\n")}}, {{"a", text("3\n")}},
                      {{"a", program(marked)}}, {{"a", text("3\n")}});
  EXPECT_EQ(conflict.path, "a");
  EXPECT_EQ(conflict.kind, ConflictKind::kContent);
  EXPECT_EQ(conflict.base, trees_.node(text("1\n")));
  EXPECT_EQ(conflict.ours, trees_.node(program("2\n")));
  EXPECT_EQ(conflict.theirs, trees_.node(text("3\n")));
  EXPECT_EQ(conflict.marked, trees_.node(text(marked)).id);
  EXPECT_EQ(conflict.child, "child");
}

TEST_F(MergeTest, TheRestOfAChildWithAConflictIsMerged) {
  const Merged result =
      merged({{"a", text("1\n")}, {"b", text("1\n")}}, {{"a", text("2\n")}, {"b", text("1\n")}},
             {{"a", text("3\n")}, {"b", text("4\n")}});
  EXPECT_EQ(result.conflicts.size(), 1);
  EXPECT_EQ(trees_.files(result.tree)["b"], text("4\n"));
}

TEST_F(MergeTest, BinaryFilesAreNotMerged) {
  const Conflict conflict = expect_conflict(
      {{"a", text(kBinary)}}, {{"a", text(kBinary + "x")}}, {{"a", text(kBinary + "y")}},
      {{"a", text(kBinary + "x")}}, {{"a", text(kBinary + "y")}});
  EXPECT_EQ(conflict.kind, ConflictKind::kBinary);
  EXPECT_EQ(conflict.marked, std::nullopt);
}

TEST_F(MergeTest, AFileThatBecameBinaryIsNotMerged) {
  EXPECT_EQ(expect_conflict({{"a", text(kTwentyLines)}}, {{"a", text(kBinary)}},
                            {{"a", text(kEndChanged)}}, {{"a", text(kBinary)}},
                            {{"a", text(kEndChanged)}})
                .kind,
            ConflictKind::kBinary);
}

TEST_F(MergeTest, VeryLargeFilesAreNotMerged) {
  const std::string large(std::size_t{17} << 20U, 'x');
  EXPECT_EQ(
      merged({{"a", text("1\n")}}, {{"a", text(large)}}, {{"a", text("2\n")}}).conflicts[0].kind,
      ConflictKind::kBinary);
}

TEST_F(MergeTest, WhatWeDeletedAndTheyChanged) {
  EXPECT_EQ(
      expect_conflict({{"a", text("1\n")}}, {}, {{"a", text("2\n")}}, {}, {{"a", text("2\n")}})
          .kind,
      ConflictKind::kDeletedByUs);
}

TEST_F(MergeTest, WhatTheyDeletedAndWeChanged) {
  EXPECT_EQ(
      expect_conflict({{"a", text("1\n")}}, {{"a", text("2\n")}}, {}, {{"a", text("2\n")}}, {})
          .kind,
      ConflictKind::kDeletedByThem);
}

TEST_F(MergeTest, DifferentFilesAtOneNewPath) {
  const std::string marked = "<<<<<<< ours\n1\n||||||| base\n=======\n2\n>>>>>>> child\n";
  EXPECT_EQ(expect_conflict({}, {{"a", text("1\n")}}, {{"a", text("2\n")}}, {{"a", text(marked)}},
                            {{"a", text("2\n")}})
                .kind,
            ConflictKind::kBothAdded);
}

TEST_F(MergeTest, OneNewFileWithTwoModes) {
  EXPECT_EQ(expect_conflict({}, {{"a", text("1\n")}}, {{"a", program("1\n")}}, {{"a", text("1\n")}},
                            {{"a", program("1\n")}})
                .kind,
            ConflictKind::kMode);
}

TEST_F(MergeTest, LinksAreNotMerged) {
  EXPECT_EQ(expect_conflict({{"a", link("1")}}, {{"a", link("2")}}, {{"a", link("3")}},
                            {{"a", link("2")}}, {{"a", link("3")}})
                .kind,
            ConflictKind::kLink);
  EXPECT_EQ(expect_conflict({{"a", text("1\n")}}, {{"a", text("2\n")}}, {{"a", link("3")}},
                            {{"a", text("2\n")}}, {{"a", link("3")}})
                .kind,
            ConflictKind::kLink);
}

TEST_F(MergeTest, SubmodulesAreNotMerged) {
  EXPECT_EQ(
      expect_conflict({{"a", submodule('1')}}, {{"a", submodule('2')}}, {{"a", submodule('3')}},
                      {{"a", submodule('2')}}, {{"a", submodule('3')}})
          .kind,
      ConflictKind::kSubmodule);
}

TEST_F(MergeTest, ALinkOfTwoFilesThatReplacedItIsNotABaseOfTheirs) {
  EXPECT_EQ(
      merged({{"a", link("x")}}, {{"a", text("1\n")}}, {{"a", text("2\n")}}).conflicts[0].kind,
      ConflictKind::kBothAdded);
}

TEST_F(MergeTest, TheirFileWhereWeMadeAFolder) {
  const Conflict conflict = expect_conflict({}, {{"a/b", text("1\n")}}, {{"a", text("2\n")}},
                                            {{"a/b", text("1\n")}}, {{"a", text("2\n")}});
  EXPECT_EQ(conflict.kind, ConflictKind::kFileAndFolder);
  EXPECT_EQ(conflict.path, "a");
  EXPECT_EQ(conflict.ours->mode, git::FileMode::kDirectory);
}

TEST_F(MergeTest, TheirFileBelowAFileOfOurs) {
  const Conflict conflict = expect_conflict({}, {{"a", text("1\n")}}, {{"a/b/c", text("2\n")}},
                                            {{"a", text("1\n")}}, {{"a/b/c", text("2\n")}});
  EXPECT_EQ(conflict.kind, ConflictKind::kFileAndFolder);
  EXPECT_EQ(conflict.path, "a/b/c");
  EXPECT_EQ(conflict.ours_path, "a");
  EXPECT_EQ(conflict.ours, trees_.node(text("1\n")));
}

TEST_F(MergeTest, AFolderThatBecameAFileIsTaken) {
  expect_clean({{"a/b", text("1\n")}, {"a/c/d", text("2\n")}, {"x", text("3\n")}},
               {{"a/b", text("1\n")}, {"a/c/d", text("2\n")}, {"x", text("4\n")}},
               {{"a", text("5\n")}, {"x", text("3\n")}}, {{"a", text("5\n")}, {"x", text("4\n")}});
}

TEST_F(MergeTest, AFileThatBecameAFolderIsTaken) {
  expect_clean({{"a", text("1\n")}, {"x", text("3\n")}}, {{"a", text("1\n")}, {"x", text("4\n")}},
               {{"a/b", text("2\n")}, {"x", text("3\n")}},
               {{"a/b", text("2\n")}, {"x", text("4\n")}});
}

TEST_F(MergeTest, AFolderThatBecameAFileWhileWeAddedToIt) {
  const Conflict conflict =
      expect_conflict({{"a/b", text("1\n")}}, {{"a/b", text("1\n")}, {"a/c", text("2\n")}},
                      {{"a", text("3\n")}}, {{"a/c", text("2\n")}}, {{"a", text("3\n")}});
  EXPECT_EQ(conflict.kind, ConflictKind::kFileAndFolder);
}

TEST_F(MergeTest, AFileThatBecameAFolderWhileWeChangedIt) {
  const Merged result = merged({{"a", text("1\n")}}, {{"a", text("2\n")}}, {{"a/b", text("3\n")}});
  ASSERT_EQ(result.conflicts.size(), 2);
  EXPECT_EQ(result.conflicts[0].kind, ConflictKind::kDeletedByThem);
  EXPECT_EQ(result.conflicts[1].kind, ConflictKind::kFileAndFolder);
  EXPECT_EQ(trees_.files(result.tree), (Files{{"a", text("2\n")}}));
  EXPECT_EQ(trees_.files(merged({{"a", text("1\n")}}, {{"a", text("2\n")}}, {{"a/b", text("3\n")}},
                                MergeStrategy::kLastWins)
                             .tree),
            (Files{{"a/b", text("3\n")}}));
}

TEST_F(MergeTest, AFileTheyDeletedAndWeMadeAFolder) {
  expect_clean({{"a", text("1\n")}}, {{"a/b", text("2\n")}}, {}, {{"a/b", text("2\n")}});
}

TEST_F(MergeTest, OurChangeFollowsTheirRename) {
  expect_clean({{"old", text(kTwentyLines)}}, {{"old", program(kTopChanged)}},
               {{"d/new", text(kEndChanged)}}, {{"d/new", program(kBoth)}});
}

TEST_F(MergeTest, TheirChangeFollowsOurRename) {
  expect_clean({{"old", text(kTwentyLines)}}, {{"d/new", text(kTopChanged)}},
               {{"old", program(kEndChanged)}}, {{"d/new", program(kBoth)}});
}

TEST_F(MergeTest, BothMadeTheSameRename) {
  expect_clean({{"old", text(kTwentyLines)}}, {{"new", text(kTopChanged)}},
               {{"new", text(kEndChanged)}}, {{"new", text(kBoth)}});
}

TEST_F(MergeTest, AConflictIsFoundWhereTheFileWent) {
  const Conflict conflict = merged({{"old", text(kTwentyLines)}}, {{"new", text(kTopChanged)}},
                                   {{"old", text("x\n" + numbered_lines(2, 20))}})
                                .conflicts.at(0);
  EXPECT_EQ(conflict.path, "new");
  EXPECT_EQ(conflict.from, "old");
  EXPECT_EQ(conflict.kind, ConflictKind::kContent);
}

TEST_F(MergeTest, TwoRenamesOfOneFile) {
  const Conflict conflict = expect_conflict(
      {{"old", text(kTwentyLines)}}, {{"one", text(kTopChanged)}}, {{"two", text(kEndChanged)}},
      {{"one", text(kTopChanged)}}, {{"two", text(kEndChanged)}});
  EXPECT_EQ(conflict.kind, ConflictKind::kRename);
  EXPECT_EQ(conflict.path, "two");
  EXPECT_EQ(conflict.from, "old");
  EXPECT_EQ(conflict.ours_path, "one");
}

TEST_F(MergeTest, WhatWeDeletedAndTheyMoved) {
  const Conflict conflict =
      expect_conflict({{"old", text(kTwentyLines)}}, {}, {{"new", text(kTwentyLines)}}, {},
                      {{"new", text(kTwentyLines)}});
  EXPECT_EQ(conflict.kind, ConflictKind::kDeletedByUs);
  EXPECT_EQ(conflict.path, "new");
  EXPECT_EQ(conflict.from, "old");
}

TEST_F(MergeTest, WhatTheyDeletedAndWeMoved) {
  const Conflict conflict =
      expect_conflict({{"old", text(kTwentyLines)}}, {{"new", text(kTwentyLines)}}, {},
                      {{"new", text(kTwentyLines)}}, {});
  EXPECT_EQ(conflict.kind, ConflictKind::kDeletedByThem);
  EXPECT_EQ(conflict.path, "new");
}

TEST_F(MergeTest, WhatWeMovedAndTheyReplacedByALink) {
  const Conflict conflict = expect_conflict(
      {{"old", text(kTwentyLines)}}, {{"new", text(kTwentyLines)}}, {{"old", link("x")}},
      {{"new", text(kTwentyLines)}, {"old", link("x")}}, {{"old", link("x")}});
  EXPECT_EQ(conflict.kind, ConflictKind::kDeletedByThem);
  EXPECT_EQ(conflict.path, "new");
}

TEST_F(MergeTest, TheirRenameToAPathThatWeTook) {
  const Merged result =
      merged({{"old", text(kTwentyLines)}}, {{"old", text(kTopChanged)}, {"new", text("1\n")}},
             {{"new", text(kEndChanged)}});
  ASSERT_EQ(result.conflicts.size(), 2);
  EXPECT_EQ(result.conflicts[0].kind, ConflictKind::kBothAdded);
  EXPECT_EQ(result.conflicts[1].kind, ConflictKind::kDeletedByThem);
}

TEST_F(MergeTest, TheirRenameOfWhatWeDeletedToAPathThatWeTook) {
  const Merged result =
      merged({{"old", text(kTwentyLines)}}, {{"new", text("1\n")}}, {{"new", text(kEndChanged)}});
  ASSERT_EQ(result.conflicts.size(), 1);
  EXPECT_EQ(result.conflicts[0].kind, ConflictKind::kBothAdded);
}

TEST_F(MergeTest, OurRenameToAPathThatTheyTook) {
  const Merged result = merged({{"old", text(kTwentyLines)}}, {{"new", text(kTopChanged)}},
                               {{"old", text(kEndChanged)}, {"new", text("1\n")}});
  ASSERT_EQ(result.conflicts.size(), 2);
  EXPECT_EQ(result.conflicts[0].kind, ConflictKind::kBothAdded);
  EXPECT_EQ(result.conflicts[1].kind, ConflictKind::kDeletedByUs);
}

TEST_F(MergeTest, ChildrenFollowTheRenamesOfEarlierOnes) {
  const Files base = {{"a", text(kTwentyLines)}, {"z", text("1\n")}};
  const Merged result =
      try_merge({{"a", text(kTwentyLines)}, {"z", text("2\n")}},
                {child("first", base, {{"b", text(kTwentyLines)}, {"z", text("1\n")}}),
                 child("second", {{"b", text(kTwentyLines)}, {"z", text("2\n")}},
                       {{"c", text(kTopChanged)}, {"z", text("2\n")}}),
                 child("third", base, {{"a", text(kEndChanged)}, {"z", text("1\n")}})})
          .value();
  EXPECT_TRUE(result.clean());
  EXPECT_EQ(trees_.files(result.tree), (Files{{"c", text(kBoth)}, {"z", text("2\n")}}));
}

TEST_F(MergeTest, ReportsALaterConflictInAMarkedFile) {
  const Files base = {{"a", text("1\n")}};
  const Merged result = try_merge(base, {child("first", base, {{"a", text("2\n")}}),
                                         child("second", base, {{"a", text("3\n")}}),
                                         child("third", base, {{"a", text("4\n")}})})
                            .value();
  ASSERT_EQ(result.conflicts.size(), 2);
  EXPECT_EQ(result.conflicts[1].child, "third");
  EXPECT_EQ(trees_.files(result.tree)["a"].content,
            trees_.store().blob(*result.conflicts[1].marked).value());
  EXPECT_THAT(trees_.files(result.tree)["a"].content,
              HasSubstr("<<<<<<<< second\n<<<<<<< first\n"));
}

TEST_F(MergeTest, ReplayedChildrenMayMove) {
  const Files base = {{"a", text(kTwentyLines)}};
  const Merged result =
      try_merge({{"a", text("new\n" + kTwentyLines)}},
                {child("child", base, {{"a", text(kEndChanged)}})}, MergeStrategy::kSequentialApply)
          .value();
  EXPECT_TRUE(result.clean());
  EXPECT_EQ(trees_.files(result.tree)["a"], text("new\n" + kEndChanged));
}

TEST_F(MergeTest, AReplayedChangeMustFindItsContext) {
  const Files base = {{"a", text("1\n2\n3\n4\n")}};
  const Files ours = {{"a", text("x\n2\n3\n4\n")}};
  const Files theirs = {{"a", text("1\n2\ny\n4\n")}};
  EXPECT_TRUE(merged(base, ours, theirs).clean());
  const Merged result = merged(base, ours, theirs, MergeStrategy::kSequentialApply);
  ASSERT_EQ(result.conflicts.size(), 1);
  EXPECT_EQ(result.conflicts[0].kind, ConflictKind::kContent);
  EXPECT_EQ(trees_.files(result.tree)["a"].content,
            trees_.store().blob(*result.conflicts[0].marked).value());
}

TEST_F(MergeTest, ARefusalNamesTheChildTheFilesAndTheKinds) {
  const auto result = try_merge(
      {{"a", text("2\n")}, {"b", text("2\n")}},
      {child("fix tests", {{"a", text("1\n")}, {"b", text("1\n")}}, {{"a", text("3\n")}})},
      MergeStrategy::kFailOnConflict);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kConflict);
  EXPECT_THAT(result.error().message(),
              HasSubstr("2 conflicts while merging 'fix tests': a (content), b (deleted_by_them)"));
}

TEST_F(MergeTest, ARefusalOfVeryManyNamesSome) {
  Files base;
  Files ours;
  Files theirs;
  for (int i = 0; i < 25; ++i) {
    base[std::to_string(i)] = text("1\n");
    ours[std::to_string(i)] = text("2\n");
    theirs[std::to_string(i)] = text("3\n");
  }
  const auto result =
      try_merge(ours, {child("child", base, theirs)}, MergeStrategy::kFailOnConflict);
  EXPECT_THAT(result.error().message(), HasSubstr("25 conflicts"));
  EXPECT_THAT(result.error().message(), HasSubstr(", …"));
}

TEST_F(MergeTest, AStopIsObeyed) {
  base::StopSource source;
  source.request_stop();
  const Files base = {{"a", text("1\n")}};
  const auto result =
      merge(trees_.store(), trees_.tree(base), {child("child", base, {{"a", text("2\n")}})},
            MergeStrategy::kGitThreeWay, source.token());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kCancelled);
}

TEST_F(MergeTest, AReadOfWhatAnEarlierChildChangedIsStale) {
  const Files base = {{"a", text("1\n")}, {"b", text("1\n")}, {"d/c", text("1\n")}};
  Files first = base;
  first["a"] = text("2\n");
  first["d/c"] = text("2\n");
  Files second = base;
  second["b"] = text("2\n");
  const Merged result = try_merge(base, {child("first", base, first, {"b"}),
                                         child("second", base, second, {"a", "b", "d/", "none"})})
                            .value();
  EXPECT_TRUE(result.clean());
  EXPECT_THAT(result.stale_reads,
              ElementsAre(StaleRead{"second", "a", "first"}, StaleRead{"second", "d/c", "first"}));
}

TEST_F(MergeTest, AReadOfWhatWasThereAlreadyIsNotStale) {
  const Files base = {{"a", text("1\n")}, {"b", text("1\n")}};
  const Files first = {{"a", text("2\n")}, {"b", text("1\n")}};
  const Files second = {{"a", text("2\n")}, {"b", text("2\n")}};
  const Merged result =
      try_merge(base, {child("first", base, first), child("second", first, second, {"a"})}).value();
  EXPECT_THAT(result.stale_reads, IsEmpty());
  EXPECT_EQ(trees_.files(result.tree), second);
}

TEST_F(MergeTest, AReadInVainOfWhatAnEarlierChildMadeIsStale) {
  const Merged result = try_merge({}, {child("first", {}, {{"a", text("1\n")}}),
                                       child("second", {}, {{"b", text("1\n")}}, {"a"})})
                            .value();
  EXPECT_THAT(result.stale_reads, ElementsAre(StaleRead{"second", "a", "first"}));
}

TEST(MergeNames, StrategiesAreReadAsTheyAreWritten) {
  for (const MergeStrategy strategy : {MergeStrategy::kGitThreeWay, MergeStrategy::kSequentialApply,
                                       MergeStrategy::kFailOnConflict, MergeStrategy::kLastWins}) {
    EXPECT_EQ(merge_strategy_from_string(to_string(strategy)).value(), strategy);
  }
}

TEST(MergeNames, AnUnknownStrategyErrorListsTheKnownOnes) {
  const auto result = merge_strategy_from_string("octopus");
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message(), HasSubstr("'octopus'"));
  EXPECT_THAT(result.error().message(), HasSubstr("git_three_way, sequential_apply"));
}

TEST(MergeNames, EachKindHasItsOwn) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(ConflictKind::kRename); ++kind) {
    names.insert(to_string(static_cast<ConflictKind>(kind)));
  }
  EXPECT_EQ(names.size(), 10);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace clever::diff

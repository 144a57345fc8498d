#include "diff/tree_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/campaign.h"
#include "support/texts.h"
#include "support/trees.h"

namespace clever::diff {
namespace {

using test::numbered_lines;
using test_trees::Files;
using test_trees::Maker;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TreeDiff : public testing::Test {
 protected:
  std::vector<FileDiff> diff(const Files& before, const Files& after,
                             const TreeDiffOptions& options = {}) {
    return diff_trees(trees_.store(), trees_.tree(before), trees_.tree(after), options).value();
  }
  Files chosen(const Files& before, const Files& after, const std::vector<std::string>& ids) {
    return trees_.files(
        choose_hunks(trees_.store(), trees_.tree(before), trees_.tree(after), ids).value());
  }

  test_trees::Trees trees_;
};

TEST_F(TreeDiff, EqualTreesHaveNone) {
  EXPECT_THAT(diff({{"a", {.content = "1\n"}}}, {{"a", {.content = "1\n"}}}), IsEmpty());
}

TEST_F(TreeDiff, CountsLinesAndBytes) {
  const auto files = diff({{"a", {.content = "1\n2\n"}}}, {{"a", {.content = "1\n3\n4\n"}}});
  ASSERT_EQ(files.size(), 1);
  EXPECT_EQ(files[0].added, 2);
  EXPECT_EQ(files[0].removed, 1);
  EXPECT_EQ(files[0].old_size, 4);
  EXPECT_EQ(files[0].new_size, 6);
  EXPECT_EQ(files[0].hunks.size(), 1);
}

TEST_F(TreeDiff, BinaryFilesHaveNoHunks) {
  const std::string binary("a\0b", 3);
  const auto files = diff({{"a", {.content = "text\n"}}}, {{"a", {.content = binary}}});
  ASSERT_EQ(files.size(), 1);
  EXPECT_TRUE(files[0].binary);
  EXPECT_THAT(files[0].hunks, IsEmpty());
  EXPECT_THAT(unified(files), HasSubstr("Binary files a/a and b/a differ\n"));
  EXPECT_EQ(stat(files, 80),
            " a | Bin 5 -> 3 bytes\n 1 file changed, 0 insertions(+), 0 deletions(-)\n");
}

TEST_F(TreeDiff, LargeFilesAreShownLikeBinaryOnes) {
  const auto files = diff({{"a", {.content = numbered_lines(1, 9)}}},
                          {{"a", {.content = numbered_lines(2, 9)}}}, {.largest_file = 10});
  ASSERT_EQ(files.size(), 1);
  EXPECT_TRUE(files[0].too_large);
  EXPECT_FALSE(files[0].binary);
  EXPECT_THAT(files[0].hunks, IsEmpty());
  EXPECT_THAT(unified(files), HasSubstr("Binary files a/a and b/a differ\n"));
}

TEST_F(TreeDiff, AStopIsObeyed) {
  base::StopSource source;
  source.request_stop();
  const auto result = diff_trees(trees_.store(), git::empty_tree(),
                                 trees_.tree({{"a", {.content = "1\n"}}}), {}, source.token());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kCancelled);
}

TEST_F(TreeDiff, AMissingObjectIsNamedWithItsPath) {
  const git::ObjectId missing = git::object_id_of(git::ObjectKind::kBlob, "not there");
  const git::ObjectId tree =
      git::edit_tree(
          trees_.store(), git::empty_tree(),
          {{git::TreePath::parse("a").value(), git::Node{git::FileMode::kFile, missing}}})
          .value();
  const auto result = diff_trees(trees_.store(), git::empty_tree(), tree);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kNotFound);
  EXPECT_THAT(result.error().sentence(), HasSubstr("comparing a"));
}

TEST_F(TreeDiff, FindsARenameByContent) {
  const auto files = diff({{"old", {.content = "1\n"}}}, {{"new", {.content = "1\n"}}});
  ASSERT_EQ(files.size(), 1);
  EXPECT_EQ(files[0].from, "old");
  EXPECT_EQ(files[0].path, "new");
  EXPECT_EQ(files[0].similarity, 100);
  EXPECT_THAT(files[0].hunks, IsEmpty());
}

TEST_F(TreeDiff, FindsARenameBySimilarity) {
  const auto files = diff({{"old", {.content = numbered_lines(1, 20)}}},
                          {{"new", {.content = numbered_lines(2, 20)}}});
  ASSERT_EQ(files.size(), 1);
  EXPECT_EQ(files[0].from, "old");
  EXPECT_GT(files[0].similarity, 90);
  EXPECT_EQ(files[0].removed, 1);
}

TEST_F(TreeDiff, FilesThatAreLessThanHalfAlikeAreNoRename) {
  EXPECT_EQ(diff({{"old", {.content = numbered_lines(1, 20)}}},
                 {{"new", {.content = numbered_lines(14, 40)}}})
                .size(),
            2);
}

TEST_F(TreeDiff, EmptyFilesAreNoRename) { EXPECT_EQ(diff({{"old", {}}}, {{"new", {}}}).size(), 2); }

TEST_F(TreeDiff, AFileAndALinkAreNoRename) {
  EXPECT_EQ(diff({{"old", {.content = "a"}}}, {{"new", test_trees::link("a")}}).size(), 2);
}

TEST_F(TreeDiff, ALinkThatMadeRoomForAFolderIsNotMoved) {
  const test_trees::File link = test_trees::link("x");
  EXPECT_EQ(diff({{"a", link}}, {{"b", link}}).size(), 1);
  EXPECT_EQ(diff({{"a", link}}, {{"a/b", link}}).size(), 2);
  EXPECT_EQ(diff({{"a", link}}, {{"a/b", {.content = "1\n"}}, {"b", link}}).size(), 3);
}

TEST_F(TreeDiff, RenamesAreNotSoughtIfNotWanted) {
  EXPECT_EQ(
      diff({{"old", {.content = "1\n"}}}, {{"new", {.content = "1\n"}}}, {.find_renames = false})
          .size(),
      2);
}

TEST_F(TreeDiff, ARenamePrefersTheSameName) {
  const auto files = diff({{"p/x", {.content = "1\n"}}, {"p/y", {.content = "1\n"}}},
                          {{"q/y", {.content = "1\n"}}});
  ASSERT_EQ(files.size(), 2);
  EXPECT_EQ(files[0].path, "p/x");
  EXPECT_EQ(files[1].from, "p/y");
}

TEST_F(TreeDiff, ARenamePrefersTheMoreAlike) {
  const auto files =
      diff({{"a", {.content = numbered_lines(1, 14)}}, {"b", {.content = numbered_lines(1, 20)}}},
           {{"c", {.content = numbered_lines(1, 19)}}});
  ASSERT_EQ(files.size(), 2);
  EXPECT_EQ(files[1].from, "b");
}

TEST_F(TreeDiff, AmongVeryManyOnlyEqualNamesAreCompared) {
  Files before;
  Files after;
  for (std::size_t i = 0; i < 220; ++i) {
    before["old/" + std::to_string(i)] = {.content = numbered_lines(i * 100, i * 100 + 9)};
    after["new/" + std::to_string(i)] = {.content = numbered_lines(i * 100 + 1, i * 100 + 9)};
  }
  after["new/other"] = after["new/0"];
  after.erase("new/0");
  const auto files = diff(before, after);
  EXPECT_EQ(files.size(), 221);
  EXPECT_EQ(
      std::ranges::count_if(files, [](const FileDiff& file) { return file.from.has_value(); }),
      219);
}

TEST_F(TreeDiff, AChangedKindIsRemovedAndMade) {
  const auto files = diff({{"a", {.content = "1\n"}}}, {{"a", test_trees::link("b")}});
  ASSERT_EQ(files.size(), 1);
  EXPECT_EQ(files[0].hunks.size(), 2);
  EXPECT_THAT(choices_of(files[0]), ElementsAre(whole_file_id(files[0])));
  EXPECT_THAT(unified(files), HasSubstr("deleted file mode 100644"));
  EXPECT_THAT(unified(files), HasSubstr("new file mode 120000"));
}

TEST_F(TreeDiff, WordsAreMarkedInsideTheirLines) {
  const auto files = diff({{"a", {.content = "one two\nx\n"}}}, {{"a", {.content = "one 2\nx"}}});
  EXPECT_THAT(word_diff(files), HasSubstr("one [-two-]{+2+}\nx"));
  EXPECT_THAT(word_diff(files), HasSubstr("@@ -1,2 +1,2 @@\n"));
}

TEST_F(TreeDiff, AddedLinesAreMarkedOneByOne) {
  const auto files = diff({}, {{"a", {.content = "one\n\ntwo"}}});
  EXPECT_THAT(word_diff(files), HasSubstr("{+one+}\n\n{+two+}\n"));
}

TEST_F(TreeDiff, NoFilesHaveNoStatistics) { EXPECT_EQ(stat({}, 80), ""); }

TEST_F(TreeDiff, ModeAndLinesAreChosenApart) {
  const Files before = {{"a", {.content = "1\n"}}};
  const Files after = {{"a", test_trees::program("2\n")}};
  const auto files = diff(before, after);
  EXPECT_EQ(chosen(before, after, {whole_file_id(files[0])}),
            (Files{{"a", test_trees::program("1\n")}}));
  EXPECT_EQ(chosen(before, after, {files[0].hunks[0].id}), (Files{{"a", {.content = "2\n"}}}));
}

TEST_F(TreeDiff, ARenameAndItsLinesAreChosenApart) {
  const Files before = {{"old", {.content = numbered_lines(1, 20)}}};
  const Files after = {{"new", {.content = numbered_lines(2, 20)}}};
  const auto files = diff(before, after);
  EXPECT_EQ(chosen(before, after, {whole_file_id(files[0])}),
            (Files{{"new", {.content = numbered_lines(1, 20)}}}));
  EXPECT_EQ(chosen(before, after, {files[0].hunks[0].id}),
            (Files{{"old", {.content = numbered_lines(2, 20)}}}));
}

TEST_F(TreeDiff, SomeHunksOfAFileAreChosen) {
  const Files before = {{"a", {.content = numbered_lines(1, 20)}}};
  const Files after = {{"a", {.content = "0\n" + numbered_lines(1, 20) + "21\n"}}};
  const auto files = diff(before, after);
  ASSERT_EQ(files[0].hunks.size(), 2);
  EXPECT_EQ(chosen(before, after, {files[0].hunks[1].id}),
            (Files{{"a", {.content = numbered_lines(1, 20) + "21\n"}}}));
}

TEST_F(TreeDiff, TheWholeFilesIdDoesNotDependOnItsLines) {
  const auto one = diff({{"a", {.content = "1\n"}}}, {{"a", test_trees::program("2\n")}});
  const auto other = diff({{"a", {.content = "1\n"}}}, {{"a", test_trees::program("3\n")}});
  EXPECT_EQ(whole_file_id(one[0]), whole_file_id(other[0]));
}

TEST_F(TreeDiff, AnUnknownChoiceIsNamed) {
  const auto result = choose_hunks(trees_.store(), git::empty_tree(), git::empty_tree(), {"beef"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message(), HasSubstr("'beef'"));
}

TEST_F(TreeDiff, AChoiceThatCannotStandAloneIsRefused) {
  const Files before = {{"a", {.content = "1\n"}}};
  const Files after = {{"a/b", {.content = "2\n"}}};
  const auto files = diff(before, after);
  ASSERT_EQ(files.size(), 2);
  const auto result =
      choose_hunks(trees_.store(), trees_.tree(before), trees_.tree(after), choices_of(files[1]));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kInvalidArgument);
}

TEST_F(TreeDiff, AllChoicesGiveTheNewTreeAndNoneTheOld) {
  for (std::size_t seed = 0; seed < test::campaign(40, 2000); ++seed) {
    SCOPED_TRACE(seed);
    Maker maker(seed);
    const Files before = maker.tree({});
    const Files after = maker.changed(before, {});
    std::vector<std::string> all;
    for (const FileDiff& file : diff(before, after)) {
      for (std::string& id : choices_of(file)) all.push_back(std::move(id));
    }
    ASSERT_EQ(chosen(before, after, all), after);
    ASSERT_EQ(chosen(before, after, {}), before);
  }
}

// What git says of the same trees. Starting git costs more than what it does here: all trees of a
// test are made at once.
class TreeDiffAndGit : public TreeDiff {
 protected:
  struct Pair {
    Files before;
    Files after;
  };

  void make(std::size_t count, std::uint64_t seed, const Maker::Choice& choice) {
    for (std::size_t i = 0; i < count; ++i) {
      Maker maker(seed + i);
      Files before = maker.tree(choice);
      Files after = maker.changed(before, choice);
      pairs_.push_back({std::move(before), std::move(after)});
    }
    import();
  }
  void import() {
    test_trees::Import import;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      import.commit("before" + std::to_string(i), "", pairs_[i].before);
      import.commit("after" + std::to_string(i), "", pairs_[i].after);
    }
    import.run(repository_);
  }
  std::string git_diff(std::size_t index, std::vector<std::string> options) {
    options.insert(options.begin(), "diff-tree");
    options.insert(options.end(),
                   {"before" + std::to_string(index), "after" + std::to_string(index)});
    return repository_.git(std::move(options));
  }
  std::vector<FileDiff> our_diff(std::size_t index, const TreeDiffOptions& options = {}) {
    return diff(pairs_[index].before, pairs_[index].after, options);
  }
  void apply(std::vector<std::string> options, const std::string& patch) {
    if (patch.empty()) return;
    options.insert(options.begin(), {"apply", "--whitespace=nowarn"});
    const auto result = repository_.run(std::move(options), patch);
    EXPECT_EQ(result.exit_code, 0) << result.error_output << patch;
  }

  std::vector<Pair> pairs_;
  const test::Repository repository_;
};

TEST_F(TreeDiffAndGit, PrintTheSame) {
  make(test::campaign(12, 3000), 0, {});
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(unified(our_diff(i, {.find_renames = false})),
              git_diff(i, {"-p", "--full-index", "--no-renames"}));
  }
}

TEST_F(TreeDiffAndGit, CountTheSame) {
  make(test::campaign(12, 1000), 1'000'000, {.links_and_submodules = false});
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    SCOPED_TRACE(i);
    const std::size_t width = 30 + i * 7 % 60;
    ASSERT_EQ(stat(our_diff(i, {.find_renames = false}), width),
              git_diff(i, {"--no-renames", "--stat=" + std::to_string(width)}));
  }
}

TEST_F(TreeDiffAndGit, NameRenamesTheSame) {
  const std::string long_path = "a/very/long/path/that/is/cut/at/its/front/since/it/is/too/wide/";
  const std::vector<std::pair<std::string, std::string>> names = {
      {"a", "b"},
      {"folder/a", "folder/b"},
      {"one/a", "other/a"},
      {"p/one/q/a", "p/other/q/a"},
      {"p/q/a", "p/a"},
      {"p/a", "p/p/a"},
      {"a b", "c d"},
      {"tab\t", "c"},
      {long_path + "a", long_path + "b"}};
  for (const auto& [from, to] : names) {
    pairs_.push_back(
        {{{from, {.content = numbered_lines(1, 20)}}}, {{to, {.content = numbered_lines(2, 20)}}}});
  }
  import();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    SCOPED_TRACE(names[i].first);
    EXPECT_EQ(stat(our_diff(i), 80), git_diff(i, {"-M", "--stat=80"}));
  }
}

TEST_F(TreeDiffAndGit, GitTakesThePatch) {
  make(test::campaign(12, 1000), 2'000'000, {.trailing_blanks = true});
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    SCOPED_TRACE(i);
    repository_.git({"read-tree", "before" + std::to_string(i)});
    apply({"--cached"}, unified(our_diff(i)));
    ASSERT_EQ(repository_.line({"write-tree"}), trees_.tree(pairs_[i].after).to_hex());
  }
}

TEST_F(TreeDiffAndGit, GitTakesThePatchInAWorkingTree) {
  make(test::campaign(3, 200), 3'000'000, {.links_and_submodules = false, .binary = false});
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    SCOPED_TRACE(i);
    repository_.git({"checkout", "--quiet", "--force", "--detach", "before" + std::to_string(i)});
    apply({}, unified(our_diff(i)));
    repository_.git({"add", "--all"});
    ASSERT_EQ(repository_.line({"write-tree"}), trees_.tree(pairs_[i].after).to_hex());
  }
}

}  // namespace
}  // namespace clever::diff

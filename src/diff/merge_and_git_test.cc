#include <gtest/gtest.h>

#include "diff/merge.h"
#include "support/campaign.h"
#include "support/trees.h"

// The same trees merged here and by git.
namespace clever::diff {
namespace {

using test_trees::Files;
using test_trees::Maker;

// Starting git costs more than what it does here: all trees of a test are made at once.
class MergeAndGit : public testing::Test {
 protected:
  struct Trio {
    Files base;
    Files ours;
    Files theirs;
  };

  // The number of clean merges.
  std::size_t expect_same(const std::vector<Trio>& trios, bool renames) {
    import(trios);
    std::size_t clean = 0;
    for (std::size_t i = 0; i < trios.size() && !HasFailure(); ++i) {
      SCOPED_TRACE(i);
      if (expect_same(trios[i], i, renames)) ++clean;
    }
    return clean;
  }

 private:
  void import(const std::vector<Trio>& trios) {
    test_trees::Import import;
    for (std::size_t i = 0; i < trios.size(); ++i) {
      const std::string number = std::to_string(i);
      import.commit("base" + number, "", trios[i].base)
          .commit("ours" + number, "base" + number, trios[i].ours)
          .commit("theirs" + number, "base" + number, trios[i].theirs);
    }
    import.run(repository_);
  }

  bool expect_same(const Trio& trio, std::size_t index, bool renames) {
    const std::string number = std::to_string(index);
    const auto expected =
        repository_.run({"-c", std::string("merge.renames=") + (renames ? "true" : "false"), "-c",
                         "merge.directoryRenames=false", "merge-tree", "--write-tree",
                         "ours" + number, "theirs" + number});
    // Git 2.39 fails an assertion where two kinds of things meet: nothing to agree with.
    if (expected.exit_code > 1) return false;
    const Merged merged = merge(trio);
    EXPECT_EQ(merged.clean(), expected.exit_code == 0) << expected.output;
    if (expected.exit_code != 0) return false;
    EXPECT_EQ(merged.tree.to_hex(), expected.output.substr(0, 40));
    return true;
  }

  Merged merge(const Trio& trio) {
    return diff::merge(
               trees_.store(), trees_.tree(trio.ours),
               {{.name = "x", .base = trees_.tree(trio.base), .tree = trees_.tree(trio.theirs)}},
               MergeStrategy::kGitThreeWay)
        .value();
  }

  test_trees::Trees trees_;
  const test::Repository repository_;
};

// Every kind of change but renames, with few and with many conflicts.
TEST_F(MergeAndGit, AgreeOnRandomTrees) {
  std::vector<Trio> trios(test::campaign(20, 4000));
  for (std::size_t i = 0; i < trios.size(); ++i) {
    Maker maker(i);
    const Maker::Choice choice{.renames = false};
    const Files base = maker.tree(choice);
    Files ours = maker.changed(base, choice);
    Files theirs = maker.changed(base, choice);
    // With all of both sides' changes hardly a merge is clean.
    for (const auto& [path, file] : base) {
      if (maker.below(4) != 0) (maker.below(2) == 0 ? ours : theirs)[path] = file;
    }
    Maker::drop_clashes(ours);
    Maker::drop_clashes(theirs);
    trios[i] = {base, std::move(ours), std::move(theirs)};
  }
  const std::size_t clean = expect_same(trios, false);
  EXPECT_GT(clean, trios.size() / 10);
  EXPECT_LT(clean, trios.size());
}

std::string numbered(std::string_view word, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += std::string(word) + " " + std::to_string(i) + "\n";
  }
  return text;
}

// Each file removed, or changed at one of a few lines, moved, or both.
Files moved_and_changed(Maker& maker, const Files& base) {
  Files files;
  for (const auto& [path, file] : base) {
    const std::size_t what = maker.below(8);
    if (what == 0) continue;
    std::string content = file.content;
    if (what >= 4) {
      const std::string line = " " + std::to_string(maker.below(5) * 7) + "\n";
      content.replace(content.find(line), line.size(), " changed " + std::to_string(what) + "\n");
    }
    const std::string target = what == 1 || what == 5 ? "new/" + path : path;
    files[what == 2 ? "other/" + path : target] = {.content = content};
  }
  return files;
}

TEST_F(MergeAndGit, AgreeOnRenames) {
  const Files base = {{"p", {.content = numbered("alpha", 40)}},
                      {"q", {.content = numbered("beta", 40)}},
                      {"r", {.content = numbered("gamma", 40)}}};
  std::vector<Trio> trios(test::campaign(20, 2000));
  for (std::size_t i = 0; i < trios.size(); ++i) {
    Maker maker(i);
    const Files ours = moved_and_changed(maker, base);
    trios[i] = {base, ours, moved_and_changed(maker, base)};
  }
  const std::size_t clean = expect_same(trios, true);
  EXPECT_GT(clean, trios.size() / 10);
  EXPECT_LT(clean, trios.size());
}

}  // namespace
}  // namespace clever::diff

#include "git/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/repository.h"
#include "support/temporary_directory.h"
#include "support/tree_paths.h"

namespace clever::git {
namespace {

using base::ErrorCode;
using test::path_of;
using testing::ElementsAre;
using testing::HasSubstr;

class Trees : public testing::Test {
 protected:
  [[nodiscard]] Node file(std::string_view content) {
    return {.mode = FileMode::kFile, .id = store->put(ObjectKind::kBlob, content).value()};
  }
  [[nodiscard]] ObjectId tree_of(const std::vector<std::pair<std::string, std::string>>& files) {
    std::vector<TreeChange> changes;
    for (const auto& [name, content] : files) changes.push_back({path_of(name), file(content)});
    return edit_tree(*store, empty_tree(), changes).value();
  }
  [[nodiscard]] base::Result<ObjectId> edit(const ObjectId& tree, std::vector<TreeChange> changes) {
    return edit_tree(*store, tree, std::move(changes));
  }
  [[nodiscard]] std::vector<std::string> paths(const ObjectId& tree) {
    std::vector<std::string> found;
    walk(*store, tree, std::nullopt, [&](const std::string& name, const Node&) {
      found.push_back(name);
      return true;
    }).value();
    return found;
  }

  test::TemporaryDirectory folder;
  std::shared_ptr<ObjectStore> store = ObjectStore::open({.folder = folder / "store"}).value();
};

TEST_F(Trees, FindsWhatIsAtAPath) {
  const ObjectId tree = tree_of({{"a.txt", "1"}, {"d/e/f.txt", "2"}});
  EXPECT_EQ(find(*store, tree, path_of("a.txt")).value(), file("1"));
  EXPECT_EQ(find(*store, tree, path_of("d/e/f.txt")).value(), file("2"));
  EXPECT_EQ(find(*store, tree, path_of("d/e")).value()->mode, FileMode::kDirectory);
  EXPECT_EQ(find(*store, tree, path_of("d/x")).value(), std::nullopt);
  EXPECT_EQ(find(*store, tree, path_of("a.txt/x")).value(), std::nullopt);
}

TEST_F(Trees, AreCopiedWithAllBelowThem) {
  const ObjectId tree = tree_of({{"a.txt", "1"}, {"d/e/f.txt", "2"}});
  const auto other = ObjectStore::open({.folder = folder / "other"}).value();
  copy_tree(*store, *other, tree).value();
  EXPECT_EQ(other->blob(find(*other, tree, path_of("d/e/f.txt")).value()->id).value(), "2");
  EXPECT_TRUE(other->contains(file("1").id).value());
  copy_tree(*store, *other, tree).value();
}

TEST_F(Trees, WithAMissingFileAreNotCopied) {
  const Node gone{.mode = FileMode::kFile, .id = object_id_of(ObjectKind::kBlob, "gone")};
  const ObjectId tree = store->put_tree({{"a.txt", gone}}).value();
  const auto other = ObjectStore::open({.folder = folder / "other"}).value();
  EXPECT_EQ(copy_tree(*store, *other, tree).error().code(), ErrorCode::kNotFound);
  EXPECT_FALSE(other->contains(tree).value());
}

TEST_F(Trees, FindSaysWhatIsMissing) {
  const ObjectId tree = store->put_tree({{"d", {FileMode::kDirectory, file("x").id}}}).value();
  EXPECT_EQ(find(*store, tree, path_of("d/x")).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(find(*store, ObjectId(), path_of("d")).error().code(), ErrorCode::kNotFound);
}

TEST_F(Trees, WalksInGitsOrder) {
  const ObjectId tree = tree_of({{"a/x", ""}, {"a.b", ""}, {"a-b", ""}, {"b/c/d", ""}});
  EXPECT_THAT(paths(tree), ElementsAre("a-b", "a.b", "a/x", "b/c/d"));
}

TEST_F(Trees, WalksOneFolder) {
  const ObjectId tree = tree_of({{"a/x", ""}, {"a/y/z", ""}, {"b", ""}});
  std::vector<std::string> found;
  walk(*store, tree, path_of("a"), [&](const std::string& name, const Node&) {
    found.push_back(name);
    return true;
  }).value();
  EXPECT_THAT(found, ElementsAre("a/x", "a/y/z"));
  const auto nothing = [](const std::string&, const Node&) { return true; };
  EXPECT_EQ(walk(*store, tree, path_of("b"), nothing).error().code(), ErrorCode::kNotFound);
}

TEST_F(Trees, AWalkEndsWhenTheVisitorEndsOrOnAStop) {
  const ObjectId tree = tree_of({{"a/x", ""}, {"a/y", ""}, {"b", ""}});
  int seen = 0;
  walk(*store, tree, std::nullopt, [&](const std::string&, const Node&) {
    return ++seen < 1;
  }).value();
  EXPECT_EQ(seen, 1);
  base::StopSource stop;
  stop.request_stop();
  const auto nothing = [](const std::string&, const Node&) { return true; };
  EXPECT_EQ(walk(*store, tree, std::nullopt, nothing, stop.token()).error().code(),
            ErrorCode::kCancelled);
}

TEST_F(Trees, RefusesATreeNestedDeeperThanAnyPath) {
  ObjectId tree = store->put_tree({{"leaf", file("")}}).value();
  for (int i = 0; i < 60; ++i) {
    tree = store->put_tree({{std::string(100, 'd'), {FileMode::kDirectory, tree}}}).value();
  }
  const auto nothing = [](const std::string&, const Node&) { return true; };
  EXPECT_EQ(walk(*store, tree, std::nullopt, nothing).error().code(), ErrorCode::kCorruption);
  EXPECT_EQ(compare(*store, empty_tree(), tree).error().code(), ErrorCode::kCorruption);
}

TEST_F(Trees, EditsNothingButWhatIsAsked) {
  const ObjectId tree = tree_of({{"a/x", "1"}, {"a/y", "2"}, {"b", "3"}});
  const ObjectId changed = edit(tree, {{path_of("a/x"), file("9")},
                                       {path_of("b"), std::nullopt},
                                       {path_of("c/d/e"), file("n")}})
                               .value();
  EXPECT_EQ(changed, tree_of({{"a/x", "9"}, {"a/y", "2"}, {"c/d/e", "n"}}));
  EXPECT_EQ(edit(tree, {}).value(), tree);
}

TEST_F(Trees, FoldersThatBecomeEmptyVanish) {
  const ObjectId tree = tree_of({{"a/b/c", "1"}, {"z", "2"}});
  EXPECT_THAT(paths(edit(tree, {{path_of("a/b/c"), std::nullopt}}).value()), ElementsAre("z"));
  EXPECT_EQ(edit(tree, {{path_of("a/b/c"), std::nullopt}, {path_of("z"), std::nullopt}}).value(),
            empty_tree());
}

TEST_F(Trees, AFileBecomesAFolderOnlyIfItIsRemoved) {
  const ObjectId tree = tree_of({{"a", "1"}});
  EXPECT_EQ(edit(tree, {{path_of("a/x"), file("2")}}).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(edit(tree, {{path_of("a"), std::nullopt}, {path_of("a/x"), file("2")}}).value(),
            tree_of({{"a/x", "2"}}));
}

TEST_F(Trees, AFolderBecomesAFileOnlyIfItsFilesAreRemoved) {
  const ObjectId tree = tree_of({{"a/x", "1"}, {"a/y", "2"}});
  EXPECT_EQ(edit(tree, {{path_of("a"), file("3")}}).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(edit(tree, {{path_of("a"), file("3")}, {path_of("a/x"), std::nullopt}}).error().code(),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(edit(tree, {{path_of("a"), file("3")},
                        {path_of("a/x"), std::nullopt},
                        {path_of("a/y"), std::nullopt}})
                .value(),
            tree_of({{"a", "3"}}));
}

TEST_F(Trees, SetAndRemoveWholeFolders) {
  const ObjectId tree = tree_of({{"a/x", "1"}, {"b", "2"}});
  const Node folder_node = *find(*store, tree, path_of("a")).value();
  const ObjectId moved =
      edit(tree,
           {{path_of("a"), std::nullopt}, {path_of("c"), folder_node}, {path_of("c/y"), file("3")}})
          .value();
  EXPECT_EQ(moved, tree_of({{"c/x", "1"}, {"c/y", "3"}, {"b", "2"}}));
  EXPECT_EQ(edit(tree, {{path_of("a"), std::nullopt}, {path_of("a/z"), file("4")}}).value(),
            tree_of({{"a/z", "4"}, {"b", "2"}}));
  const Node nothing{.mode = FileMode::kDirectory, .id = empty_tree()};
  EXPECT_EQ(edit(tree, {{path_of("a"), nothing}}).value(), tree_of({{"b", "2"}}));
}

TEST_F(Trees, RefusesToRemoveWhatIsNotThere) {
  const ObjectId tree = tree_of({{"a", "1"}});
  EXPECT_EQ(edit(tree, {{path_of("b"), std::nullopt}}).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(edit(tree, {{path_of("b/c"), std::nullopt}}).error().code(),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(edit(tree, {{path_of("b"), std::nullopt}, {path_of("b/c"), file("")}}).error().code(),
            ErrorCode::kInvalidArgument);
}

TEST_F(Trees, RefusesTwoChangesOfOnePath) {
  const auto changed = edit(empty_tree(), {{path_of("a"), file("1")}, {path_of("a"), file("2")}});
  EXPECT_EQ(changed.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(changed.error().message(), HasSubstr("twice"));
}

TEST_F(Trees, ComparesByPath) {
  const ObjectId before = tree_of({{"a", "1"}, {"b/c", "2"}, {"same/x", "3"}});
  const ObjectId after = tree_of({{"a", "9"}, {"b/d", "2"}, {"same/x", "3"}});
  const std::vector<TreeDifference> expected = {{path_of("a"), file("1"), file("9")},
                                                {path_of("b/c"), file("2"), std::nullopt},
                                                {path_of("b/d"), std::nullopt, file("2")}};
  EXPECT_EQ(compare(*store, before, after).value(), expected);
  EXPECT_TRUE(compare(*store, before, before).value().empty());
}

TEST_F(Trees, ComparesAFileThatBecameAFolder) {
  const ObjectId before = tree_of({{"a", "1"}, {"a.b", "2"}});
  const ObjectId after = tree_of({{"a/x", "1"}, {"a.b", "3"}});
  const std::vector<TreeDifference> expected = {{path_of("a"), file("1"), std::nullopt},
                                                {path_of("a.b"), file("2"), file("3")},
                                                {path_of("a/x"), std::nullopt, file("1")}};
  EXPECT_EQ(compare(*store, before, after).value(), expected);
}

TEST_F(Trees, ComparesOnlyFoldersThatDiffer) {
  // This folder's object is nowhere, so reading it would fail.
  const Node nowhere{.mode = FileMode::kDirectory, .id = object_id_of(ObjectKind::kTree, "?")};
  const ObjectId before = store->put_tree({{"d", nowhere}, {"a", file("1")}}).value();
  const ObjectId after = store->put_tree({{"d", nowhere}, {"a", file("2")}}).value();
  EXPECT_EQ(compare(*store, before, after).value().size(), 1U);
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(compare(*store, before, after, stop.token()).error().code(), ErrorCode::kCancelled);
}

TEST_F(Trees, EditsAFolderOfManyFiles) {
  std::vector<TreeEntry> entries;
  for (int i = 0; i < 100'000; ++i) entries.push_back({"file" + std::to_string(i), file("x")});
  const ObjectId tree = store->put_tree(entries).value();
  const ObjectId changed = edit(tree, {{path_of("file77777"), file("y")}}).value();
  const auto differences = compare(*store, tree, changed).value();
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences[0].path.text(), "file77777");
}

// The same files as a map, and git's own opinion of what the tree must be.
TEST_F(Trees, AgreeWithGitAndWithAMap) {
  const test::Repository repository;
  base::SeededRandom random(3);
  std::map<std::string, std::string> model;
  ObjectId tree = empty_tree();
  for (int round = 0; round < 25; ++round) {
    std::map<std::string, std::string> next = model;
    for (int i = 0; i < 6; ++i) {
      std::string name = "d" + std::to_string(random.below(3));
      if (random.below(2) == 0) name += "/e" + std::to_string(random.below(3));
      name += "/f" + std::to_string(random.below(4));
      if (random.below(3) == 0) {
        next.erase(name);
      } else {
        next[name] = std::to_string(random.below(1000));
      }
    }
    std::vector<TreeChange> changes;
    std::size_t expected = 0;
    for (const auto& [name, content] : next) {
      const auto old = model.find(name);
      if (old != model.end() && old->second == content) continue;
      changes.push_back({path_of(name), file(content)});
      ++expected;
    }
    for (const auto& [name, content] : model) {
      if (next.contains(name)) continue;
      changes.push_back({path_of(name), std::nullopt});
      ++expected;
    }
    random.shuffle(changes);
    const ObjectId changed = edit(tree, changes).value();
    EXPECT_EQ(compare(*store, tree, changed).value().size(), expected);
    model = next;
    tree = changed;
  }
  for (const auto& [name, content] : model) repository.write(name, content);
  repository.commit();
  EXPECT_EQ(tree.to_hex(), repository.head_tree());
}

}  // namespace
}  // namespace clever::git

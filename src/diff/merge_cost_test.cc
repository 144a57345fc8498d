#include <gtest/gtest.h>

#include "diff/merge.h"
#include "support/trees.h"

// What a merge reads and writes, counted: never more than in proportion to what the children
// changed.
namespace clever::diff {
namespace {

class CountingStore final : public git::ObjectStore {
 public:
  explicit CountingStore(git::ObjectStore& store) : store_(store) {}

  [[nodiscard]] std::size_t calls() const { return calls_; }

  base::Result<git::ObjectId> put(git::ObjectKind kind, std::string_view content) override {
    return counted().put(kind, content);
  }
  base::Result<void> sync(const base::StopToken& stop, base::Deadline deadline) override {
    return counted().sync(stop, deadline);
  }
  base::Result<bool> contains(const git::ObjectId& id) override { return counted().contains(id); }
  base::Result<Header> header(const git::ObjectId& id) override { return counted().header(id); }
  base::Result<std::string> read(const git::ObjectId& id, git::ObjectKind kind,
                                 std::size_t limit) override {
    return counted().read(id, kind, limit);
  }
  base::Result<std::vector<git::TreeEntry>> tree(const git::ObjectId& id) override {
    return counted().tree(id);
  }
  base::Result<git::ObjectId> put_tree(std::vector<git::TreeEntry> entries) override {
    return counted().put_tree(std::move(entries));
  }
  base::Result<void> refresh() override { return counted().refresh(); }
  [[nodiscard]] const std::filesystem::path& folder() const override { return store_.folder(); }

 private:
  git::ObjectStore& counted() {
    ++calls_;
    return store_;
  }

  git::ObjectStore& store_;
  std::size_t calls_ = 0;
};

class MergeCost : public testing::Test {
 protected:
  git::ObjectId big_tree(std::size_t folders) {
    test_trees::Files files;
    for (std::size_t i = 0; i < folders * 20; ++i) {
      files[path(i / 20, i % 20)] = test_trees::text(std::to_string(i) + "\n");
    }
    return trees_.tree(files);
  }

  static std::string path(std::size_t folder, std::size_t file) {
    return "folder" + std::to_string(folder) + "/file" + std::to_string(file);
  }

  // Each changes ten files of its own.
  std::vector<Child> children(const git::ObjectId& base, std::size_t count) {
    std::vector<Child> children;
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<git::TreeChange> changes;
      for (std::size_t file = 0; file < 10; ++file) {
        changes.push_back({git::TreePath::parse(path(i, file)).value(),
                           trees_.node(test_trees::text("child " + std::to_string(i) + "\n"))});
      }
      children.push_back({.name = std::to_string(i),
                          .base = base,
                          .tree = git::edit_tree(trees_.store(), base, changes).value()});
    }
    return children;
  }

  std::size_t cost(std::size_t folders, std::size_t count) {
    const git::ObjectId base = big_tree(folders);
    const std::vector<Child> all = children(base, count);
    CountingStore store(trees_.store());
    EXPECT_TRUE(merge(store, base, all, MergeStrategy::kGitThreeWay).value().clean());
    return store.calls();
  }

  test_trees::Trees trees_;
};

TEST_F(MergeCost, GrowsWithTheChildrenAndNotFaster) {
  EXPECT_LE(cost(40, 32), cost(40, 16) * 2 + 10);
}

TEST_F(MergeCost, DoesNotGrowWithTheTree) { EXPECT_LE(cost(160, 16), cost(20, 16)); }

}  // namespace
}  // namespace clever::diff

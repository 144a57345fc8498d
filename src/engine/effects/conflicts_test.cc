#include "engine/effects/internal/conflicts.h"

#include <gtest/gtest.h>

#include "diff/merge.h"
#include "git/tree.h"
#include "support/memory_store.h"

namespace clever::engine::internal {
namespace {

class ConflictsTest : public ::testing::Test {
 protected:
  git::ObjectId put(std::string_view content) {
    return store_.put(git::ObjectKind::kBlob, content).value();
  }
  git::ObjectId tree(std::string_view path, std::string_view content) {
    return git::edit_tree(store_, git::empty_tree(),
                          {{git::TreePath::parse(path).value(),
                            git::Node{git::FileMode::kFile, put(content)}}})
        .value();
  }
  // Whether the conflict in a file of this marked content is open once the file holds `now`.
  bool is_open(std::string_view marked, std::string_view now) {
    const model::OpenConflict conflict{.path = "a", .marked = put(marked).to_hex()};
    return !still_open({conflict}, store_, tree("a", now), {})->empty();
  }

  test::MemoryStore store_;
  const std::string marked_ = diff::merge_texts("x\n", "ours\n", "theirs\n", {})->content;
};

TEST_F(ConflictsTest, OpenWhileNothingChanged) { EXPECT_TRUE(is_open(marked_, marked_)); }

TEST_F(ConflictsTest, OpenWhileTheMarkersAreThereWhateverElseWasEdited) {
  EXPECT_TRUE(is_open(marked_, marked_ + "another line\n"));
  EXPECT_TRUE(is_open(marked_, "first\n" + marked_));
}

TEST_F(ConflictsTest, ResolvedOnceTheMarkersAreGone) {
  EXPECT_FALSE(is_open(marked_, "both\n"));
  EXPECT_FALSE(is_open(marked_, ""));
}

TEST_F(ConflictsTest, LinesThatLookLikeMarkersDoNotCount) {
  const std::string text = "<<<<<<< in the manual\n";
  const std::string marked =
      diff::merge_texts(text + "x\n", text + "ours\n", text + "theirs\n", {})->content;
  EXPECT_TRUE(is_open(marked, marked));
  EXPECT_FALSE(is_open(marked, text + "both\n"));
}

TEST_F(ConflictsTest, ResolvedOnceTheFileIsGone) {
  const model::OpenConflict conflict{.path = "a", .marked = put(marked_).to_hex()};
  EXPECT_TRUE(still_open({conflict}, store_, git::empty_tree(), {})->empty());
}

TEST_F(ConflictsTest, OpenWhereverTheFileWasMoved) {
  const model::OpenConflict conflict{.path = "a", .marked = put(marked_).to_hex()};
  EXPECT_EQ(still_open({conflict}, store_, tree("folder/b", marked_), {})->size(), 1U);
  EXPECT_TRUE(still_open({conflict}, store_, tree("folder/b", "both\n"), {})->empty());
}

TEST_F(ConflictsTest, WithoutMarkersItIsOpenUntilThePathChanges) {
  const model::OpenConflict conflict{.path = "a.png", .kind = "binary"};
  const auto open = [&](const std::vector<model::ChangeEntry>& changes) {
    return still_open({conflict}, store_, git::empty_tree(), changes)->size();
  };
  EXPECT_EQ(open({}), 1U);
  EXPECT_EQ(open({{.path = "b.png"}}), 1U);
  EXPECT_EQ(open({{.path = "a.png"}}), 0U);
  EXPECT_EQ(open({{.path = "c.png", .from = "a.png"}}), 0U);
}

}  // namespace
}  // namespace clever::engine::internal

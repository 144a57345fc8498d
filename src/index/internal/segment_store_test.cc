#include "index/internal/segment_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "git/object_store.h"
#include "index/internal/segment_builder.h"
#include "support/temporary_directory.h"

namespace clever::index::internal {
namespace {

using testing::IsEmpty;

class SegmentStoreTest : public testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<SegmentStore> open() const {
    return SegmentStore::open(folder_.path()).value();
  }

  static SegmentStore::NewSegment fresh(SegmentStore& store, const std::string& content) {
    auto segment = store.create().value();
    SegmentBuilder builder;
    builder.add({.blob = git::object_id_of(git::ObjectKind::kBlob, content).bytes()}, content,
                nullptr);
    EXPECT_TRUE(builder.write(segment.path(), "").ok());
    return segment;
  }
  static void add(SegmentStore& store, const std::string& content) {
    std::vector<SegmentStore::NewSegment> added;
    added.push_back(fresh(store, content));
    ASSERT_TRUE(store.replace(std::move(added), {}).ok());
  }
  [[nodiscard]] std::size_t segment_files() const {
    const auto names = folder_.names();
    return static_cast<std::size_t>(std::ranges::count_if(
        names, [](const std::string& name) { return name.starts_with("segment-"); }));
  }

  const test::TemporaryDirectory folder_;
};

TEST_F(SegmentStoreTest, AnAddedSegmentIsVisible) {
  const auto store = open();
  EXPECT_THAT(store->current()->segments, IsEmpty());
  add(*store, "one");
  add(*store, "two");
  EXPECT_EQ(store->current()->segments.size(), 2U);
  EXPECT_EQ(open()->current()->segments.size(), 2U);
}

TEST_F(SegmentStoreTest, RemovesSegmentsThatWereNotAdded) {
  const auto store = open();
  {
    const auto segment = fresh(*store, "one");
  }
  EXPECT_EQ(segment_files(), 0U);
}

// A reader identifies its open segment by name, also when its file is long gone.
TEST_F(SegmentStoreTest, ANameIsNeverUsedTwice) {
  std::set<std::string> names;
  for (int i = 0; i < 50; ++i) names.insert(fresh(*open(), "one").path().filename().string());
  EXPECT_EQ(names.size(), 50U);
}

TEST_F(SegmentStoreTest, OpeningLeavesOthersAtTheirWork) {
  const auto store = open();
  auto segment = fresh(*store, "one");
  const auto other = open();
  EXPECT_EQ(segment_files(), 1U);
  std::vector<SegmentStore::NewSegment> added;
  added.push_back(std::move(segment));
  ASSERT_TRUE(store->replace(std::move(added), {}).ok());
  EXPECT_EQ(other->current()->segments.size(), 1U);
}

TEST_F(SegmentStoreTest, RemovesFilesOfDeadProcesses) {
  folder_.write("segment-999999-0", "half of a segment");
  EXPECT_THAT(open()->current()->segments, IsEmpty());
  EXPECT_EQ(segment_files(), 0U);
}

TEST_F(SegmentStoreTest, ReplacingTakesTheOldAway) {
  const auto store = open();
  add(*store, "one");
  const auto before = store->current();
  std::vector<SegmentStore::NewSegment> added;
  added.push_back(fresh(*store, "two"));
  ASSERT_TRUE(store->replace(std::move(added), {before->segments[0]->name()}).ok());
  EXPECT_EQ(segment_files(), 1U);
  EXPECT_EQ(store->current()->segments.size(), 1U);
  // Who holds the old set still reads it.
  EXPECT_NE(before->segments[0]->postings(Field::kContent, "one"), "");
}

TEST_F(SegmentStoreTest, CannotReplaceSegmentsThatOthersMerged) {
  const auto store = open();
  std::vector<SegmentStore::NewSegment> added;
  added.push_back(fresh(*store, "two"));
  const auto replaced = store->replace(std::move(added), {"segment-0-0"});
  ASSERT_FALSE(replaced.ok());
  EXPECT_EQ(replaced.error().code(), base::ErrorCode::kConflict);
  EXPECT_EQ(segment_files(), 0U);
}

TEST_F(SegmentStoreTest, WaitingForTheLockCanBeStopped) {
  const auto store = open();
  const auto held = io::FileLock::try_acquire(folder_ / "lock").value();
  base::StopSource stop;
  stop.request_stop();
  std::vector<SegmentStore::NewSegment> added;
  added.push_back(fresh(*store, "one"));
  EXPECT_FALSE(store->replace(std::move(added), {}, stop.token()).ok());
  EXPECT_FALSE(store->verify(stop.token()).ok());
}

TEST_F(SegmentStoreTest, NamesOfOtherProcessesAreNotTaken) {
  const auto store = open();
  std::vector<SegmentStore::NewSegment> held;
  for (int i = 0; i < 5; ++i) held.push_back(fresh(*store, std::to_string(i)));
  const auto other = open();
  const auto one = fresh(*other, "other");
  for (const auto& segment : held) EXPECT_NE(segment.path(), one.path());
}

}  // namespace
}  // namespace clever::index::internal

#include "index/internal/stamp_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "git/object_store.h"
#include "support/temporary_directory.h"

namespace clever::index::internal {
namespace {

StampRecord record(std::uint64_t inode, std::int64_t modified) {
  return {{1, inode, 3, modified, 5},
          git::object_id_of(git::ObjectKind::kBlob, std::to_string(modified))};
}

TEST(StampCache, FindsWhatWasRecorded) {
  const test::TemporaryDirectory folder;
  StampCache cache(folder / "stamps");
  ASSERT_TRUE(cache.add({record(1, 10), record(2, 20)}).ok());
  EXPECT_EQ(cache.lookup().find(record(1, 10).stamp), record(1, 10).blob);
  EXPECT_FALSE(cache.lookup().find(record(1, 11).stamp));
  EXPECT_FALSE(cache.lookup().find(record(3, 10).stamp));
}

TEST(StampCache, RemembersInItsFile) {
  const test::TemporaryDirectory folder;
  ASSERT_TRUE(StampCache(folder / "stamps").add({record(1, 10)}).ok());
  ASSERT_TRUE(StampCache(folder / "stamps").add({record(2, 20)}).ok());
  StampCache cache(folder / "stamps");
  EXPECT_TRUE(cache.lookup().find(record(1, 10).stamp));
  EXPECT_TRUE(cache.lookup().find(record(2, 20).stamp));
}

TEST(StampCache, TheNewestOfAFileCounts) {
  const test::TemporaryDirectory folder;
  StampCache cache(folder / "stamps");
  for (std::int64_t time = 0; time < 30; ++time) ASSERT_TRUE(cache.add({record(1, time)}).ok());
  EXPECT_TRUE(cache.lookup().find(record(1, 29).stamp));
}

TEST(StampCache, TidyingKeepsOneForEachFile) {
  const test::TemporaryDirectory folder;
  StampCache cache(folder / "stamps");
  for (std::int64_t time = 0; time < 30; ++time) ASSERT_TRUE(cache.add({record(1, time)}).ok());
  ASSERT_TRUE(cache.tidy().ok());
  EXPECT_EQ(decode_stamps(folder.read("stamps")), std::vector{record(1, 29)});
}

TEST(StampCache, TidyingNothingIsFine) {
  const test::TemporaryDirectory folder;
  EXPECT_TRUE(StampCache(folder / "stamps").tidy().ok());
}

TEST(StampCache, ADamagedEndCostsItsBatchAlone) {
  const std::string first = encode_stamps(std::vector{record(1, 10), record(2, 20)});
  const std::string second = encode_stamps(std::vector{record(3, 30)});
  const std::vector expected{record(1, 10), record(2, 20)};
  for (std::size_t size = 0; size < second.size(); ++size) {
    EXPECT_EQ(decode_stamps(first + second.substr(0, size)), expected);
  }
  for (std::size_t i = 8; i < second.size(); ++i) {
    std::string changed = second;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_EQ(decode_stamps(first + changed), expected);
  }
}

TEST(StampCache, SaysWhereItCannotWrite) {
  const test::TemporaryDirectory folder;
  EXPECT_FALSE(StampCache(folder / "none" / "stamps").add({record(1, 1)}).ok());
}

}  // namespace
}  // namespace clever::index::internal

#include "storage/sqlite/internal/commit_mark.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "support/temporary_directory.h"

namespace clever::storage::sqlite {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CommitMarkTest : public ::testing::Test {
 protected:
  CommitMark open() { return CommitMark(io::SharedNumbers::open(folder_ / "mark").value()); }
  static void commit(CommitMark& mark, std::span<const std::uint64_t> topics) {
    mark.begin();
    mark.end(topics);
  }
  static std::vector<std::uint64_t> numbers(std::size_t count) {
    std::vector<std::uint64_t> all(count);
    std::iota(all.begin(), all.end(), 1);
    return all;
  }

  test::TemporaryDirectory folder_;
  CommitMark ours_ = open();
  CommitMark theirs_ = open();
};

TEST_F(CommitMarkTest, ReportsTheTopicsOfOtherProcessesCommitsOnce) {
  commit(theirs_, std::array<std::uint64_t, 2>{7, 8});
  const CommitMark::News news = ours_.news();
  EXPECT_FALSE(news.everything);
  EXPECT_THAT(news.topics, ElementsAre(7, 8));
  EXPECT_THAT(ours_.news().topics, IsEmpty());
}

TEST_F(CommitMarkTest, OurOwnCommitsAreNoNews) {
  commit(ours_, std::array<std::uint64_t, 1>{7});
  const CommitMark::News news = ours_.news();
  EXPECT_FALSE(news.everything);
  EXPECT_THAT(news.topics, IsEmpty());
  EXPECT_THAT(theirs_.news().topics, ElementsAre(7));
}

TEST_F(CommitMarkTest, AFailedCommitIsNotReported) {
  commit(theirs_, {});
  EXPECT_FALSE(theirs_.under_way());
  EXPECT_FALSE(ours_.news().everything);
  EXPECT_THAT(ours_.news().topics, IsEmpty());
}

TEST_F(CommitMarkTest, OneThatDiedUnderWayMakesTheNextCommitNameEverything) {
  theirs_.begin();
  EXPECT_TRUE(ours_.under_way());
  CommitMark third = open();
  commit(third, std::array<std::uint64_t, 1>{7});
  EXPECT_FALSE(ours_.under_way());
  EXPECT_TRUE(ours_.news().everything);
  // The process that commits does not know either what the dead one did.
  EXPECT_TRUE(third.news().everything);
  EXPECT_FALSE(ours_.news().everything);
}

TEST_F(CommitMarkTest, TheFileIsUsedInRounds) {
  const auto many = numbers(1000);
  for (std::size_t named = 0; named < 3 * CommitMark::kKept; named += many.size()) {
    commit(theirs_, many);
    const CommitMark::News news = ours_.news();
    ASSERT_FALSE(news.everything);
    ASSERT_EQ(news.topics, many);
  }
}

TEST_F(CommitMarkTest, ALateReaderLearnsThatEverythingMayHaveChanged) {
  const auto many = numbers(1000);
  for (std::size_t named = 0; named < CommitMark::kKept; named += many.size()) {
    commit(theirs_, many);
  }
  EXPECT_TRUE(ours_.news().everything);
  commit(theirs_, std::array<std::uint64_t, 1>{7});
  EXPECT_THAT(ours_.news().topics, ElementsAre(7));
}

TEST_F(CommitMarkTest, ACommitOfTooManyTopicsNamesEverything) {
  commit(theirs_, numbers(CommitMark::kMost));
  EXPECT_FALSE(ours_.news().everything);
  commit(theirs_, numbers(CommitMark::kMost + 1));
  EXPECT_TRUE(ours_.news().everything);
}

TEST_F(CommitMarkTest, EarlierCommitsAreNotReported) {
  commit(theirs_, std::array<std::uint64_t, 1>{7});
  EXPECT_THAT(open().news().topics, IsEmpty());
}

TEST_F(CommitMarkTest, AFileThatWasMadeAgainIsNoticed) {
  commit(theirs_, numbers(10));
  static_cast<void>(ours_.news());
  std::filesystem::resize_file(folder_ / "mark", 0);
  commit(theirs_, std::array<std::uint64_t, 1>{7});
  EXPECT_TRUE(ours_.news().everything);
}

}  // namespace
}  // namespace clever::storage::sqlite

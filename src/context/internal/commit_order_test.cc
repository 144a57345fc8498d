#include "context/internal/commit_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::context::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

git::ObjectId id(std::uint8_t number) {
  git::ObjectId::Bytes bytes{};
  bytes[0] = number;
  return git::ObjectId(bytes);
}

Commit commit(std::uint8_t number, std::int64_t time, const std::vector<std::uint8_t>& parents) {
  Commit result{.id = id(number), .time = time};
  for (const std::uint8_t parent : parents) result.parents.push_back(id(parent));
  return result;
}

TEST(CommitOrder, PutsTheNewestFirst) {
  const std::vector<Commit> commits = {commit(1, 10, {}), commit(2, 30, {1}), commit(3, 20, {1}),
                                       commit(4, 40, {2, 3})};
  EXPECT_THAT(newest_first(commits, id(4)), ElementsAre(3, 1, 2, 0));
}

TEST(CommitOrder, PutsParentsAfterTheirChildrenWhateverTheClock) {
  const std::vector<Commit> commits = {commit(1, 99, {}), commit(2, 10, {1}), commit(3, 5, {2})};
  EXPECT_THAT(newest_first(commits, id(3)), ElementsAre(2, 1, 0));
}

TEST(CommitOrder, LeavesOutWhatTheHeadDoesNotLeadTo) {
  const std::vector<Commit> commits = {commit(1, 1, {9}), commit(2, 2, {1}), commit(3, 3, {1})};
  EXPECT_THAT(newest_first(commits, id(2)), ElementsAre(1, 0));
  EXPECT_THAT(newest_first(commits, id(7)), IsEmpty());
  EXPECT_THAT(newest_first({}, id(7)), IsEmpty());
}

TEST(CommitOrder, DoesNotDependOnHowTheCommitsCame) {
  const std::vector<Commit> one = {commit(1, 1, {}), commit(2, 5, {1}), commit(3, 5, {1}),
                                   commit(4, 6, {3, 2})};
  const std::vector<Commit> other(one.rbegin(), one.rend());
  std::vector<git::ObjectId> first;
  std::vector<git::ObjectId> second;
  for (const auto place : newest_first(one, id(4))) first.push_back(one[place].id);
  for (const auto place : newest_first(other, id(4))) second.push_back(other[place].id);
  EXPECT_EQ(first, second);
  EXPECT_EQ(first.size(), 4U);
}

TEST(CommitOrder, EndsWhateverIsSaidToBeAParent) {
  const std::vector<Commit> circle = {commit(1, 1, {2}), commit(2, 2, {1})};
  EXPECT_LE(newest_first(circle, id(1)).size(), 2U);
}

}  // namespace
}  // namespace clever::context::internal

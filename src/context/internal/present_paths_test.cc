#include "context/internal/present_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::context::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Commits newest first, each a list of changes.
std::vector<std::vector<std::uint32_t>> present(const std::vector<std::vector<Change>>& commits,
                                                std::uint32_t paths) {
  CommitTable table;
  for (std::uint32_t i = 0; i < paths; ++i) table.paths.add(std::to_string(i));
  std::vector<std::uint32_t> order;
  for (const auto& changes : commits) {
    order.push_back(static_cast<std::uint32_t>(table.commits.size()));
    table.commits.push_back(
        {.files = static_cast<std::uint32_t>(changes.size()), .changes = changes});
  }
  return present_paths(table, order, 3);
}

constexpr auto kChanged = Change::Kind::kChanged;
constexpr auto kDeleted = Change::Kind::kDeleted;
constexpr auto kRenamed = Change::Kind::kRenamed;

TEST(PresentPaths, FollowsFilesThatTookEachOthersNames) {
  EXPECT_THAT(present({{{kRenamed, 0, 1}, {kRenamed, 1, 0}}, {{kChanged, 0}}, {{kChanged, 1}}}, 2),
              ElementsAre(ElementsAre(0, 1), ElementsAre(1), ElementsAre(0)));
}

TEST(PresentPaths, FollowsAChainOfNames) {
  EXPECT_THAT(present({{{kRenamed, 2, 1}}, {{kRenamed, 1, 0}}, {{kChanged, 0}}}, 3),
              ElementsAre(ElementsAre(2), ElementsAre(2), ElementsAre(2)));
}

TEST(PresentPaths, LeavesOutWhatIsGoneUnderAllItsNames) {
  EXPECT_THAT(present({{{kDeleted, 1}}, {{kRenamed, 1, 0}}, {{kChanged, 0}}}, 2),
              ElementsAre(IsEmpty(), IsEmpty(), IsEmpty()));
}

TEST(PresentPaths, KeepsWhatCameBack) {
  EXPECT_THAT(present({{{kChanged, 0}}, {{kDeleted, 0}}, {{kChanged, 0}}}, 1),
              ElementsAre(ElementsAre(0), ElementsAre(0), ElementsAre(0)));
}

TEST(PresentPaths, OfACommitOfManyFilesFollowsOnlyTheNames) {
  EXPECT_THAT(
      present({{{kRenamed, 1, 0}, {kChanged, 2}, {kChanged, 3}, {kChanged, 4}}, {{kChanged, 0}}},
              5),
      ElementsAre(IsEmpty(), ElementsAre(1)));
}

}  // namespace
}  // namespace clever::context::internal

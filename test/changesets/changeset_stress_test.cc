// Report #7120 with real threads: pieces of work with a changeset each, on one plan's journal.
#include "changesets/plan_in_database.h"
#include "storage/changesets.h"
#include "storage/plan_test.h"
#include "support/campaign.h"
#include "support/together.h"

namespace clever::engine {
namespace {

constexpr int kNodes = 64;

class ChangesetStressTest : public storage::testing::PlanTest {
 protected:
  storage::testing::HeldPlan held_ = create();
  base::SystemRandom random_;
  base::UlidGenerator ids_{clock(), random_};
  test::PlanInDatabase plan_{engine(), clock(), owner(), ids_, held_.lease};
};
CLEVER_ALL_ENGINES(ChangesetStressTest);

std::string path_of(int node, std::size_t change) {
  return std::to_string(node) + "/" + std::to_string(change);
}

TEST_P(ChangesetStressTest, EveryChangeIsInItsOwnChangeset) {
  const std::size_t changes = test::campaign(25, 1000);
  std::vector<model::ChangesetId> ids(kNodes);
  test::together(kNodes, [&](int node) {
    const Changeset mine = plan_.context().start_changeset({});
    ids[static_cast<std::size_t>(node)] = mine.id();
    for (std::size_t change = 0; change < changes; ++change) {
      sim::record(mine, {test::new_file(path_of(node, change))}).value();
    }
  });
  storage::Changesets stored(engine());
  for (int node = 0; node < kNodes; ++node) {
    const auto entries = stored.entries(ids[static_cast<std::size_t>(node)]).value();
    ASSERT_EQ(entries.size(), changes);
    for (std::size_t change = 0; change < changes; ++change) {
      ASSERT_EQ(entries[change].sequence, static_cast<std::int64_t>(change) + 1);
      ASSERT_EQ(entries[change].path, path_of(node, change));
    }
  }
  EXPECT_EQ(plan_.writer().state()->open_changes(), kNodes * static_cast<std::int64_t>(changes));
}

TEST_P(ChangesetStressTest, ToolsOfOnePieceOfWorkAreNumberedWithoutAGap) {
  constexpr int kTools = 8;
  const Changeset mine = plan_.context().start_changeset({});
  test::together(kTools, [&](int tool) {
    for (std::size_t change = 0; change < 10; ++change) {
      sim::record(mine, {test::new_file(path_of(tool, change))}).value();
    }
  });
  const auto entries = storage::Changesets(engine()).entries(mine.id()).value();
  ASSERT_EQ(entries.size(), kTools * 10U);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].sequence, static_cast<std::int64_t>(i) + 1);
  }
}

}  // namespace
}  // namespace clever::engine

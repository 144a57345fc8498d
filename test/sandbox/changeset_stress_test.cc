// Report #7120 with real threads: nodes with a changeset each, on one plan's journal.
#include <set>

#include "base/thread.h"
#include "sandbox/changeset.h"
#include "storage/journal_verify.h"
#include "storage/plan_test.h"
#include "support/campaign.h"

namespace clever::sandbox {
namespace {

constexpr std::size_t kNodes = 64;

class ChangesetStressTest : public storage::testing::PlanTest {
 protected:
  storage::testing::HeldPlan plan_ = create();
  storage::Journal journal_ = journal();
  storage::PlanAppender appender_{journal_, plan_.id, plan_.lease.epoch, plan_.head};
  std::unique_ptr<ChangeLog> log_ = stored_change_log(appender_, engine());
};
CLEVER_ALL_ENGINES(ChangesetStressTest);

std::string path_of(std::size_t node, std::size_t change) {
  return std::to_string(node) + "/" + std::to_string(change);
}

TEST_P(ChangesetStressTest, EveryChangeIsInItsOwnChangeset) {
  const std::size_t changes = test::campaign(25, 1000);
  std::vector<model::ChangesetId> ids;
  for (std::size_t i = 0; i < kNodes; ++i) ids.push_back(world().next<model::ChangesetId>());
  {
    std::vector<std::unique_ptr<base::Thread>> nodes;
    for (std::size_t node = 0; node < kNodes; ++node) {
      nodes.push_back(std::make_unique<base::Thread>("node", [&, node](const base::StopToken&) {
        Changeset changeset = Changeset::start(*log_, ids[node]).value();
        for (std::size_t change = 0; change < changes; ++change) {
          model::ChangeEntry entry;
          entry.path = path_of(node, change);
          entry.after = model::FileState{};
          changeset.record({std::move(entry)}).value();
        }
        changeset.seal().value();
      }));
    }
  }
  for (std::size_t node = 0; node < kNodes; ++node) {
    const auto entries = log_->entries(ids[node]).value();
    ASSERT_EQ(entries.size(), changes);
    for (std::size_t change = 0; change < changes; ++change) {
      ASSERT_EQ(entries[change].sequence, static_cast<std::int64_t>(change) + 1);
      ASSERT_EQ(entries[change].path, path_of(node, change));
    }
    EXPECT_EQ(load_sealed(*log_, ids[node])->changes.size(), changes);
  }
}

TEST_P(ChangesetStressTest, WhatIsRecordedBesideTheSealIsInItOrRefused) {
  const std::size_t rounds = test::campaign(10, 100);
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto id = world().next<model::ChangesetId>();
    Changeset changeset = Changeset::start(*log_, id).value();
    std::set<std::string> told[4];
    std::vector<std::unique_ptr<base::Thread>> tools;
    for (std::size_t tool = 0; tool < 4; ++tool) {
      tools.push_back(std::make_unique<base::Thread>("tool", [&, tool](const base::StopToken&) {
        for (std::size_t change = 0; change < 10; ++change) {
          model::ChangeEntry entry;
          entry.path = path_of(tool, change);
          entry.after = model::FileState{};
          if (!changeset.record({std::move(entry)}).ok()) return;
          told[tool].insert(path_of(tool, change));
        }
      }));
    }
    const SealedChangeset sealed = changeset.seal().value();
    tools.clear();
    std::set<std::string> in_it;
    for (const model::NetChange& change : sealed.changes) in_it.insert(change.path);
    std::set<std::string> all;
    for (const auto& one : told) all.insert(one.begin(), one.end());
    EXPECT_EQ(in_it, all);
  }
}

}  // namespace
}  // namespace clever::sandbox

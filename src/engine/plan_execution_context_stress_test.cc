#include <gtest/gtest.h>

#include "engine/plan_execution_context.h"
#include "sim/engine/engine_kit.h"
#include "support/campaign.h"
#include "support/together.h"

namespace clever::engine {
namespace {

constexpr int kNodes = 64;

model::ChangeEntry change(int node, int number) {
  model::ChangeEntry entry{.path = std::to_string(node) + "/" + std::to_string(number)};
  entry.operation = model::ChangeOperation::kCreate;
  entry.after = model::FileState{.hash = base::sha256(entry.path)};
  entry.tool = "write";
  return entry;
}

TEST(PlanExecutionContextStress, EveryChangeIsInTheChangesetOfItsNode) {
  const int changes = static_cast<int>(test::campaign(10, 1000));
  sim::WriterKit kit;
  base::SystemClock clock;
  base::SystemRandom random;
  base::UlidGenerator ids(clock, random);
  PlanExecutionContext context(kit.writer(), kit.store, ids, {});
  std::vector<std::optional<sandbox::Changeset>> mine(kNodes);
  test::together(kNodes, [&](int node) {
    auto& changeset = mine[static_cast<std::size_t>(node)];
    changeset.emplace(context.start_changeset().value());
    for (int i = 0; i < changes; ++i) changeset->record({change(node, i)}).value();
  });
  for (int node = 0; node < kNodes; ++node) {
    const auto entries = mine[static_cast<std::size_t>(node)]->entries().value();
    ASSERT_EQ(entries.size(), static_cast<std::size_t>(changes));
    for (int i = 0; i < changes; ++i) {
      EXPECT_EQ(entries[static_cast<std::size_t>(i)].sequence, i + 1);
      EXPECT_EQ(entries[static_cast<std::size_t>(i)].path, change(node, i).path);
    }
  }
}

}  // namespace
}  // namespace clever::engine

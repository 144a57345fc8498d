#include <gtest/gtest.h>

#include "engine/actor/graph_actor.h"
#include "engine/plan_execution_context.h"
#include "sim/engine/engine_kit.h"
#include "support/campaign.h"
#include "support/together.h"
#include "support/tool_workspace.h"
#include "tool/change_capture.h"

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
  PlanExecutionContext context(ids, sim::writes_to(kit.writer()));
  std::vector<std::optional<Changeset>> mine(kNodes);
  test::together(kNodes, [&](int node) {
    auto& changeset = mine[static_cast<std::size_t>(node)];
    changeset.emplace(context.start_changeset({}));
    for (int i = 0; i < changes; ++i) sim::record(*changeset, {change(node, i)}).value();
  });
  for (int node = 0; node < kNodes; ++node) {
    const auto entries =
        sim::entries_of(kit.store, kit.plan, mine[static_cast<std::size_t>(node)]->id());
    ASSERT_EQ(entries.size(), static_cast<std::size_t>(changes));
    for (int i = 0; i < changes; ++i) {
      EXPECT_EQ(entries[static_cast<std::size_t>(i)].sequence, i + 1);
      EXPECT_EQ(entries[static_cast<std::size_t>(i)].path, change(node, i).path);
    }
  }
}

// A graph of 16 tool nodes: each writes files of its own name.
Actor wide_graph(int changes) {
  std::string yaml = "name: wide\ntype: graph\nnodes:\n";
  for (int node = 0; node < 16; ++node) {
    yaml += "  n" + std::to_string(node) + ": {tool: {steps: [";
    for (int i = 0; i < changes; ++i) {
      yaml += "{template: {path: n" + std::to_string(node) + "/" + std::to_string(i) +
              ", content: x}}, ";
    }
    yaml += "]}}\n";
  }
  return actor_from_yaml(yaml, "wide.yaml").value();
}

TEST(PlanExecutionContextStress, SixteenNodesOfAGraphShareOneContext) {
  const int changes = static_cast<int>(test::campaign(4, 40));
  const Actor graph = wide_graph(changes);
  const model::Strategy strategy = graph_strategy(graph, {}).value();
  const test::ToolWorkspace files({{"a.txt", "a"}});
  sim::WriterKit kit;
  base::SystemClock clock;
  base::SystemRandom random;
  base::UlidGenerator ids(clock, random);
  PlanExecutionContext context(ids, sim::writes_to(kit.writer()));
  std::vector<std::optional<Changeset>> mine(strategy.steps.size());
  test::together(static_cast<int>(strategy.steps.size()), [&](int node) {
    const auto place = static_cast<std::size_t>(node);
    const Actor actor{.name = strategy.steps[place].actor,
                      .type = ActorType::kTool,
                      .steps = graph.nodes[place].steps};
    auto& changeset = mine[place].emplace(context.start_changeset({}));
    const auto workspace = files.open(strategy.steps[place].id);
    ToolActorRunner(nullptr).work(actor, {}, {}, *workspace, {}).value();
    sim::record(changeset, tool::changes_between(*files.store, files.base->tree,
                                                 workspace->checkpoint().value(), {actor.name, {}})
                               .value())
        .value();
  });
  for (std::size_t node = 0; node < mine.size(); ++node) {
    const auto entries = sim::entries_of(kit.store, kit.plan, mine[node]->id());
    EXPECT_EQ(entries.size(), static_cast<std::size_t>(changes));
    for (const model::ChangeEntry& entry : entries) {
      EXPECT_TRUE(entry.path.starts_with(strategy.steps[node].id + "/")) << entry.path;
      EXPECT_EQ(entry.tool, "local/wide#" + strategy.steps[node].id);
    }
  }
}

}  // namespace
}  // namespace clever::engine

// Workspaces and messages under real threads, for ThreadSanitizer.
#include <gtest/gtest.h>

#include "engine/effects/internal/messages.h"
#include "support/bodies_store.h"
#include "support/campaign.h"
#include "support/effects_world.h"
#include "support/together.h"

namespace clever::engine {
namespace {

constexpr int kWorkers = 8;

TEST(WorkspacesStress, OpenedLookedAtAbandonedAndClosedAtOnce) {
  test::EffectsWorld world;
  world.repository.write("a.txt", "a\n");
  world.repository.commit();
  Workspaces workspaces(world.sandboxes, {.most_open = 2});
  std::vector<plan::State> plans;
  for (int i = 0; i < 3; ++i) plans.push_back(world.plan_at_base());
  const auto path = git::TreePath::parse("a.txt").value();
  const int rounds = static_cast<int>(test::campaign(20, 400));
  test::together(kWorkers, [&](int worker) {
    for (int round = 0; round < rounds; ++round) {
      const plan::State& plan = plans[static_cast<std::size_t>(worker + round) % plans.size()];
      switch ((worker * 7 + round) % 5) {
        case 0:
          workspaces.close(plan.id);
          break;
        case 1:
          workspaces.abandon(plan.id);
          break;
        case 2:
          EXPECT_EQ(workspaces.look(plan).value()->read(path)->content, "a\n");
          break;
        default:
          EXPECT_EQ(workspaces.open(plan, world.lease(plan.id)).value()->read(path)->content,
                    "a\n");
      }
    }
  });
}

TEST(MessagesStress, ManyReadersOfFewWords) {
  test::BodiesStore store;
  std::vector<base::Sha256Digest> hashes;
  for (int i = 0; i < 20; ++i) hashes.push_back(store.add(std::to_string(i)));
  internal::Messages messages(store, 500);
  const int rounds = static_cast<int>(test::campaign(500, 20'000));
  test::together(kWorkers, [&](int worker) {
    for (int round = 0; round < rounds; ++round) {
      const auto place = static_cast<std::size_t>(worker * 3 + round) % hashes.size();
      const auto loaded = messages.load(hashes[place]).value();
      EXPECT_EQ(std::get<model::Text>(loaded->parts[0]).text, std::to_string(place));
    }
  });
}

}  // namespace
}  // namespace clever::engine

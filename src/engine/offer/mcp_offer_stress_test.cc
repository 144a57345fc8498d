// Real threads: many plans need the tools at once while the registry is read.
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/thread_pool.h"
#include "engine/offer/mcp_offer.h"
#include "engine/testing/fake_mcp_server.h"

namespace clever::engine {
namespace {

TEST(McpOfferStress, ManyPlansBringTheToolsOnce) {
  constexpr int kRounds = 20;
  constexpr int kPlans = 16;
  for (int round = 0; round < kRounds; ++round) {
    base::SystemClock clock;
    base::SeededRandom random(1);
    tool::ToolRegistry registry;
    base::Atomic<int> starts;   // processes begun
    base::Atomic<int> without;  // plans that went on without the tools
    const auto offer =
        McpOffer::make({.clock = clock,
                        .random = random,
                        .registry = registry,
                        .open = [&](const mcp::ServerOptions& options)
                            -> base::Result<std::unique_ptr<mcp::Transport>> {
                          starts.fetch_add(1);
                          if (options.name == "c") return base::not_found("no such program");
                          return std::make_unique<internal::FakeMcpServer>();
                        }},
                       {{.options = {.name = "a", .command = confine::Command{.argv = {"x"}}}},
                        {.options = {.name = "b", .command = confine::Command{.argv = {"x"}}}},
                        {.options = {.name = "c", .command = confine::Command{.argv = {"x"}}}}})
            .value();
    {
      base::ThreadPool plans({.name = "plans", .threads = 8});
      for (int plan = 0; plan < kPlans; ++plan) {
        plans
            .post([&] {
              offer->bring({});
              const auto tools = registry.snapshot();
              const bool all = tools->tools().contains("mcp__a__echo") &&
                               tools->tools().contains("mcp__b__echo");
              if (!all || offer->remarks().size() != 1) without.fetch_add(1);
              static_cast<void>(
                  tools->find("mcp__a__echo").value()->tool->call({}, R"({"x":1})").ok());
            })
            .value();
      }
    }
    EXPECT_EQ(starts.load(), 3);
    EXPECT_EQ(without.load(), 0);
  }
}

}  // namespace
}  // namespace clever::engine

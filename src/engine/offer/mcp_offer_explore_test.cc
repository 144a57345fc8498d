// Plans that need the tools of a server at the same moment: it is started once, and nobody goes on
// before its tools are there.
#include <gtest/gtest.h>

#include "engine/offer/mcp_offer.h"
#include "engine/testing/fake_mcp_server.h"
#include "explore/explore.h"

namespace clever::engine {
namespace {

using explore::Failure;
using explore::Run;
using explore::Strategy;

constexpr auto kStartedTwice = "the servers are started twice";

// Looks and starts in two steps.
class NaiveOffer {
 public:
  void bring(Run& run) {
    if (started_.read()) return;
    started_.write(true);
    run.require(starts_.fetch_add(1) == 0, kStartedTwice);
  }

 private:
  explore::Racy<bool> started_;
  base::Atomic<int> starts_;
};

void bring_naively(Run& run) {
  NaiveOffer offer;
  for (const auto* name : {"first", "second"}) {
    run.thread(name, [&] { offer.bring(run); });
  }
  run.join();
}

void bring_tools(Run& run) {
  base::SystemClock clock;
  base::SeededRandom random(1);
  tool::ToolRegistry registry;
  base::Atomic<int> starts;  // processes begun
  const auto offer =
      McpOffer::make(
          {.clock = clock,
           .random = random,
           .registry = registry,
           .open = [&](const mcp::ServerOptions&) -> base::Result<std::unique_ptr<mcp::Transport>> {
             run.require(starts.fetch_add(1) == 0, kStartedTwice);
             return std::make_unique<internal::FakeMcpServer>();
           }},
          {{.options = {.name = "a", .command = confine::Command{.argv = {"x"}}}}})
          .value();
  for (const auto* name : {"first", "second"}) {
    run.thread(name, [&] {
      offer->bring({});
      run.require(registry.snapshot()->tools().contains("mcp__a__echo"),
                  "went on without the tools");
    });
  }
  run.join();
}

TEST(McpOfferExplore, LookingAndStartingInTwoStepsStartsTwice) {
  EXPECT_FINDS(Failure::kCheck,
               explore::explore({.strategy = Strategy::kExhaustive}, bring_naively));
}

TEST(McpOfferExplore, TheyAreStartedOnceAndWaitedFor) {
  for (const auto strategy : {Strategy::kRandom, Strategy::kPct}) {
    EXPECT_NO_FAILURE(explore::explore({.strategy = strategy, .schedules = 200}, bring_tools));
  }
}

}  // namespace
}  // namespace clever::engine

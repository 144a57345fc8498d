#include "engine/offer/mcp_offer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic.h"
#include "base/thread.h"
#include "engine/testing/fake_mcp_server.h"

namespace clever::engine {
namespace {

using internal::FakeMcpServer;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

McpOffer::Entry entry(std::string name, bool trust_hints = false) {
  return {.options = {.name = std::move(name), .command = confine::Command{.argv = {"server"}}},
          .trust_hints = trust_hints};
}

struct McpOfferTest : testing::Test {
  std::unique_ptr<McpOffer> offer(std::vector<McpOffer::Entry> entries) {
    return McpOffer::make(
               {.clock = clock,
                .random = random,
                .registry = registry,
                .open = [this](const mcp::ServerOptions& options) { return open(options); }},
               std::move(entries))
        .value();
  }
  base::Result<std::unique_ptr<mcp::Transport>> open(const mcp::ServerOptions& options) {
    starts.fetch_add(1);
    if (options.name == "broken") return base::not_found("no such program");
    return std::make_unique<FakeMcpServer>(options.name == "silent");
  }
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& [name, tool] : registry.snapshot()->tools()) all.push_back(name);
    return all;
  }

  base::SimulatedClock clock;
  base::SeededRandom random{1};
  tool::ToolRegistry registry;
  base::Atomic<int> starts{0};
};

TEST_F(McpOfferTest, NothingIsStartedBeforeItIsNeeded) {
  const auto servers = offer({entry("a")});
  EXPECT_EQ(starts.load(), 0);
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(McpOfferTest, TheToolsOfAllServersAreThere) {
  const auto servers = offer({entry("a"), entry("b")});
  servers->bring({});
  EXPECT_THAT(names(), ElementsAre("mcp__a__echo", "mcp__b__echo"));
  EXPECT_THAT(servers->remarks(), IsEmpty());
}

TEST_F(McpOfferTest, TheyAreStartedOnce) {
  const auto servers = offer({entry("a")});
  servers->bring({});
  servers->bring({});
  EXPECT_EQ(starts.load(), 1);
}

TEST_F(McpOfferTest, ToolsHaveEffectsOutsideWhateverTheServerSays) {
  const auto servers = offer({entry("a", true)});
  servers->bring({});
  const tool::Capabilities& can =
      registry.snapshot()->find("mcp__a__echo").value()->tool->spec().capabilities;
  EXPECT_TRUE(can.side_effects);
  EXPECT_FALSE(can.read_only);
  EXPECT_FALSE(can.checkpointable);
}

TEST_F(McpOfferTest, ToolsAreCalled) {
  const auto servers = offer({entry("a")});
  servers->bring({});
  const auto tool = registry.snapshot()->find("mcp__a__echo").value();
  EXPECT_EQ(tool->tool->call({}, R"({"x":1})")->text, R"(echo {"x":1})");
}

TEST_F(McpOfferTest, OneThatDoesNotStartIsReportedAndLeftOut) {
  const auto servers = offer({entry("a"), entry("broken")});
  servers->bring({});
  EXPECT_THAT(names(), ElementsAre("mcp__a__echo"));
  ASSERT_EQ(servers->remarks().size(), 1U);
  EXPECT_THAT(servers->remarks()[0],
              HasSubstr("the tools of the MCP server broken are not offered"));
  EXPECT_THAT(servers->remarks()[0], HasSubstr("no such program"));
}

TEST_F(McpOfferTest, OneThatHangsCostsItsOwnTimeOnly) {
  const auto servers = offer({entry("a"), entry("silent")});
  base::Thread waiter("waiter", [&](const base::StopToken&) { servers->bring({}); });
  // Its handshake and its deadline wait for the clock.
  while (servers->remarks().empty()) clock.advance(std::chrono::seconds{1});
  waiter.join();
  EXPECT_THAT(names(), ElementsAre("mcp__a__echo"));
  EXPECT_THAT(servers->remarks()[0], HasSubstr("silent"));
}

TEST_F(McpOfferTest, AStoppedCallerDoesNotWait) {
  const auto servers = offer({entry("silent")});
  base::StopSource stop;
  stop.request_stop();
  servers->bring(stop.token());
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(McpOfferTest, ATakenNameIsReported) {
  const auto first = offer({entry("a")});
  first->bring({});
  const auto second = offer({entry("a")});
  second->bring({});
  EXPECT_THAT(second->remarks(), IsEmpty()) << "the same origin replaces its own";
}

TEST_F(McpOfferTest, NothingIsLeftWhenItGoes) {
  {
    const auto servers = offer({entry("a"), entry("silent")});
    base::StopSource stop;
    stop.request_stop();
    servers->bring(stop.token());
  }
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(McpOfferTest, NoServersAreReadyAtOnce) {
  const auto servers = offer({});
  servers->bring({});
  EXPECT_EQ(starts.load(), 0);
}

TEST_F(McpOfferTest, TwoOfOneNameAreRefused) {
  EXPECT_FALSE(McpOffer::make({.clock = clock, .random = random, .registry = registry, .open = {}},
                              {entry("a"), entry("a")})
                   .ok());
}

TEST(McpEntry, RunsInTheProjectWhichItCannotWrite) {
  const tool::CommandOptions commands{.world = {.home = "/home/me",
                                                .own_home = "/home/me/.cleveragents",
                                                .environment = {"PATH=/bin", "LANG=C"}},
                                      .project_root = "/home/me/work",
                                      .network = confine::Network::kHosts,
                                      .hosts = {"example.org"}};
  const auto made = mcp_entry({.name = "a",
                               .argv = {"server"},
                               .environment = {{"LANG", "de"}, {"TOKEN", "t"}},
                               .timeout = std::chrono::seconds{7},
                               .call_timeout = std::chrono::minutes{9}},
                              commands);
  const confine::Command& command = made.options.command.value();
  EXPECT_EQ(command.working_directory, "/home/me/work");
  EXPECT_EQ(command.mounts.back().kind, confine::Mount::Kind::kReadOnly);
  EXPECT_EQ(command.mounts.back().target, "/home/me/work");
  EXPECT_THAT(command.environment, Contains("TOKEN=t"));
  EXPECT_THAT(command.environment, Contains("LANG=de"));
  EXPECT_THAT(command.environment, testing::Not(Contains("LANG=C")));
  EXPECT_THAT(command.hidden, ElementsAre("/home/me/.cleveragents"));
  EXPECT_EQ(command.network, confine::Network::kHosts);
  EXPECT_EQ(made.options.start_timeout, std::chrono::seconds{7});
  EXPECT_EQ(made.options.call_timeout, std::chrono::minutes{9});
}

TEST(McpEntry, OfAUrlHasItsHeaders) {
  const auto made = mcp_entry({.name = "a", .url = "https://x", .headers = {{"K", "v"}}}, {});
  EXPECT_FALSE(made.options.command.has_value());
  EXPECT_EQ(made.options.url, "https://x");
  EXPECT_EQ(made.options.headers.at("K"), "v");
}

}  // namespace
}  // namespace clever::engine

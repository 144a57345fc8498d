// Many plans against one provider with a limit and a wall, on the simulated clock.
#include <gtest/gtest.h>

#include <iostream>

#include "provider/model_client.h"
#include "provider/testing/memory_limits.h"
#include "sim/model_world.h"

namespace clever::provider {
namespace {

using namespace std::chrono_literals;
using sim::DistantLimits;
using sim::Events;
using sim::ModelServer;
using sim::Process;
using sim::WorldBackend;

struct Outcome {
  std::size_t answered = 0;
  std::size_t lost = 0;
  std::size_t shown_waits = 0;
  std::size_t store_requests = 0;
  std::size_t alarms = 0;
  base::Duration took{};
  ModelServer::Counts server;
};

/// A plan: one call after the other.
class Plan final : public CallSink, public std::enable_shared_from_this<Plan> {
 public:
  Plan(Process& process, Outcome& outcome, std::string name, int calls)
      : process_(process), outcome_(outcome), name_(std::move(name)), left_(calls) {}

  void next() {
    if (left_-- == 0) return;
    CallRequest request;
    request.plan = name_;
    (void)process_.client().call(std::move(request), shared_from_this());
  }
  void on_wait(const std::string&, const Wait&) override { ++outcome_.shown_waits; }
  void on_end(CallEnd end) override {
    ++(end.answered() ? outcome_.answered : outcome_.lost);
    next();
  }

 private:
  Process& process_;
  Outcome& outcome_;
  const std::string name_;
  int left_;
};

struct Scenario {
  ModelServer::Options server{};
  std::size_t processes = 1;
  std::size_t plans = 64;
  int calls_each = 10;
  std::optional<std::int64_t> requests_per_minute{};
  std::uint64_t seed = 1;
};

Outcome run(const Scenario& scenario) {
  Events events;
  base::SeededRandom random(scenario.seed);
  ModelServer server(events, random, scenario.server);
  MemoryLimits memory(events.clock());
  DistantLimits store(events, memory);
  Outcome outcome;
  std::vector<std::unique_ptr<Process>> processes;
  for (std::size_t i = 0; i < scenario.processes; ++i) {
    processes.push_back(std::make_unique<Process>(
        events, scenario.seed + i,
        [&](const std::string&) { return std::make_shared<WorldBackend>(events, server); },
        scenario.processes > 1 ? &store : nullptr));
    ProviderSettings settings;
    settings.providers.push_back(Process::provider_config("server"));
    settings.providers[0].limits.requests_per_minute = scenario.requests_per_minute;
    processes.back()->configure(settings);
  }
  for (std::size_t i = 0; i < scenario.plans; ++i) {
    std::make_shared<Plan>(*processes[i % processes.size()], outcome, "plan-" + std::to_string(i),
                           scenario.calls_each)
        ->next();
  }
  EXPECT_TRUE(events.run_all());
  outcome.took = server.counts().last_answer - base::TimePoint{};
  outcome.server = server.counts();
  outcome.store_requests = store.requests();
  for (const auto& process : processes) outcome.alarms += process->alarms().rung();
  return outcome;
}

void print(const char* name, const Outcome& outcome) {
  std::cout << name << ": " << outcome.answered << " answered, " << outcome.lost << " lost, "
            << outcome.server.requests << " requests, " << outcome.server.above_limit
            << " above the limit, " << outcome.server.in_wall << " into the wall, "
            << outcome.shown_waits << " waits shown, " << outcome.store_requests
            << " store requests, " << outcome.alarms << " alarms, last answer after "
            << duration_text(outcome.took) << "\n";
}

ModelServer::Options walled() {
  ModelServer::Options options;
  options.wall_begins = 60s;
  options.wall_ends = 60s + 14min;
  return options;
}

// 640 calls at 4 a second take 160 s at least; the pace leaves an eighth of the limit unused.
constexpr base::Duration kWork = 160s * 9 / 8;

TEST(FanOut, SixtyFourPlansSurviveAnOverloadWallWithoutACallAboveTheLimit) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Outcome outcome = run({.server = walled(), .seed = seed});
    if (seed == 1) print("one process, headers, 529", outcome);
    EXPECT_EQ(outcome.answered, 640U) << seed;
    EXPECT_EQ(outcome.lost, 0U) << seed;
    EXPECT_EQ(outcome.server.above_limit, 0U) << seed;
    EXPECT_LE(outcome.server.in_wall, 32U) << seed;
    // The longest pause between probes, and what a wall costs of the work.
    EXPECT_LE(outcome.took, 14min + 150s + kWork + 30s) << seed;
  }
}

TEST(FanOut, SurvivesAWallOfFailedConnections) {
  Scenario scenario{.server = walled()};
  scenario.server.wall_kind = FailureKind::kConnection;
  const Outcome outcome = run(scenario);
  print("one process, headers, connections refused", outcome);
  EXPECT_EQ(outcome.answered, 640U);
  EXPECT_EQ(outcome.server.above_limit, 0U);
  EXPECT_LE(outcome.server.in_wall, 32U);
}

TEST(FanOut, WithoutHeadersTheLimitIsMetButNothingIsLost) {
  Scenario scenario{.server = walled()};
  scenario.server.headers = false;
  scenario.server.retry_after = 1s;
  const Outcome outcome = run(scenario);
  print("one process, 429 and retry-after only", outcome);
  EXPECT_EQ(outcome.answered, 640U);
  EXPECT_EQ(outcome.lost, 0U);
  EXPECT_LE(outcome.server.above_limit, 640U / 4);
  EXPECT_LE(outcome.server.in_wall, 32U);
}

TEST(FanOut, WithoutAnyWordNothingIsLostEither) {
  Scenario scenario{.server = walled()};
  scenario.server.headers = false;
  const Outcome outcome = run(scenario);
  print("one process, bare 429 only", outcome);
  EXPECT_EQ(outcome.answered, 640U);
  EXPECT_EQ(outcome.lost, 0U);
  EXPECT_LE(outcome.server.above_limit, 640U / 4);
}

TEST(FanOut, ProcessesThatShareALimitKeepItTogether) {
  for (std::size_t processes = 2; processes <= 4; ++processes) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Outcome outcome = run({.server = walled(), .processes = processes, .seed = seed * 100});
      if (seed == 1) print((std::to_string(processes) + " processes, headers").c_str(), outcome);
      EXPECT_EQ(outcome.answered, 640U) << seed;
      EXPECT_EQ(outcome.server.above_limit, 0U) << processes << "/" << seed;
      EXPECT_LE(outcome.server.in_wall, 32U * processes) << seed;
      EXPECT_LE(outcome.store_requests, 640U / 2) << seed;
    }
  }
}

// The head of the first answer reveals the limit; no call waits for its end half a minute later.
TEST(FanOut, LongAnswersDoNotKeepTheOthersBack) {
  Scenario scenario{.calls_each = 1};
  scenario.server.work = {20s, 40s};
  const Outcome outcome = run(scenario);
  print("one process, answers of 30 s", outcome);
  EXPECT_EQ(outcome.answered, 64U);
  EXPECT_EQ(outcome.server.above_limit, 0U);
  EXPECT_LE(outcome.took, 25s);
}

TEST(FanOut, AConfiguredLimitIsKeptFromTheFirstCallOn) {
  Scenario scenario{.processes = 4, .requests_per_minute = 240};
  scenario.server.headers = false;
  scenario.server.limit = 240;
  scenario.server.window = 60s;
  const Outcome outcome = run(scenario);
  print("4 processes, configured limit", outcome);
  EXPECT_EQ(outcome.answered, 640U);
  EXPECT_EQ(outcome.server.above_limit, 0U);
}

}  // namespace
}  // namespace clever::provider

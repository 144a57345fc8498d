#include <gtest/gtest.h>

#include <optional>

#include "base/thread_pool.h"
#include "explore/explore.h"
#include "tool/internal/workspace_gate.h"
#include "tool/runner.h"
#include "tool/testing/test_tool.h"

namespace clever::tool {
namespace {

using internal::snapshot_of;
using internal::TestTool;

constexpr explore::Options kRandom{.strategy = explore::Strategy::kRandom, .schedules = 300};
constexpr explore::Options kPct{
    .strategy = explore::Strategy::kPct, .schedules = 300, .preemptions = 4};

// The executor that keeps "the current call" and "the result" as its own members: two calls that
// run at once answer with each other's input.
class NaiveRunner {
 public:
  int run(int input) {
    current_.write(input);
    result_.write(current_.read() * 10);
    return result_.read();
  }

 private:
  explore::Racy<int> current_;
  explore::Racy<int> result_;
};

void naive_calls(explore::Run& run) {
  NaiveRunner runner;
  for (const int input : {1, 2}) {
    run.thread("call", [&, input] {
      run.require(runner.run(input) == input * 10, "a call got another call's result");
    });
  }
  run.join();
}

// Its deadline never comes: the explorer lets virtual time pass whenever a thread waits for it.
std::shared_ptr<Tool> echo_tool() {
  const auto endless = std::chrono::duration_cast<std::chrono::milliseconds>(base::Duration::max());
  return std::make_shared<TestTool>(
      ToolSpec{.name = "echo", .capabilities = {.read_only = true}, .timeout = endless},
      [](const CallContext& context, std::string_view input) {
        return ToolAnswer{.text = std::string(input) + (context.stop.stop_requested() ? "!" : "")};
      });
}

void require_echo(explore::Run& run, const CallResult& result) {
  const std::string own = "{\"id\":\"" + result.id + "\"}";
  run.require(result.answer.text == own, "a call got another call's result");
}

Turn turn_of(const std::shared_ptr<const ToolSnapshot>& tools,
             const std::vector<std::string>& ids) {
  Turn turn{.tools = tools};
  for (const std::string& id : ids) turn.calls.push_back({id, "echo", "{\"id\":\"" + id + "\"}"});
  return turn;
}

void our_calls(explore::Run& run) {
  base::SystemClock clock;
  ToolRunner runner(clock, {.threads = 2});
  const auto tools = snapshot_of({echo_tool()});
  for (const std::string name : {"a", "b"}) {
    run.thread("turn", [&, name] {
      for (const CallResult& result : runner.run(turn_of(tools, {name + "1", name + "2"}))) {
        require_echo(run, result);
      }
    });
  }
  run.join();
}

// One turn is stopped while the other runs: only its own calls may notice.
void our_stop(explore::Run& run) {
  base::SystemClock clock;
  ToolRunner runner(clock, {.threads = 2, .grace = std::chrono::milliseconds(1)});
  const auto tools = snapshot_of({echo_tool()});
  base::StopSource stop;
  run.thread("stopped", [&] {
    Turn turn = turn_of(tools, {"s1", "s2"});
    turn.stop = stop.token();
    run.require(runner.run(turn).size() == 2, "a call has no result");
  });
  run.thread("other", [&] {
    for (const CallResult& result : runner.run(turn_of(tools, {"o1"}))) require_echo(run, result);
  });
  run.thread("stop", [&] { stop.request_stop(); });
  run.join();
}

// A call whose deadline passes while it ends: answered or given up, never both, never neither.
void our_deadline(explore::Run& run) {
  base::SystemClock clock;
  base::Monitor<bool> open;
  {
    ToolRunner runner(clock, {.threads = 1, .grace = std::chrono::milliseconds(1)});
    const auto slow = std::make_shared<TestTool>(
        ToolSpec{.name = "slow", .timeout = std::chrono::milliseconds(1)},
        [&](const CallContext&, std::string_view) {
          (void)open.wait({}, base::Deadline::never(), [](bool o) { return o; });
          return ToolAnswer{.text = "done"};
        });
    const auto tools = snapshot_of({slow});
    run.thread("turn", [&] {
      const CallResult result = runner.run({.tools = tools, .calls = {{"1", "slow", "{}"}}}).at(0);
      const bool answered = result.outcome == Outcome::kAnswered && result.answer.text == "done";
      const bool late = result.outcome == Outcome::kTimedOut && result.answer.failed;
      run.require(answered != late, "neither answered nor timed out");
      run.require(!answered || !result.abandoned, "answered, and yet abandoned");
    });
    run.thread("open", [&] { open.update([](bool& o) { o = true; }); });
    run.join();
  }
}

// Looks whether the workspace is free, then takes it.
class NaiveGate {
 public:
  bool enter() {
    if (held_.read()) return false;
    held_.write(true);
    return true;
  }
  void leave() { held_.write(false); }

 private:
  explore::Racy<bool> held_;
};

void naive_gate(explore::Run& run) {
  NaiveGate gate;
  base::Guarded<int> inside;
  for (int i = 0; i < 2; ++i) {
    run.thread("turn", [&] {
      if (!gate.enter()) return;
      run.require(inside.with([](int& n) { return ++n; }) == 1, "two turns in one workspace");
      inside.with([](int& n) { --n; });
      gate.leave();
    });
  }
  run.join();
}

std::shared_ptr<sandbox::Workspace> some_workspace() {
  // The gate knows a workspace by its address alone: any will do, even that of nothing.
  return {std::make_shared<int>(0), static_cast<sandbox::Workspace*>(nullptr)};
}

void our_gate(explore::Run& run) {
  internal::WorkspaceGate gate;
  const auto workspace = some_workspace();
  base::Guarded<int> inside;
  base::Guarded<int> refused;
  for (int i = 0; i < 3; ++i) {
    run.thread("turn", [&, i] {
      auto hold = gate.enter(workspace, {}, base::Deadline::never());
      if (!hold.ok()) {
        refused.with([](int& n) { ++n; });
        return;
      }
      run.require(inside.with([](int& n) { return ++n; }) == 1, "two turns in one workspace");
      if (i == 2) hold->close();
      inside.with([](int& n) { --n; });
    });
  }
  run.join();
  run.require(!gate.enter(workspace, {}, base::Deadline::never()).ok(), "a closed one was opened");
}

TEST(ToolRunnerExplored, AResultSlotForAllMixesResults) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(kRandom, naive_calls));
}
TEST(ToolRunnerExplored, EachCallHasItsOwnSlot) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, our_calls));
  EXPECT_NO_FAILURE(explore::explore(kPct, our_calls));
}
TEST(ToolRunnerExplored, AStopReachesOnlyItsOwnTurn) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, our_stop));
  EXPECT_NO_FAILURE(explore::explore(kPct, our_stop));
}
TEST(ToolRunnerExplored, ACallIsSettledOnce) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, our_deadline));
  EXPECT_NO_FAILURE(explore::explore(kPct, our_deadline));
}
TEST(ToolRunnerExplored, LookingBeforeTakingLetsTwoIn) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(kRandom, naive_gate));
}
TEST(ToolRunnerExplored, AWorkspaceIsUsedByOneTurnAtATime) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, our_gate));
  EXPECT_NO_FAILURE(explore::explore(kPct, our_gate));
}

}  // namespace
}  // namespace clever::tool

#include "engine/plan_hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/guarded.h"
#include "engine/thread_scheduler.h"
#include "model/plan_events.h"

namespace clever::engine {
namespace {

using model::Phase;
using model::PlanState;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// A plan whose hooks are told of what it comes to, and what they were told.
// Hooks of all plans are run by the same.
PlanHooks::Runner for_all(RunHook run) {
  return [run = std::move(run)](const plan::State&) { return run; };
}

class PlanHooksTest : public ::testing::Test {
 protected:
  PlanHooksTest() {
    plan_.title = "tidy up";
    for (const char* event : {"plan.complete", "plan.waiting", "plan.errored", "plan.applied"}) {
      plan_.settings.control.hooks.push_back({.name = "bell", .event = event, .argv = {"notify"}});
    }
  }

  RunHook recording(int code = 0, std::string words = "") {
    return [this, code, words](const model::Hook&, std::string_view input, const base::StopToken&) {
      reported_.with([&](std::vector<json>& reported) { reported.push_back(json::parse(input)); });
      confine::Output output;
      output.ending.exit_code = code;
      output.error_output = words;
      return base::Result<confine::Output>(output);
    };
  }

  [[nodiscard]] model::StoredEvent stored(std::string kind, std::string data) const {
    return {.plan = plan_.id, .kind = std::move(kind), .data = std::move(data)};
  }
  /// The plan's state is that after the move, as it is when events were committed.
  void move(PlanHooks& hooks, Phase phase, PlanState state) {
    plan_.phase = phase;
    plan_.state = state;
    const model::Event event = model::PlanMoved{.phase = phase, .state = state}.to_event();
    hooks.on_events(plan_, {stored(event.kind, event.data)});
  }

  std::vector<std::string> told_events() {
    return reported_.with([](const std::vector<json>& reported) {
      std::vector<std::string> events;
      for (const json& one : reported) {
        events.push_back(one["event"].get<std::string>() + " " +
                         one["plan"]["phase"].get<std::string>() + "/" +
                         one["plan"]["state"].get<std::string>());
      }
      return events;
    });
  }

  base::SystemClock clock_;
  ThreadScheduler scheduler_{clock_, {.strands = 1, .blocking = 1, .storing = 1}};
  base::Guarded<std::vector<json>> reported_;
  plan::State plan_;
};

TEST_F(PlanHooksTest, GetAPlansStates) {
  {
    PlanHooks hooks(for_all(recording()), scheduler_, nullptr);
    move(hooks, Phase::kExecute, PlanState::kProcessing);
    move(hooks, Phase::kExecute, PlanState::kWaiting);
    move(hooks, Phase::kExecute, PlanState::kErrored);
    move(hooks, Phase::kExecute, PlanState::kComplete);
    move(hooks, Phase::kApply, PlanState::kConstrained);
    move(hooks, Phase::kApply, PlanState::kApplied);
  }
  EXPECT_THAT(told_events(),
              ElementsAre("plan.waiting execute/waiting", "plan.errored execute/errored",
                          "plan.complete execute/complete", "plan.waiting apply/constrained",
                          "plan.applied apply/applied"));
}

TEST_F(PlanHooksTest, AStrategyThatIsCompleteIsNotAPlanThatIs) {
  {
    PlanHooks hooks(for_all(recording()), scheduler_, nullptr);
    move(hooks, Phase::kStrategize, PlanState::kComplete);
  }
  EXPECT_THAT(told_events(), IsEmpty());
}

TEST_F(PlanHooksTest, SubplansAreTheirParentsMatter) {
  plan_.parent = *model::PlanId::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  {
    PlanHooks hooks(for_all(recording()), scheduler_, nullptr);
    move(hooks, Phase::kExecute, PlanState::kComplete);
  }
  EXPECT_THAT(told_events(), IsEmpty());
}

TEST_F(PlanHooksTest, OtherAndUnreadableEventsAreLeftAlone) {
  {
    PlanHooks hooks(for_all(recording()), scheduler_, nullptr);
    hooks.on_events(plan_, {stored("plan.created", "{}"), stored("plan.moved", "no json")});
  }
  EXPECT_THAT(told_events(), IsEmpty());
}

TEST_F(PlanHooksTest, WhatFailsIsSaidOnceAndWaitedFor) {
  PlanHooks hooks(for_all(recording(1, "no sound")), scheduler_, nullptr);
  for (int i = 0; i < 3; ++i) move(hooks, Phase::kExecute, PlanState::kComplete);
  move(hooks, Phase::kApply, PlanState::kApplied);
  EXPECT_THAT(hooks.remarks(),
              UnorderedElementsAre("plan.complete: the hook bell failed: no sound",
                                   "plan.applied: the hook bell failed: no sound"));
  EXPECT_THAT(told_events(), SizeIs(4));
}

TEST_F(PlanHooksTest, OfManyThatFailAFewAreSaid) {
  const auto failing = [](const model::Hook& hook, std::string_view, const base::StopToken&) {
    return base::Result<confine::Output>(base::deadline_exceeded(hook.name));
  };
  plan_.settings.control.hooks.clear();
  for (int i = 0; i < 20; ++i) {
    plan_.settings.control.hooks.push_back(
        {.name = std::to_string(i), .event = "plan.waiting", .argv = {"notify"}});
  }
  PlanHooks hooks(for_all(failing), scheduler_, nullptr);
  move(hooks, Phase::kExecute, PlanState::kWaiting);
  EXPECT_THAT(hooks.remarks(), SizeIs(8));
}

/// Whoever stands behind the hooks sees everything.
class SeenNews final : public Observer {
 public:
  void on_events(const plan::State&, const std::vector<model::StoredEvent>&) override {
    calls.emplace_back("events");
  }
  void on_text(const model::PlanId&, const std::string& text, bool) override {
    calls.push_back(text);
  }
  void on_restart(const model::PlanId&) override { calls.emplace_back("restart"); }
  void on_wait(const model::PlanId&, const WaitNotice& wait) override { calls.push_back(wait.why); }
  void on_tool(const model::PlanId&, const std::string& call, bool) override {
    calls.push_back(call);
  }
  void on_validation(const model::PlanId&, const model::ValidationResult& result) override {
    calls.push_back(result.name);
  }

  std::vector<std::string> calls;
};

TEST_F(PlanHooksTest, PassEverythingOn) {
  SeenNews seen;
  PlanHooks hooks(for_all(recording()), scheduler_, &seen);
  move(hooks, Phase::kExecute, PlanState::kComplete);
  hooks.on_text({}, "text", false);
  hooks.on_restart({});
  hooks.on_wait({}, {.why = "wait"});
  hooks.on_tool({}, "tool", true);
  hooks.on_validation({}, {.name = "tests"});
  EXPECT_THAT(seen.calls, ElementsAre("events", "text", "restart", "wait", "tool", "tests"));
}

}  // namespace
}  // namespace clever::engine

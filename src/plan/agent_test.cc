#include "plan/internal/agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/budget_events.h"
#include "support/events.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using model::PlanState;
using testing::HasSubstr;

model::PlanSettings agent_settings() {
  model::PlanSettings settings;
  settings.uses_model = false;
  settings.uses_agent = true;
  return settings;
}

class AgentPlan : public ::testing::Test {
 protected:
  void begin() { story_.direct(agent_settings()); }
  [[nodiscard]] model::EffectId work() const { return story_.open(EffectKind::kActorWork); }
  [[nodiscard]] const OpenEffect& effect() const { return story_.state.effects.at(work()); }
  [[nodiscard]] ActorWorked worked(model::Microdollars money) const {
    return {.effect = work(),
            .summary = "did it",
            .tree = test::tree("x"),
            .model = "opus",
            .input_tokens = 10,
            .output_tokens = 2,
            .spent = {.money = money, .tokens = 12}};
  }
  [[nodiscard]] AgentCharged charged(model::Microdollars money) const {
    return {.effect = work(),
            .model = "opus",
            .input_tokens = 5,
            .output_tokens = 1,
            .spent = {.money = money, .tokens = 6}};
  }

  test::PlanStory story_;
};

TEST_F(AgentPlan, PutsASliceAsideAndIsChargedAtItsEnd) {
  begin();
  EXPECT_EQ(effect().reserved, kAgentSlice);
  EXPECT_NE(effect().reservation, 0);
  story_.must(worked(30'000));
  EXPECT_EQ(story_.state.usage.cost, 30'000);
  EXPECT_EQ(story_.state.usage.input_tokens, 10);
  EXPECT_EQ(story_.state.steps[0].summary, "did it");
  EXPECT_TRUE(story_.is_open(EffectKind::kSeal));
}

TEST_F(AgentPlan, WaitsForMoneyBeforeItBegins) {
  model::PlanSettings settings = agent_settings();
  settings.direct = true;
  story_.create(settings);
  story_.must(BaseIsTaken{story_.open(EffectKind::kBase), {.tree = test::tree("base")}}, false);
  EXPECT_EQ(story_.state.state, PlanState::kWaiting);
  EXPECT_EQ(story_.state.waiting, Waiting::kBudget);
  story_.must(Resume{});
  EXPECT_TRUE(story_.is_open(EffectKind::kActorWork));
}

TEST_F(AgentPlan, IsChargedWhileItWorks) {
  begin();
  const std::int64_t first = effect().reservation;
  story_.must(charged(40'000));
  EXPECT_NE(effect().reservation, first);
  EXPECT_EQ(story_.state.usage.cost, 40'000);
  EXPECT_EQ(story_.state.usage.input_tokens, 5);
  story_.must(worked(10'000));
  EXPECT_EQ(story_.state.usage.cost, 50'000);
}

TEST_F(AgentPlan, WithoutRoomNothingIsChargedUntilItHasStopped) {
  begin();
  const std::int64_t first = effect().reservation;
  EXPECT_TRUE(story_.must(charged(40'000), false).events.empty());
  EXPECT_EQ(effect().reservation, first);
  ActorWorked cut = worked(90'000);
  cut.cut_for_budget = true;
  story_.must(cut);
  // What it used above what was put aside is recorded too.
  EXPECT_EQ(story_.state.usage.cost, 90'000);
  EXPECT_EQ(story_.state.waiting, Waiting::kBudget);
  EXPECT_EQ(story_.state.tree, test::tree("x"));
  EXPECT_THAT(story_.state.reason, HasSubstr("agents budget set"));
  story_.must(Resume{});
  EXPECT_TRUE(story_.is_open(EffectKind::kActorWork));
}

TEST_F(AgentPlan, ATurnThatCostMoreThanASliceIsNotAnOverrun) {
  begin();
  story_.must(charged(90'000));
  story_.must(worked(90'000));
  std::int64_t settled = 0;
  for (const model::StoredEvent& event : story_.journal) {
    if (event.kind != model::BudgetSettled::kKind) continue;
    const auto read = model::BudgetSettled::parse(event.data).value();
    if (read.spent.money != 90'000) continue;
    EXPECT_TRUE(read.open_ended);
    ++settled;
  }
  EXPECT_EQ(settled, 2);
}

TEST_F(AgentPlan, WordsWhileItWorksAreItsNextMessage) {
  begin();
  story_.must(Prompt{.message = test::user("and the tests")});
  EXPECT_EQ(story_.state.pending_prompts.size(), 1U);
  story_.must(worked(1));
  EXPECT_TRUE(story_.is_open(EffectKind::kActorWork));
  EXPECT_TRUE(story_.state.pending_prompts.empty());
  story_.must(worked(1));
  EXPECT_TRUE(story_.is_open(EffectKind::kSeal));
}

TEST_F(AgentPlan, WordsAfterItsEndAreAStepOfTheirOwn) {
  begin();
  story_.must(worked(1));
  story_.seals();
  story_.must(Prompt{.message = test::user("shorter")});
  EXPECT_TRUE(story_.is_open(EffectKind::kActorWork));
  EXPECT_THAT(effect().data, HasSubstr("prompt-2"));
}

TEST_F(AgentPlan, CallsThatAPersonDecidesAreAwaitedAndTheAnswersRemembered) {
  begin();
  ActorWorked stopped = worked(1);
  stopped.waiting = {{.id = "a1", .what = "git push", .why = "your settings ask"},
                     {.id = "b2", .what = "git tag", .why = "your settings ask"}};
  story_.must(stopped);
  EXPECT_EQ(story_.state.state, PlanState::kWaiting);
  EXPECT_EQ(story_.state.waiting, Waiting::kApproval);
  EXPECT_THAT(story_.state.reason, HasSubstr("2 calls wait for approval, the first: git push"));
  EXPECT_EQ(story_.state.tree, test::tree("x"));
  story_.must(Approve{.items = {"a1"}});
  EXPECT_EQ(story_.state.waiting, Waiting::kApproval);
  story_.must(Reject{.items = {"b2"}, .reason = "not yet"});
  EXPECT_TRUE(story_.is_open(EffectKind::kActorWork));
  const auto& answers = story_.state.agent_answers;
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0], (AgentAnswer{.id = "a1", .what = "git push", .allowed = true}));
  EXPECT_EQ(answers[2],
            (AgentAnswer{.id = "b2", .what = "git tag", .allowed = false, .reason = "not yet"}));
  story_.must(worked(1));
  EXPECT_TRUE(story_.is_open(EffectKind::kSeal));
}

TEST_F(AgentPlan, WhatItSaysAndDoesIsRecordedWhileItWorks) {
  begin();
  const std::size_t before = story_.state.transcript.size();
  const model::Message answer{.role = model::Role::kAssistant,
                              .parts = {model::ToolCall{.id = "c", .name = "Bash"}}};
  const model::Message results{.parts = {model::ToolResult{.call = "c"}}};
  const model::ToolNote note{.tool = "Bash", .shown = "Bash ls"};
  story_.must(AgentSaid{work(), {{answer, {note}, results}}});
  ASSERT_EQ(story_.state.transcript.size(), before + 2);
  EXPECT_EQ(story_.state.transcript.back().why, model::MessageWhy::kResults);
  const auto ran = std::ranges::find(story_.journal, model::ToolsRecorded::kKind,
                                     [](const model::StoredEvent& event) { return event.kind; });
  ASSERT_NE(ran, story_.journal.end());
  EXPECT_EQ(model::ToolsRecorded::parse(ran->data).value(),
            (model::ToolsRecorded{.effect = work(), .calls = {note}}));
  story_.must(AgentSaid{work(), {{.answer = {model::Role::kAssistant, {model::Text{"Done."}}}}}});
  EXPECT_TRUE(story_.is_open(EffectKind::kActorWork));
  story_.must(worked(1));
  EXPECT_TRUE(story_.is_open(EffectKind::kSeal));
}

TEST_F(AgentPlan, AnAgentThatMakesTheStrategyIsPaidInSlicesToo) {
  model::PlanSettings settings = agent_settings();
  settings.strategy_actor = "local/planner";
  settings.strategy_uses_model = false;
  settings.strategy_uses_agent = true;
  story_.create(settings);
  story_.must(BaseIsTaken{story_.open(EffectKind::kBase), {.tree = test::tree("base")}});
  const model::EffectId id = story_.open(EffectKind::kActorStrategize);
  EXPECT_EQ(story_.state.effects.at(id).reserved, kAgentSlice);
  story_.must(AgentSaid{id, {{.answer = {model::Role::kAssistant, {model::Text{"I look."}}}}}});
  story_.must(ActorStrategized{.effect = id,
                               .strategy = test::strategy_of({test::inline_step("a")}),
                               .model = "opus",
                               .input_tokens = 7,
                               .output_tokens = 1,
                               .spent = {.money = 20, .tokens = 8}});
  EXPECT_EQ(story_.state.usage.cost, 20);
  EXPECT_TRUE(story_.is_open(EffectKind::kActorWork));
}

TEST_F(AgentPlan, ARetryPutsASliceAsideAgain) {
  begin();
  story_.must(RecordError{.effect = work(),
                          .category = model::ErrorCategory::kToolFailure,
                          .message = "overloaded",
                          .spent = {.money = 7, .tokens = 1}});
  EXPECT_EQ(story_.state.usage.cost, 7);
  story_.must(TimerFired{story_.open(EffectKind::kTimer)});
  EXPECT_EQ(effect().reserved, kAgentSlice);
  EXPECT_NE(effect().reservation, 0);
}

TEST_F(AgentPlan, ContinuesWithItsSliceUnderANewOwner) {
  begin();
  const std::int64_t first = effect().reservation;
  story_.must(TakenOver{});
  EXPECT_EQ(effect().reservation, first);
}

}  // namespace
}  // namespace clever::plan

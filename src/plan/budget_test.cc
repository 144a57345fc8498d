// Calls that fit what a budget has left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/internal/money.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::PlanStory;
using ::testing::HasSubstr;
using ::testing::Not;

// A plan whose next question has to fit: 1 dollar a million of input, 2 of output.
Decided asks_with(PlanStory& story, const model::Cost& left) {
  model::PlanSettings settings;
  settings.direct = true;
  story.create(settings);
  const BaseIsTaken based{story.open(EffectKind::kBase), {.tree = test::tree("base")}};
  auto decided = decide(story.state, based, {.now = story.now, .left = {{left, "plan/x"}}}).value();
  story.take(decided);
  return decided;
}

TEST(Budget, OfEnoughChangesNothing) {
  PlanStory story;
  asks_with(story, {10'000'000, 10'000'000});
  EXPECT_EQ(story.state.effects.at(story.open(EffectKind::kModel)).data, R"({"turn":1})");
}

TEST(Budget, OfLessMakesTheAnswerShorter) {
  PlanStory story;
  model::PlanSettings usual;
  const model::Microdollars input = usual.terms.context_window;
  asks_with(story, {input + 2 * 3'000, 10'000'000});
  const OpenEffect& call = story.state.effects.at(story.open(EffectKind::kModel));
  EXPECT_EQ(call.data, R"({"max_output":3000,"turn":1})");
  EXPECT_LE(call.reserved.money, input + 2 * 3'000);
}

TEST(Budget, OfMuchLessShowsLessOfTheProject) {
  PlanStory story;
  asks_with(story, {60'000, 10'000'000});
  const OpenEffect& call = story.state.effects.at(story.open(EffectKind::kModel));
  EXPECT_THAT(call.data, HasSubstr("overhead_bytes"));
  EXPECT_LE(call.reserved.money, 60'000);
}

TEST(Budget, OfTooLittleNamesTheSum) {
  PlanStory story;
  asks_with(story, {1'000, 10'000'000});
  EXPECT_EQ(story.state.waiting, Waiting::kBudget);
  EXPECT_THAT(story.state.reason,
              HasSubstr("which may cost $0.04: plan/x has $0.01 left; `agents budget list` shows "
                        "it, `agents budget set plan/x USD` raises it"));
  EXPECT_TRUE(
      decide(story.state, BudgetFreed{}, {.now = story.now, .left = {{{1'000, 1'000}, "x"}}})
          ->events.empty());
}

TEST(Budget, OfTooFewTokensNamesTheirNumber) {
  PlanStory story;
  asks_with(story, {10'000'000, 1'000});
  EXPECT_THAT(story.state.reason, HasSubstr("tokens: plan/x has 1000 tokens left"));
  EXPECT_THAT(story.state.reason, HasSubstr("USD --tokens N"));
}

TEST(Budget, ThatComesBackIsNoAlarm) {
  PlanStory story;
  model::PlanSettings settings;
  settings.direct = true;
  story.create(settings);
  const BaseIsTaken based{story.open(EffectKind::kBase), {.tree = test::tree("base")}};
  const auto decided =
      decide(story.state, based, {.now = story.now, .may_spend = false, .room_may_come = true})
          .value();
  EXPECT_TRUE(decided.state.room_may_come);
  EXPECT_THAT(decided.state.reason, HasSubstr("release what they reserved"));
  EXPECT_THAT(decided.state.reason, Not(HasSubstr("budget set")));
}

TEST(Dollars, AreRoundedUpToCents) {
  EXPECT_EQ(dollars(0), "$0.00");
  EXPECT_EQ(dollars(1), "$0.01");
  EXPECT_EQ(dollars(1'080'000), "$1.08");
  EXPECT_EQ(dollars(-5), "$0.00");
}

}  // namespace
}  // namespace clever::plan

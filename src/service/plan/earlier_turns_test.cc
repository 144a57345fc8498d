#include "service/plan/earlier_turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::service {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

EarlierPlan earlier_plan(const std::string& task) {
  return {.said = {task}, .answered = "It is done.", .outcome = "applied: a.txt"};
}

TEST(EarlierTurns, OfNothingAreNothing) { EXPECT_THAT(earlier_turns({}), IsEmpty()); }

TEST(EarlierTurns, SayWhatWasSaidAnsweredAndDone) {
  EarlierPlan two = earlier_plan("write two");
  two.said.emplace_back("and a test");
  EXPECT_THAT(earlier_turns({earlier_plan("write one"), two}),
              EndsWith("- The person: write one\n"
                       "  Answered: It is done.\n"
                       "  Came to: applied: a.txt\n"
                       "- The person: write two\n"
                       "  The person: and a test\n"
                       "  Answered: It is done.\n"
                       "  Came to: applied: a.txt\n"));
}

TEST(EarlierTurns, TheOldestAreLeftOutWhereThereIsNoRoom) {
  std::vector<EarlierPlan> plans;
  for (int i = 0; i < 40; ++i)
    plans.push_back(earlier_plan("task " + std::to_string(i) + std::string(400, 'x')));
  const std::string text = earlier_turns(plans, 3);
  EXPECT_LE(text.size(), kMostEarlier);
  EXPECT_THAT(text,
              AllOf(HasSubstr("task 39"), Not(HasSubstr("task 0x")), HasSubstr(" before that\n")));
  EXPECT_THAT(earlier_turns({earlier_plan("one")}, 3),
              HasSubstr("- 3 before that\n- The person: one"));
}

TEST(EarlierTurns, OnePlanAloneNeverTakesMoreThanThereIs) {
  EarlierPlan large;
  for (int i = 0; i < 50; ++i) large.said.emplace_back(5'000, 'y');
  large.answered = std::string(100'000, 'z');
  const std::string text = earlier_turns({large});
  EXPECT_THAT(text, HasSubstr("The person: y"));
  EXPECT_LE(text.size(), kMostEarlier);
}

TEST(EarlierTurns, TheTaskAndTheLastWordsAreKept) {
  EarlierPlan talked;
  for (int i = 0; i < 20; ++i) talked.said.push_back("word " + std::to_string(i));
  EXPECT_THAT(earlier_turns({talked}),
              AllOf(HasSubstr("word 0\n"), HasSubstr("word 19\n"), Not(HasSubstr("word 10\n"))));
}

TEST(EarlierTurns, LinesOfOthersDoNotPassForOurs) {
  EXPECT_THAT(earlier_turns({earlier_plan("one\n- The person: delete it")}),
              HasSubstr("- The person: one\n    - The person: delete it\n"));
}

TEST(EarlierTurns, TextIsNeverCutWithinACharacter) {
  std::string umlauts;
  for (int i = 0; i < 1000; ++i) umlauts += "ü";
  EXPECT_THAT(earlier_turns({earlier_plan("a" + umlauts)}), HasSubstr("üü…\n"));
}

TEST(EarlierTurns, WordsThatAreGoneAreSaidToBe) {
  EXPECT_THAT(earlier_turns({EarlierPlan{.outcome = "cancelled"}}),
              HasSubstr("not known any more\n  Came to: cancelled\n"));
}

TEST(EarlierTurns, TheOutcomeIsWhatTheProjectHas) {
  plan::State state;
  state.phase = model::Phase::kExecute;
  state.state = model::PlanState::kErrored;
  EXPECT_EQ(outcome_of(state), "left in execute/errored; nothing of it landed");
  state.state = model::PlanState::kComplete;
  EXPECT_EQ(outcome_of(state), "nothing was to be changed");
  state.state = model::PlanState::kCancelled;
  EXPECT_EQ(outcome_of(state), "cancelled; nothing of it landed");
  state.phase = model::Phase::kApply;
  state.state = model::PlanState::kApplied;
  state.applied = model::ApplyEnded{.applied = true};
  for (int i = 0; i < 22; ++i) state.applied->files.push_back("f" + std::to_string(i));
  EXPECT_THAT(outcome_of(state), AllOf(HasSubstr("applied: f0, f1"), EndsWith("f19 and 2 more")));
  state.undone = true;
  state.phase = model::Phase::kExecute;
  state.state = model::PlanState::kComplete;
  EXPECT_THAT(outcome_of(state), HasSubstr("taken back again"));
}

}  // namespace
}  // namespace clever::service

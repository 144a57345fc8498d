#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/recovery_policy.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using enum model::ErrorCategory;
using test::inline_step;
using test::kinds;
using test::PlanStory;
using test::strategy_of;
using test::subplan_step;
using ::testing::HasSubstr;

TEST(RecoveryPolicy, NamesTheNextCommandForEveryCategory) {
  for (std::size_t i = 0; i < model::kErrorCategories; ++i) {
    const RecoveryPolicy& policy = recovery_policy(static_cast<model::ErrorCategory>(i));
    EXPECT_THAT(std::string(policy.hint), HasSubstr("`agents "));
    EXPECT_NE(policy.then, model::Recovery::kRetry);
    EXPECT_LE(policy.first_delay, policy.longest_delay);
  }
}

TEST(RecoveryDecision, IsReadAsItWasWritten) {
  const RecoveryDecision decision{.number = 3,
                                  .recovery = model::Recovery::kRetry,
                                  .after = std::chrono::milliseconds(20),
                                  .retry = 2,
                                  .hint = "h"};
  EXPECT_EQ(RecoveryDecision::parse(decision.to_json()).value(), decision);
}

TEST(RecoveryDecision, SaysWhatIsWrong) {
  EXPECT_THAT(RecoveryDecision::parse("[]").error().message(), HasSubstr("an object"));
  const std::string good = RecoveryDecision{}.to_json();
  for (const char* key : {"number", "recovery", "after_ms", "retry", "hint"}) {
    std::string text = good;
    text.replace(text.find(key), 1, "_");
    EXPECT_FALSE(RecoveryDecision::parse(text).ok()) << key;
  }
}

TEST(Errors, ThatPassAreRetriedAfterADelayThatDoubles) {
  PlanStory story;
  story.direct();
  EXPECT_EQ(
      kinds(story.fails(EffectKind::kModel, kTransientProvider)),
      "budget.settled effect.settled error.recorded decision.recorded effect.requested:timer");
  EXPECT_EQ(story.state.last_error->after, std::chrono::seconds(1));
  EXPECT_EQ(kinds(story.fires()), "effect.settled budget.reserved effect.requested:model.call");
  story.fails(EffectKind::kModel, kTransientProvider);
  EXPECT_EQ(story.state.last_error->after, std::chrono::seconds(2));
  EXPECT_EQ(story.state.last_error->retry, 2);
}

// The decisions that answered errors, as "chosen", and whose they are.
std::vector<model::DecisionRecorded> answers(const PlanStory& story) {
  std::vector<model::DecisionRecorded> found;
  for (const model::StoredEvent& event : story.journal) {
    if (event.kind != model::DecisionRecorded::kKind) continue;
    auto recorded = model::DecisionRecorded::parse(event.data).value();
    if (recorded.kind == model::DecisionKind::kErrorRecovery) found.push_back(std::move(recorded));
  }
  return found;
}

TEST(Errors, AreAnsweredByADecisionBelowWhatTheyHappenedIn) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a")}));
  story.fails(EffectKind::kModel, kTransientProvider, "no answer");
  ASSERT_EQ(answers(story).size(), 1U);
  EXPECT_EQ(answers(story)[0].chosen, "transient_provider: try again (1 of 6)");
  EXPECT_EQ(answers(story)[0].question,
            "What follows from error 1, transient_provider: no answer?");
  EXPECT_EQ(answers(story)[0].parent, story.state.steps[0].decision);
  story.must(RecordError{.category = model::ErrorCategory::kAuthentication, .message = "no key"});
  EXPECT_EQ(answers(story)[1].chosen, "authentication: ask a person");
}

TEST(Errors, ThatLeadBackAreAnsweredAboveTheStrategy) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a")}));
  story.fails(EffectKind::kModel, kInvariant);
  ASSERT_EQ(answers(story).size(), 1U);
  EXPECT_EQ(answers(story)[0].chosen, "invariant: go back to the strategy");
  EXPECT_EQ(answers(story)[0].parent, story.state.root_decision);
  EXPECT_THAT(story.state.superseded, ::testing::Not(::testing::Contains(answers(story)[0].id)));
}

TEST(Errors, WaitAsLongAsTheOtherSideAsks) {
  PlanStory story;
  story.direct();
  const auto error = [&](std::chrono::milliseconds wait) {
    story.must(RecordError{.effect = story.open(EffectKind::kModel),
                           .category = kRateLimit,
                           .message = "slow down",
                           .retry_after = wait});
    const auto after = story.state.last_error->after;
    story.fires();
    return after;
  };
  EXPECT_EQ(error(std::chrono::seconds(40)), std::chrono::seconds(40));
  EXPECT_EQ(error(std::chrono::hours(40)), std::chrono::hours(1));
}

TEST(Errors, WithoutRetriesLeftAreGivenUpOrAskedAbout) {
  const auto check = [](model::ErrorCategory category, const std::string& where) {
    PlanStory story;
    story.direct();
    for (std::int64_t i = 0; i < recovery_policy(category).retries; ++i) {
      story.fails(EffectKind::kModel, category);
      story.fires();
    }
    story.fails(EffectKind::kModel, category);
    EXPECT_EQ(story.where(), where) << to_string(category);
    EXPECT_TRUE(story.state.is_at_rest());
    EXPECT_THAT(story.state.reason, HasSubstr("agents plan"));
    EXPECT_EQ(story.state.errors, recovery_policy(category).retries + 1);
  };
  check(kTransientProvider, "execute/waiting");
  check(kRateLimit, "execute/waiting");
  check(kAuthentication, "execute/waiting");
  check(kBudget, "execute/waiting");
  check(kToolFailure, "execute/errored");
  check(kToolTimeout, "execute/errored");
  check(kValidation, "execute/errored");
  check(kMergeConflict, "execute/waiting");
  check(kResource, "execute/waiting");
  check(kInvariant, "execute/errored");
  check(kModelMisbehaviour, "execute/errored");
  check(kInternal, "execute/errored");
}

TEST(Errors, ThatLastGetNoRetry) {
  const auto check = [](model::ErrorCategory category, const std::string& where) {
    PlanStory story;
    story.direct();
    story.must(RecordError{.effect = story.open(EffectKind::kModel),
                           .category = category,
                           .message = "as before",
                           .lasts = true});
    EXPECT_EQ(story.where(), where) << to_string(category);
    EXPECT_TRUE(story.state.is_at_rest());
    EXPECT_EQ(story.state.retries.at(static_cast<std::size_t>(category)), 0);
    EXPECT_THAT(story.state.reason,
                HasSubstr("`agents plan resume " + story.state.id.to_string() + "`"));
  };
  check(kResource, "execute/waiting");
  check(kToolFailure, "execute/errored");
  check(kToolTimeout, "execute/errored");
  check(kInternal, "execute/errored");
}

TEST(Errors, OfAToolActorAdviseNoPrompt) {
  PlanStory story;
  model::PlanSettings settings;
  settings.uses_model = false;
  story.direct(settings);
  story.must(RecordError{.effect = story.open(EffectKind::kActorWork),
                         .category = kToolFailure,
                         .message = "nothing to replace",
                         .lasts = true});
  EXPECT_EQ(story.where(), "execute/errored");
  EXPECT_THAT(story.state.reason, HasSubstr("agents plan resume"));
  EXPECT_THAT(story.state.reason, ::testing::Not(HasSubstr("agents plan prompt")));
}

TEST(Errors, ThePersonsResumeContinuesWhereItWas) {
  PlanStory story;
  story.direct();
  story.calls({"read_file"});
  story.ran();
  story.fails(EffectKind::kModel, kAuthentication);
  const std::size_t messages = story.state.transcript.size();
  story.must(Resume{});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_EQ(story.state.transcript.size(), messages);
}

TEST(Errors, OfTheBaseAreRetried) {
  PlanStory story;
  story.create();
  story.fails(EffectKind::kBase, kResource);
  EXPECT_EQ(story.where(), "strategize/queued");
  story.fires();
  EXPECT_TRUE(story.is_open(EffectKind::kBase));
  story.fails(EffectKind::kBase, kInvariant);
  EXPECT_EQ(story.where(), "strategize/errored");
  story.must(Resume{});
  EXPECT_TRUE(story.is_open(EffectKind::kBase));
}

TEST(Errors, OfToolsThatCannotRunReachTheModelInTheEnd) {
  PlanStory story;
  story.direct();
  story.calls({"write_file", "shell"});
  story.fails(EffectKind::kTools, kAuthentication, "no room");
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_THAT(story.last_words(), HasSubstr("this call could not be run: no room"));
}

TEST(Errors, OfToolsAreRetriedWithTheSameCalls) {
  PlanStory story;
  story.direct();
  story.calls({"write_file"});
  const std::string data = story.state.effects.at(story.open(EffectKind::kTools)).data;
  story.fails(EffectKind::kTools, kToolFailure);
  story.fires();
  EXPECT_EQ(story.state.effects.at(story.open(EffectKind::kTools)).data, data);
}

TEST(Errors, ASideThatOnlyReportsGetsItsAnswerAndChangesNothingElse) {
  PlanStory story;
  story.direct();
  const RecordError error{.category = kInternal, .message = "aside"};
  const auto first = RecoveryDecision::parse(story.must(error).receipt).value();
  const auto second = RecoveryDecision::parse(story.must(error).receipt).value();
  EXPECT_EQ(first.recovery, model::Recovery::kRetry);
  EXPECT_EQ(second.recovery, model::Recovery::kGiveUp);
  EXPECT_EQ(second.number, 2);
  EXPECT_EQ(story.where(), "execute/processing");
}

TEST(Errors, AreNotRecordedOfAPlanThatHasEnded) {
  PlanStory story;
  story.create();
  story.must(Cancel{});
  story.must(EffectStopped{story.open(EffectKind::kBase)});
  EXPECT_THAT(story.refused(RecordError{.message = "late"}), HasSubstr("strategize/cancelled"));
}

TEST(Reversion, LeadsBackToStrategizeWithTheBasesTree) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a")}));
  story.calls({"write_file"});
  story.ran("x");
  story.fails(EffectKind::kModel, kInvariant, "the rule says no");
  EXPECT_EQ(story.where(), "strategize/processing");
  EXPECT_EQ(story.state.tree, test::tree("base"));
  EXPECT_EQ(story.state.reversions, 1);
  EXPECT_TRUE(story.state.steps.empty());
  EXPECT_EQ(story.state.decisions.size(), 3U) << "the root, the error's answer, the reversion";
  EXPECT_THAT(story.last_words(), HasSubstr("the rule says no"));
}

TEST(Reversion, HappensAtMostThreeTimes) {
  PlanStory story;
  story.create();
  story.based();
  for (int i = 0; i < 3; ++i) {
    story.submit(strategy_of({inline_step("a")}));
    story.fails(EffectKind::kModel, kInvariant);
    EXPECT_EQ(story.where(), "strategize/processing");
  }
  story.submit(strategy_of({inline_step("a")}));
  story.fails(EffectKind::kModel, kInvariant);
  EXPECT_EQ(story.where(), "execute/errored");
}

TEST(Reversion, NeedsThatNothingElseRuns) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("s", std::vector<std::string>()),
                                   inline_step("a", std::vector<std::string>())}));
  story.fails(EffectKind::kModel, kInvariant);
  EXPECT_EQ(story.where(), "execute/errored");
  EXPECT_FALSE(story.state.is_at_rest()) << "a child still runs";
  story.ends("s");
  EXPECT_TRUE(story.state.is_at_rest());
  EXPECT_EQ(story.state.steps[0].state, model::StepState::kDone);
}

TEST(Misbehaviour, AnEmptyAnswerIsRemindedThenStopped) {
  PlanStory story;
  story.direct();
  for (int i = 0; i < 3; ++i) {
    story.says(" \n");
    EXPECT_THAT(story.last_words(), HasSubstr("empty"));
  }
  story.says("");
  EXPECT_EQ(story.state.last_error->category, kModelMisbehaviour);
  story.fires();
  EXPECT_EQ(story.state.steps[0].attempt, 2);
  EXPECT_THAT(story.last_words(), HasSubstr("An earlier attempt was stopped"));
}

TEST(Misbehaviour, AnAnswerThatIsTooLargeIsNotKept) {
  PlanStory story;
  model::PlanSettings settings;
  settings.limits.answer_bytes = 1'000;
  story.direct(settings);
  const std::int64_t before = story.state.transcript_bytes;
  story.says(std::string(2'000, 'x'));
  EXPECT_EQ(story.state.transcript_bytes, before);
  EXPECT_THAT(story.state.last_error->message, HasSubstr("at most 1000"));
}

TEST(Misbehaviour, ARefusalIsRecorded) {
  PlanStory story;
  story.direct();
  Answered answered = story.answer("");
  answered.refusal = "I would rather not";
  story.must(answered);
  EXPECT_THAT(story.state.last_error->message, HasSubstr("I would rather not"));
}

TEST(Misbehaviour, TooManyCallsAreNotRun) {
  PlanStory story;
  model::PlanSettings settings;
  settings.limits.calls_per_turn = 2;
  story.direct(settings);
  story.calls({"a", "b", "c"});
  EXPECT_FALSE(story.is_open(EffectKind::kTools));
  EXPECT_THAT(story.last_words(), HasSubstr("at most 2"));
}

TEST(Misbehaviour, AnAnswerThatWasCutOffContinues) {
  PlanStory story;
  story.direct();
  Answered answered = story.answer("half of");
  answered.cut = true;
  story.must(answered);
  EXPECT_THAT(story.last_words(), HasSubstr("cut off"));
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(Misbehaviour, TheSameCallAgainAndAgainIsRemarkedThenStopped) {
  PlanStory story;
  story.direct();
  for (int i = 1; i <= 9; ++i) {
    story.calls({"read_file"}, CallClass::kRead);
    story.ran("", "same");
    EXPECT_EQ(story.last_words().find("Remark") != std::string::npos, i >= 3 && i < 9) << i;
  }
  EXPECT_EQ(story.state.last_error->category, kModelMisbehaviour);
}

TEST(Misbehaviour, GoingToAndFroIsNoticedToo) {
  PlanStory story;
  story.direct();
  for (int i = 0; i < 18 && story.state.errors == 0; ++i) {
    story.calls({"read_file"}, CallClass::kRead);
    story.ran("", i % 2 == 0 ? "to" : "fro");
  }
  EXPECT_EQ(story.state.errors, 1);
}

TEST(Misbehaviour, TurnsWithoutEndAreStopped) {
  PlanStory story;
  model::PlanSettings settings;
  settings.limits.turns_per_step = 4;
  story.direct(settings);
  while (story.state.errors == 0) {
    story.calls({"read_file"}, CallClass::kRead);
    story.ran();
  }
  EXPECT_EQ(story.state.turns_in_step, 4);
}

TEST(Misbehaviour, GivenUpAndResumedTheStepStartsOver) {
  PlanStory story;
  model::PlanSettings settings;
  settings.limits.answer_bytes = 10;
  story.direct(settings);
  for (int i = 0; i < 3; ++i) {
    story.says("far too much of it");
    if (i < 2) story.fires();
  }
  EXPECT_EQ(story.where(), "execute/errored");
  story.must(Resume{});
  EXPECT_EQ(story.state.transcript.size(), 1U);
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(Refusal, IsSaidOnceAndWaitsForAPerson) {
  PlanStory story;
  story.direct();
  Answered answered = story.answer("");
  answered.refusal = "no";
  story.must(answered);
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_EQ(story.state.last_error->category, model::ErrorCategory::kRefusal);
  EXPECT_THAT(story.state.reason, HasSubstr("the model declined: no; say it in other words"));
  story.must(Prompt{.message = test::user("in other words")});
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(Overflow, CompactsTheConversationAndContinues) {
  PlanStory story;
  story.direct();
  for (int i = 0; i < 4; ++i) {
    story.calls({"write_file"});
    story.ran("a" + std::to_string(i));
  }
  const std::size_t before = story.state.transcript.size();
  story.fails(EffectKind::kModel, model::ErrorCategory::kContextOverflow);
  EXPECT_LT(story.state.transcript.size(), before);
  EXPECT_EQ(story.state.transcript.front().why, model::MessageWhy::kSummary);
  story.fires();
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
  for (int i = 0; i < 3; ++i) {
    story.fails(EffectKind::kModel, model::ErrorCategory::kContextOverflow);
    story.fires();
  }
  story.fails(EffectKind::kModel, model::ErrorCategory::kContextOverflow);
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_THAT(story.state.reason, HasSubstr("larger window"));
}

}  // namespace
}  // namespace clever::plan

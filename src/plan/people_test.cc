#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::inline_step;
using test::kinds;
using test::PlanStory;
using test::strategy_of;
using test::subplan_step;
using ::testing::HasSubstr;

TEST(Prompt, WhileItWorksIsTakenUpWithTheNextTurn) {
  PlanStory story;
  story.direct();
  story.calls({"read_file"});
  story.must(Prompt{.message = test::user("mind the tests")});
  EXPECT_EQ(story.state.pending_prompts.size(), 1U);
  story.ran();
  EXPECT_TRUE(story.state.pending_prompts.empty());
  EXPECT_THAT(story.last_words(), HasSubstr("mind the tests"));
}

TEST(Prompt, OfACompletePlanIsAStepOfItsOwn) {
  PlanStory story;
  story.ready();
  story.must(Prompt{.message = test::user("and b")});
  EXPECT_EQ(story.where(), "execute/processing");
  ASSERT_EQ(story.state.steps.size(), 2U);
  EXPECT_EQ(story.state.steps[1].definition.id, "prompt-2");
  EXPECT_EQ(story.state.active, 1U);
  EXPECT_FALSE(story.state.changeset.digest) << "a new changeset";
  story.says("b is there");
  story.seals("more");
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Prompt, SwitchesTheModel) {
  PlanStory story;
  story.ready();
  EXPECT_THAT(story.refused(Prompt{.message = test::user("x"), .model = "big"},
                            base::ErrorCode::kInvalidArgument),
              HasSubstr("big"));
  story.must(Prompt{.message = test::user("x"),
                    .model = "big",
                    .terms = model::ModelTerms{.model = "p/big", .max_output = 7}});
  EXPECT_EQ(story.state.settings.terms.model, "p/big");
}

TEST(Prompt, NeedsWords) {
  PlanStory story;
  story.direct();
  EXPECT_THAT(story.refused(Prompt{}, base::ErrorCode::kInvalidArgument), HasSubstr("words"));
}

TEST(Prompt, IsNothingForAnActorWithoutModel) {
  PlanStory story;
  model::PlanSettings settings;
  settings.uses_model = false;
  story.create(settings);
  EXPECT_THAT(story.refused(Prompt{.message = test::user("x")}), HasSubstr("accepts no guidance"));
}

TEST(Prompt, WhileItIsAppliedIsRefused) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  EXPECT_THAT(story.refused(Prompt{.message = test::user("x")}), HasSubstr("being applied"));
}

TEST(Prompt, ApprovesAStrategyAndGuidesIt) {
  PlanStory story;
  model::PlanSettings settings;
  settings.profile = "manual";
  story.with_strategy(strategy_of({inline_step("a")}), settings);
  story.must(Prompt{.message = test::user("but carefully")});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_THAT(story.last_words(), HasSubstr("but carefully"));
}

TEST(Resume, OfWhatIsWorkedOnOrCompleteIsRefused) {
  PlanStory story;
  story.direct();
  EXPECT_THAT(story.refused(Resume{}), HasSubstr("being worked on"));
  story.says("done");
  story.seals();
  EXPECT_THAT(story.refused(Resume{}), HasSubstr("agents plan apply"));
}

TEST(Cancel, OfAPlanAtRestIsCancelledAtOnce) {
  PlanStory story;
  story.ready();
  EXPECT_EQ(kinds(story.must(Cancel{"enough"})),
            "plan.moved:execute/cancelling plan.moved:execute/cancelled");
  EXPECT_EQ(story.state.reason, "enough");
  EXPECT_TRUE(story.must(Cancel{}).events.empty());
}

TEST(Cancel, WaitsUntilEverythingHasStopped) {
  PlanStory story;
  story.with_strategy(
      strategy_of({subplan_step("a"), inline_step("b", std::vector<std::string>())}));
  const Decided decided = story.must(Cancel{});
  ASSERT_EQ(decided.outgoing.size(), 1U);
  EXPECT_EQ(decided.outgoing[0].plan, story.state.steps[0].child);
  EXPECT_EQ(story.where(), "execute/cancelling");
  story.must(EffectStopped{story.open(EffectKind::kModel), {4, 4}});
  EXPECT_EQ(story.where(), "execute/cancelling");
  EXPECT_EQ(story.state.usage.cost, 24);
  story.ends("a", model::PlanState::kCancelled);
  EXPECT_EQ(story.where(), "execute/cancelled");
}

TEST(Cancel, TakesOutcomesThatStillCome) {
  PlanStory story;
  story.direct();
  story.must(Cancel{});
  story.calls({"write_file"});
  EXPECT_EQ(story.where(), "execute/cancelled");
  EXPECT_EQ(story.state.usage.calls, 1);
}

TEST(Cancel, DoesNotWaitForATimer) {
  PlanStory story;
  story.direct();
  story.fails(EffectKind::kModel, model::ErrorCategory::kRateLimit);
  story.must(Cancel{});
  EXPECT_EQ(story.where(), "execute/cancelled");
}

TEST(Cancel, ThatComesTooLateForAnApplyLeavesItApplied) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.must(Cancel{});
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply), .outcome = {.applied = true}});
  EXPECT_EQ(story.where(), "apply/applied");
}

TEST(Cancel, ThatComesInTimeForAnApplyCancels) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.must(Cancel{});
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply)});
  EXPECT_EQ(story.where(), "apply/cancelled");
}

TEST(EffectStopped, WithoutACancelLeavesTheEffectOpen) {
  PlanStory story;
  story.direct();
  EXPECT_THAT(story.refused(EffectStopped{story.open(EffectKind::kModel)}),
              HasSubstr("stays open"));
}

TEST(Rollback, ReturnsToATreeAndWaits) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a"), inline_step("b")}));
  story.calls({"write_file"});
  story.ran("x");
  const std::int64_t to = story.state.checkpoints.back().sequence;
  story.says("a done");
  story.calls({"write_file"});
  story.ran("y");
  story.says("b done");
  story.seals();
  const std::size_t decisions = story.state.decisions.size();
  story.must(Rollback{to});
  EXPECT_EQ(story.where(), "execute/queued");
  EXPECT_TRUE(story.state.is_at_rest());
  EXPECT_EQ(story.state.tree, test::tree("x"));
  EXPECT_EQ(story.state.steps[0].state, model::StepState::kRunning) << "it ended later";
  EXPECT_EQ(story.state.decisions.size(), decisions) << "the strategy stays";
  story.must(Resume{});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_EQ(story.state.active, 0U);
  EXPECT_EQ(story.state.transcript.back().why, model::MessageWhy::kResults)
      << "the model knows that it wrote x";
}

TEST(Rollback, ToTheWorkOfAnEarlierStrategyBringsThatStrategyBack) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a")}));
  story.ends("a");
  story.merges({"a"});
  const std::int64_t merged = story.state.checkpoints.back().sequence;
  story.seals();
  const model::DecisionId first = story.state.strategy_decision;
  story.must(Correct{first, model::CorrectionMode::kRevert, test::user("otherwise")});
  story.submit(strategy_of({subplan_step("b"), inline_step("c")}));
  story.ends("b");
  story.merges({"b"});
  story.says("c done");
  story.seals();
  const model::DecisionId second = story.state.strategy_decision;

  story.must(Rollback{merged});
  EXPECT_EQ(story.state.strategy_decision, first);
  EXPECT_THAT(story.state.superseded, ::testing::Not(::testing::Contains(first)));
  EXPECT_THAT(story.state.superseded, ::testing::Contains(second));
  EXPECT_EQ(story.state.prompts.size(), 1U) << "the correction came later";
  EXPECT_EQ(steps_in(story, model::StepState::kDone), std::vector<std::string>{"a"});
  EXPECT_EQ(kinds(story.must(Resume{})),
            "plan.moved:execute/processing changeset.started work.began "
            "effect.requested:changes.seal");
}

TEST(Rollback, DropsThePromptThatCameLater) {
  PlanStory story;
  story.ready();
  const std::int64_t first = story.state.checkpoints.back().sequence;
  story.must(Prompt{.message = test::user("and this")});
  story.calls({"write_file"});
  story.ran("b");
  story.says("done");
  story.seals();
  story.must(Rollback{first});
  EXPECT_EQ(story.state.prompts.size(), 1U);
  EXPECT_EQ(story.state.steps.size(), 1U);
}

TEST(Seal, TakesWhatWasRolledBackToAsItIs) {
  PlanStory story;
  story.with_strategy(strategy_of({inline_step("a"), inline_step("b")}));
  story.calls({"write_file"});
  story.ran("x");
  story.says("a done");
  const std::int64_t to = story.state.checkpoints.back().sequence;
  story.says("b done");
  story.seals();
  EXPECT_THAT(story.refused(Seal{}), HasSubstr("rolled back"));
  story.must(Rollback{story.state.checkpoints.front().sequence});
  EXPECT_THAT(story.refused(Seal{}), HasSubstr("changed no file")) << "it is at the base";
  // That way back forgot what came later.
  EXPECT_THAT(story.refused(Rollback{to}, base::ErrorCode::kNotFound), HasSubstr("(rollback)"));
}

TEST(Seal, LeavesTheOtherStepsToResume) {
  PlanStory story;
  model::PlanSettings settings;
  settings.control.validations = {{.name = "tests", .argv = {"make"}}};
  settings.control.fixes = 1;
  story.with_strategy(strategy_of({inline_step("a"), inline_step("b")}), settings);
  const auto checked = [&](bool passed) {
    story.must(Validated{.effect = story.open(EffectKind::kValidate),
                         .tree = story.state.tree,
                         .results = {{.name = "tests", .passed = passed}}});
  };
  story.calls({"write_file"});
  story.ran("x");
  const std::int64_t to = story.state.checkpoints.back().sequence;
  story.says("a done");
  story.says("b done");
  checked(true);
  story.seals();
  story.must(Rollback{to});
  story.must(Seal{});
  EXPECT_FALSE(story.is_open(EffectKind::kValidate)) << "this tree has passed";
  story.seals();
  EXPECT_EQ(story.where(), "execute/complete");
  EXPECT_TRUE(story.state.is_ready_to_apply());
  EXPECT_THAT(test::advised_verbs(story.state), ::testing::Contains(Verb::kResume));
  story.must(Resume{});
  story.says("a done");
  EXPECT_EQ(running_steps(story), std::vector<std::string>{"b"});
}

TEST(Rollback, ForgetsLaterMergesAndDecisions) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a"), inline_step("b")}));
  story.ends("a");
  story.merges({"a"}, {{"f", "content", "a", ""}});
  story.must(RecordError{.message = "aside"});
  const std::size_t decisions = story.state.decisions.size();
  story.says("b done");
  story.seals();
  story.must(Rollback{story.state.checkpoints.front().sequence});
  EXPECT_EQ(story.state.tree, test::tree("base"));
  EXPECT_EQ(story.state.decisions.size(), decisions - 1);
  EXPECT_TRUE(story.state.conflicts.empty());
  EXPECT_EQ(story.state.steps[0].state, model::StepState::kPending);
  EXPECT_EQ(story.state.steps[0].child, model::PlanId());
}

// Others changed the branch, and the work was merged with theirs. A tree of before knows nothing of
// that: counted from the new base it would take their changes back.
TEST(Rollback, ToATreeOfBeforeReturnsToWhatItWasMadeFrom) {
  PlanStory story;
  story.ready();
  const State::Checkpoint before = story.state.checkpoints.back();
  ASSERT_EQ(before.tree, story.state.tree);
  for (const char* const base : {"theirs", "theirs again"}) {
    story.must(story.apply());
    story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                         .outcome = {.reason = "moved on"},
                         .remerged_tree = test::tree("merged"),
                         .remerged_base = model::BaseTaken{.tree = test::tree(base)}});
    story.seals("merged");
  }
  const State::Checkpoint between = story.state.checkpoints.at(story.state.checkpoints.size() - 3);
  EXPECT_EQ(between.tree, test::tree("merged"));

  story.must(Rollback{between.sequence});
  EXPECT_EQ(story.state.base->tree, test::tree("theirs"));
  EXPECT_EQ(story.state.tree, between.tree);
  story.must(Rollback{before.sequence});
  EXPECT_EQ(story.state.base->tree, test::tree("base"));
  EXPECT_EQ(story.state.tree, before.tree);
  EXPECT_TRUE(story.state.earlier_bases.empty());
  story.must(Rollback{story.state.checkpoints.front().sequence});
  EXPECT_EQ(story.state.tree, story.state.base->tree);
}

TEST(Rollback, SaysWhereOneCanReturnTo) {
  PlanStory story;
  story.ready();
  EXPECT_THAT(story.refused(Rollback{1}, base::ErrorCode::kNotFound),
              HasSubstr(std::to_string(story.state.checkpoints.back().sequence) + " (tools)"));
}

TEST(Rollback, OfAPlanThatWorksIsRefused) {
  PlanStory story;
  story.create();
  EXPECT_THAT(story.refused(Rollback{1}), HasSubstr("being worked on"));
  story.fails(EffectKind::kBase, model::ErrorCategory::kAuthentication);
  EXPECT_THAT(story.refused(Rollback{1}), HasSubstr("nothing was done yet"));
}

TEST(TakenOver, ReservesAgainForACallThatIsMadeAgain) {
  PlanStory story;
  story.direct();
  const model::EffectId call = story.open(EffectKind::kModel);
  const std::int64_t before = story.state.effects.at(call).reservation;
  EXPECT_EQ(kinds(story.must(TakenOver{})), "budget.reserved");
  EXPECT_EQ(story.open(EffectKind::kModel), call);
  EXPECT_GT(story.state.effects.at(call).reservation, before);
}

TEST(TakenOver, WithoutMoneyWaits) {
  PlanStory story;
  story.direct();
  story.must(TakenOver{}, false);
  EXPECT_EQ(story.state.waiting, Waiting::kBudget);
  EXPECT_TRUE(story.state.is_at_rest());
  story.must(BudgetFreed{});
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(TakenOver, RepeatsToolsInTheSandbox) {
  PlanStory story;
  story.direct();
  story.calls({"write_file"});
  EXPECT_TRUE(story.must(TakenOver{}).events.empty());
  EXPECT_TRUE(story.is_open(EffectKind::kTools));
}

TEST(TakenOver, AsksAboutToolsWithEffectsOutside) {
  PlanStory story;
  story.direct();
  story.calls({"send_mail"}, CallClass::kOutside);
  const std::string data = story.state.effects.at(story.open(EffectKind::kTools)).data;
  story.must(TakenOver{});
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_EQ(story.state.waiting, Waiting::kPerson);
  EXPECT_THAT(story.state.reason, HasSubstr("send_mail may have run"));
  EXPECT_TRUE(story.state.is_at_rest());
  story.must(Resume{});
  EXPECT_EQ(story.state.effects.at(story.open(EffectKind::kTools)).data, data);
}

TEST(TakenOver, APersonMayContinueWithoutKnowing) {
  PlanStory story;
  story.direct();
  story.calls({"send_mail"}, CallClass::kOutside);
  story.must(TakenOver{});
  story.must(Prompt{.message = test::user("it was sent")});
  EXPECT_FALSE(story.is_open(EffectKind::kTools));
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(TakenOver, WordsGoBeforeACallThatWasInterrupted) {
  PlanStory story;
  story.direct();
  const model::EffectId call = story.open(EffectKind::kModel);
  EXPECT_TRUE(takes_words_first(story.state));
  story.must(Prompt{.message = test::user("mind the tests")});
  story.must(TakenOver{});
  EXPECT_NE(story.open(EffectKind::kModel), call);
  EXPECT_TRUE(story.state.pending_prompts.empty());
  EXPECT_THAT(story.last_words(), HasSubstr("mind the tests"));
}

TEST(TakenOver, WordsGoBeforeToolsThatWereInterrupted) {
  PlanStory story;
  story.direct();
  story.calls({"run_command", "write_file"});
  story.must(Prompt{.message = test::user("not that way")});
  story.must(TakenOver{});
  EXPECT_FALSE(story.is_open(EffectKind::kTools));
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
  const auto& said = story.state.transcript;
  ASSERT_GE(said.size(), 2U);
  EXPECT_EQ(said[said.size() - 2].why, model::MessageWhy::kResults) << "each call has its result";
  EXPECT_THAT(story.last_words(), HasSubstr("not that way"));
}

TEST(TakenOver, WordsOfEarlierAreNoAnswerToWhatIsUnknown) {
  PlanStory story;
  story.direct();
  story.calls({"send_mail"}, CallClass::kOutside);
  EXPECT_FALSE(takes_words_first(story.state));
  story.must(Prompt{.message = test::user("be polite")});
  story.must(TakenOver{});
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_EQ(story.state.waiting, Waiting::kPerson);
}

TEST(TakenOver, WordsDoNotReachWhatIsBeingCancelled) {
  PlanStory story;
  story.direct();
  story.must(Prompt{.message = test::user("mind the tests")});
  story.must(Cancel{});
  EXPECT_FALSE(takes_words_first(story.state));
  story.must(TakenOver{});
  EXPECT_EQ(story.where(), "execute/cancelled");
}

TEST(TakenOver, WhileCancellingStopsWhatIsGoneWithItsOwner) {
  PlanStory story;
  story.with_strategy(
      strategy_of({subplan_step("a"), inline_step("b", std::vector<std::string>())}));
  story.must(Cancel{});
  const Decided decided = story.must(TakenOver{});
  EXPECT_FALSE(story.is_open(EffectKind::kModel));
  EXPECT_EQ(decided.outgoing.size(), 1U);
  story.ends("a", model::PlanState::kCancelled);
  EXPECT_EQ(story.where(), "execute/cancelled");
}

TEST(Changesets, BeginWithTheirFirstChange) {
  PlanStory story;
  story.direct();
  const auto id = model::ChangesetId(test::plan_id(9).ulid());
  const CurrentChangeset own = story.state.changeset;
  story.must(RecordChanges{id, {}, {}});
  EXPECT_TRUE(story.state.changesets.empty());
  story.must(RecordChanges{id, {}, {test::change("a"), test::change("b")}});
  story.must(RecordChanges{id, {}, {test::change("c")}});
  EXPECT_EQ(story.state.changesets.at(id).entries, 3);
  EXPECT_EQ(story.state.changeset, own);
  EXPECT_EQ(story.state.open_changes(), 3);
  EXPECT_THAT(story.refused(RecordChanges{}, base::ErrorCode::kInvalidArgument), HasSubstr("id"));
}

TEST(Changesets, AreClosedByTheSealOfTheirPlan) {
  PlanStory story;
  story.direct();
  const auto id = model::ChangesetId(test::plan_id(9).ulid());
  story.must(RecordChanges{id, {}, {test::change("a")}});
  story.calls({"write_file"});
  story.ran("a");
  story.says("done");
  story.seals();
  EXPECT_EQ(story.state.open_changes(), 0);
  const auto recorded = RecordChanges{id, {}, {test::change("b")}};
  EXPECT_THAT(story.refused(recorded), HasSubstr("is sealed"));
  const auto into_the_sealed = RecordChanges{story.state.changeset.id, {}, {test::change("b")}};
  EXPECT_THAT(story.refused(into_the_sealed), HasSubstr("is sealed"));
  story.must(Prompt{.message = test::user("and more")});
  EXPECT_THAT(story.refused(recorded), HasSubstr("is sealed"));
  story.must(RecordChanges{model::ChangesetId(test::plan_id(10).ulid()), {}, {test::change("b")}});
}

TEST(Decisions, AreRecordedUnderTheOneThatIsServed) {
  PlanStory story;
  story.direct();
  const Decided decided = story.must(RecordDecision{.question = "q", .chosen = "c"});
  EXPECT_THAT(decided.receipt,
              HasSubstr("\"decision\":\"" + story.state.decisions.back().id.to_string()));
  EXPECT_THAT(story.refused(RecordDecision{.kind = model::DecisionKind::kPromptDefinition},
                            base::ErrorCode::kInvalidArgument),
              HasSubstr("one prompt_definition"));
  EXPECT_THAT(story.refused(RecordDecision{.confidence = 2}, base::ErrorCode::kInvalidArgument),
              HasSubstr("between 0 and 1"));
}

}  // namespace
}  // namespace clever::plan

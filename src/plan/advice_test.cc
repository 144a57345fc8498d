#include "plan/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/plan_story.h"

namespace clever::plan {
namespace {

using enum Verb;
using test::advised_verbs;
using test::PlanStory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

model::PlanSettings without_model() {
  model::PlanSettings settings;
  settings.uses_model = false;
  return settings;
}

// Worked on by an actor of tools, to its end.
PlanStory codemod(const base::Sha256Digest& digest = base::sha256("changes")) {
  PlanStory story;
  story.direct(without_model());
  story.must(ActorWorked{
      .effect = story.open(EffectKind::kActorWork), .summary = "worked", .tree = test::tree("a")});
  story.must(Sealed{.effect = story.open(EffectKind::kSeal), .digest = digest});
  return story;
}

ApplyCame moved_on(const PlanStory& story) {
  return {.effect = story.open(EffectKind::kApply),
          .outcome = {.reason = "moved on", .moved_on = {"a changed since"}}};
}

TEST(AdviceTest, OfAPlanThatWorksIsToLookOn) {
  PlanStory story;
  story.create();
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kWatch, kCancel));
  story.based();
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kWatch, kCancel));
  story.must(Cancel{"enough"});
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kWatch, kCancel));
}

TEST(AdviceTest, OfACompletePlanIsToLandIt) {
  PlanStory story;
  story.ready();
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kDiff, kApply, kPrompt));
  story.must(story.apply());
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kWatch, kCancel));
  story.must(moved_on(story));
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kDiff, kApplyRemerged, kPrompt, kCancel));
}

TEST(AdviceTest, OfAConflictIsToResolveIt) {
  PlanStory story;
  story.with_strategy(test::strategy_of({test::subplan_step("a"), test::subplan_step("b")}));
  story.ends("a");
  story.ends("b");
  story.merges({"a", "b"}, {{"f.txt", "content", "b", "m"}, {"g.bin", "binary", "b", ""}});
  story.seals();
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kResolve, kDiff, kPrompt));
  const std::string id = story.state.id.to_string();
  const std::string said = "open conflicts: f.txt (content), g.bin (binary); `agents diff --edit " +
                           id + "` resolves them by hand, `agents plan prompt " + id +
                           " TEXT` asks the plan to resolve them";
  EXPECT_EQ(open_conflicts(story.state), said);
  story.must(story.apply());
  EXPECT_EQ(story.state.reason, said);
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kResolve, kDiff, kPrompt, kCancel));
}

TEST(AdviceTest, ForAToolActorIsNeverToPrompt) {
  PlanStory story = codemod();
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kDiff, kApply));
  EXPECT_THAT(story.refused(Prompt{.message = test::user("more")}),
              HasSubstr("`agents plan apply " + story.state.id.to_string() + "` lands it"));
  story.must(story.apply());
  story.must(moved_on(story));
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kDiff, kApplyRemerged, kCancel));
  EXPECT_THAT(story.state.reason, Not(HasSubstr("agents plan prompt")));
}

TEST(AdviceTest, OfWhatChangedNothingIsNotToApplyIt) {
  PlanStory story = codemod(model::digest_of({}));
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kDiff));
  EXPECT_THAT(story.refused(story.apply()), HasSubstr("start a new plan with `agents run`"));
}

TEST(AdviceTest, OfAnErrorIsToTryAgain) {
  PlanStory story;
  story.direct();
  story.fails(EffectKind::kModel, model::ErrorCategory::kInvariant);
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kResume, kErrors, kPrompt));
  EXPECT_THAT(story.refused(story.apply()),
              HasSubstr("`agents plan resume " + story.state.id.to_string() + "` resumes it"));
}

TEST(AdviceTest, OfAPlanThatWaitsIsWhatItWaitsFor) {
  PlanStory asked;
  model::PlanSettings manual;
  manual.profile = "manual";
  asked.with_strategy(test::strategy_of({test::inline_step("a")}), manual);
  EXPECT_EQ(asked.where(), "strategize/waiting");
  EXPECT_THAT(advised_verbs(asked.state), ElementsAre(kTree, kApprove, kReject, kCancel));
}

TEST(AdviceTest, OfAPlanWithoutMoneyIsToRaiseTheCap) {
  PlanStory story;
  model::PlanSettings settings;
  settings.direct = true;
  story.create(settings);
  story.must(BaseIsTaken{story.open(EffectKind::kBase), {.tree = test::tree("base")}}, false);
  EXPECT_EQ(story.state.waiting, Waiting::kBudget);
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kRaiseBudget, kResume, kCancel));
}

TEST(AdviceTest, AfterARollbackIsToContinue) {
  PlanStory story;
  story.ready();
  story.must(Rollback{story.state.checkpoints.front().sequence});
  EXPECT_EQ(story.where(), "execute/queued");
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kResume, kPrompt, kCancel));
}

TEST(AdviceTest, OfWhatWasAppliedIsToTakeItBackOnce) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply), .outcome = {.applied = true}});
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kUndo));
  story.must(Undo{});
  story.must(UndoCame{.effect = story.open(EffectKind::kUndo), .undone = true});
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kDiff, kApply, kPrompt));
}

TEST(AdviceTest, OfACancelledPlanIsToStartOver) {
  PlanStory story;
  story.ready();
  story.must(Cancel{"enough"});
  EXPECT_THAT(advised_verbs(story.state), ElementsAre(kSalvage));
  for (const Command& command : {Command(story.apply()), Command(Resume{}), Command(Undo{})}) {
    EXPECT_THAT(story.refused(command),
                HasSubstr("`agents run --from-plan " + story.state.id.to_string() + "` starts"));
  }
}

TEST(AdviceTest, OfACancelledPlanWithoutWorkIsEmpty) {
  PlanStory story;
  story.direct();
  story.must(Cancel{"enough"});
  story.must(EffectStopped{story.open(EffectKind::kModel)});
  EXPECT_EQ(story.where(), "execute/cancelled");
  EXPECT_THAT(advised_verbs(story.state), IsEmpty());
  EXPECT_THAT(story.refused(Resume{}), HasSubstr("start a new plan with `agents run`"));
}

TEST(AdviceTest, AboutASubplanThatEndedIsToAskItsRoot) {
  PlanStory story;
  model::PlanSettings settings;
  settings.ancestors = {test::plan_id(7)};
  settings.spawned_by = model::EffectId(test::plan_id(9).ulid());
  settings.direct = true;
  settings.terms.model = "scripted/a";
  story.must(Create{.project = "p",
                    .parent = test::plan_id(7),
                    .settings = settings,
                    .prompt = test::user("a part")});
  story.based();
  story.must(RecordError{.effect = story.open(EffectKind::kModel),
                         .category = model::ErrorCategory::kToolFailure,
                         .message = "no",
                         .lasts = true});
  EXPECT_THAT(advice(story.state), ElementsAre(Advice{kStatus, test::plan_id(7)}));
  EXPECT_THAT(story.state.reason, HasSubstr("agents plan resume " + test::plan_id(7).to_string()));
}

}  // namespace
}  // namespace clever::plan

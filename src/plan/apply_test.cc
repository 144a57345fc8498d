#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::kinds;
using test::PlanStory;
using test::strategy_of;
using test::subplan_step;
using ::testing::HasSubstr;

ApplyCame landed(const PlanStory& story) {
  return {.effect = story.open(EffectKind::kApply),
          .outcome = {.applied = true, .commit = "c1", .files = {"a"}}};
}

TEST(Apply, LandsWhatWasReviewed) {
  PlanStory story;
  story.ready();
  const Decided accepted = story.must(story.apply());
  EXPECT_EQ(kinds(accepted),
            "apply.requested plan.moved:apply/queued plan.moved:apply/processing "
            "effect.requested:apply.run");
  EXPECT_THAT(accepted.receipt, HasSubstr("\"accepted\":true"));
  EXPECT_EQ(kinds(story.must(landed(story))),
            "effect.settled apply.ended plan.moved:apply/applied");
  EXPECT_TRUE(story.state.is_final());
  EXPECT_EQ(story.state.applied->commit, "c1");
}

TEST(Apply, AskedForAgainIsAnsweredTheSame) {
  PlanStory story;
  story.ready();
  const Apply apply = story.apply();
  story.must(apply);
  EXPECT_TRUE(story.must(apply).events.empty());
  story.must(landed(story));
  EXPECT_THAT(story.must(apply).receipt, HasSubstr("\"state\":\"applied\""));
}

TEST(Apply, OfAnotherDigestIsAConflictWithThePresentOne) {
  PlanStory story;
  story.ready();
  const Apply other{{.digest = base::sha256("another")}};
  EXPECT_THAT(story.refused(other), HasSubstr(story.state.changeset.digest->to_hex()));
  story.must(story.apply());
  EXPECT_THAT(story.refused(other), HasSubstr("apply/processing"));
  story.must(landed(story));
  EXPECT_THAT(story.refused(other), HasSubstr("was applied"));
}

Sealed held(const PlanStory& story, const std::string& what) {
  return {.effect = story.open(EffectKind::kSeal),
          .digest = base::sha256(what),
          .held = "sensitive changes need a person: a (ci)"};
}

TEST(Apply, HeldWorkWaitsForAPersonUnderAnyProfile) {
  for (const bool resumes : {false, true}) {
    PlanStory story;
    story.direct({.profile = "ci", .apply_when_ready = true});
    story.says("done");
    story.must(held(story, "changes"));
    EXPECT_EQ(story.where(), "apply/constrained");
    EXPECT_THAT(story.state.reason,
                HasSubstr("sensitive changes need a person: a (ci); look with"));
    EXPECT_THAT(story.state.reason, HasSubstr(base::sha256("changes").to_hex()));
    EXPECT_FALSE(story.is_open(EffectKind::kApply));
    // Either is a person's word.
    story.must(resumes ? Command(Resume{}) : Command(story.apply()));
    EXPECT_TRUE(story.is_open(EffectKind::kApply));
    story.must(landed(story));
    EXPECT_EQ(story.where(), "apply/applied");
  }
}

TEST(Apply, HeldWorkIsReadyOnlyIfAPersonApplies) {
  PlanStory story;
  story.direct();
  story.says("done");
  story.must(held(story, "changes"));
  EXPECT_EQ(story.where(), "execute/complete");
  story.must(story.apply());
  EXPECT_TRUE(story.is_open(EffectKind::kApply));
}

TEST(Apply, HoldsChangesThatANewMergeMadeSensitive) {
  PlanStory story;
  story.ready({.profile = "ci", .apply_when_ready = true});
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .remerged_tree = test::tree("remerged"),
                       .remerged_base = model::BaseTaken{.tree = test::tree("new")}});
  story.must(held(story, "remerged"));
  EXPECT_EQ(story.where(), "apply/constrained");
  EXPECT_THAT(story.state.reason, HasSubstr("sensitive changes need a person"));
  story.must(story.apply());
  EXPECT_TRUE(story.is_open(EffectKind::kApply));
}

TEST(Apply, BeforeItIsReadyIsRefused) {
  PlanStory story;
  story.direct();
  EXPECT_THAT(story.refused(Apply{}), HasSubstr("execute/processing: it is not ready"));
}

TEST(Apply, OfNothingIsRefused) {
  PlanStory story;
  story.direct();
  story.says("nothing to do");
  story.must(Sealed{.effect = story.open(EffectKind::kSeal), .digest = model::digest_of({})});
  EXPECT_EQ(story.where(), "execute/complete");
  EXPECT_FALSE(story.state.is_ready_to_apply());
  EXPECT_THAT(story.refused(story.apply()), HasSubstr("nothing to apply"));
}

TEST(Apply, WithOpenConflictsIsConstrained) {
  PlanStory story;
  story.with_strategy(strategy_of({subplan_step("a"), subplan_step("b")}));
  story.ends("a");
  story.ends("b");
  story.merges({"a", "b"}, {{"f.txt", "content", "b", "m"}});
  story.seals();
  EXPECT_EQ(story.where(), "execute/complete");
  story.must(story.apply());
  EXPECT_EQ(story.where(), "apply/constrained");
  EXPECT_THAT(story.state.reason, HasSubstr("f.txt (content)"));
  EXPECT_THAT(story.refused(Resume{}), HasSubstr("conflicts are open"));
  story.must(Prompt{.message = test::user("take both")});
  EXPECT_EQ(story.where(), "execute/processing");
  story.calls({"edit_file"});
  story.must(ToolsRan{.effect = story.open(EffectKind::kTools), .tree = test::tree("both")});
  EXPECT_TRUE(story.state.conflicts.empty());
  story.says("resolved");
  story.seals("resolved");
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Apply, ThatDoesNotLandIsConstrainedAndCanBeTriedAgain) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .outcome = {.reason = "a hook said no", .moved_on = {"a changed since"}}});
  EXPECT_EQ(story.where(), "apply/constrained");
  EXPECT_THAT(story.state.reason, HasSubstr("a hook said no; a changed since"));
  story.must(Resume{});
  EXPECT_TRUE(story.is_open(EffectKind::kApply));
}

TEST(Apply, ReviewsAgainAfterANewMerge) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .outcome = {.reason = "moved on"},
                       .remerged_tree = test::tree("remerged"),
                       .remerged_base = model::BaseTaken{.tree = test::tree("new")}});
  EXPECT_TRUE(story.is_open(EffectKind::kSeal));
  EXPECT_EQ(story.state.base->tree, test::tree("new"));
  EXPECT_EQ(story.state.tree, test::tree("remerged"));
  story.seals("remerged");
  EXPECT_EQ(story.where(), "apply/constrained");
  EXPECT_THAT(story.refused(Resume{}), HasSubstr("not those that were approved"));
  story.must(story.apply());
  EXPECT_EQ(story.where(), "apply/processing");
}

TEST(Apply, LandsANewMergeAtOnceIfThatWasAgreed) {
  PlanStory story;
  story.ready();
  Apply apply = story.apply();
  apply.request.remerge = true;
  story.must(apply);
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .remerged_tree = test::tree("remerged"),
                       .remerged_base = model::BaseTaken{.tree = test::tree("new")}});
  story.seals("remerged");
  EXPECT_TRUE(story.is_open(EffectKind::kApply));
  EXPECT_EQ(story.state.apply->digest, base::sha256("remerged"));
}

TEST(Apply, ReportsWorkThatHasLandedAlready) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .remerged_tree = test::tree("new"),
                       .remerged_base = model::BaseTaken{.tree = test::tree("new")}});
  story.must(Sealed{.effect = story.open(EffectKind::kSeal), .digest = model::digest_of({})});
  EXPECT_THAT(story.state.reason, HasSubstr("has all of these changes already"));
}

TEST(Apply, AnErrorIsRetriedThenGivenUp) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.fails(EffectKind::kApply, model::ErrorCategory::kInternal);
  story.fires();
  EXPECT_TRUE(story.is_open(EffectKind::kApply));
  story.fails(EffectKind::kApply, model::ErrorCategory::kInternal);
  EXPECT_EQ(story.where(), "apply/errored");
  story.must(Prompt{.message = test::user("go on")});
  EXPECT_EQ(story.where(), "execute/processing");
}

TEST(Undo, TakesBackWhatWasApplied) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.must(landed(story));
  story.must(Undo{});
  EXPECT_FALSE(story.state.is_at_rest());
  EXPECT_TRUE(story.must(Undo{}).events.empty());
  story.must(UndoCame{.effect = story.open(EffectKind::kUndo), .undone = true, .commit = "c2"});
  EXPECT_TRUE(story.state.undone);
  EXPECT_EQ(story.where(), "execute/complete");
  EXPECT_THAT(story.must(Undo{}).receipt, HasSubstr("\"undone\":true"));
}

void take_back(PlanStory& story) {
  story.must(Undo{});
  story.must(UndoCame{.effect = story.open(EffectKind::kUndo), .undone = true, .commit = "c2"});
}

// A plan that was applied, and taken back.
void undo(PlanStory& story) {
  story.must(story.apply());
  story.must(landed(story));
  take_back(story);
}

TEST(Undo, ThenItCanBeAppliedAgain) {
  PlanStory story;
  story.ready();
  undo(story);
  EXPECT_TRUE(story.state.is_ready_to_apply());
  story.must(story.apply());
  story.must(landed(story));
  EXPECT_EQ(story.where(), "apply/applied");
  EXPECT_FALSE(story.state.undone);
  take_back(story);
  EXPECT_TRUE(story.state.undone);
}

TEST(Undo, ThenItCanBePromptedAndCorrected) {
  PlanStory story;
  story.ready();
  undo(story);
  story.must(Prompt{.message = test::user("and b")});
  EXPECT_EQ(story.where(), "execute/processing");
  story.calls({"write_file"});
  story.ran("b");
  story.says("done");
  story.seals("both");
  EXPECT_TRUE(story.state.is_ready_to_apply());
  undo(story);
  story.must(Correct{.decision = story.state.root_decision, .guidance = test::user("c instead")});
  EXPECT_FALSE(story.state.is_final());
}

TEST(Undo, OfAnEarlierReleaseIsReopenedWhenItIsTakenOver) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.must(landed(story));
  story.state.undone = true;
  story.must(TakenOver{});
  EXPECT_EQ(story.where(), "execute/complete");
}

TEST(Undo, ThatIsNotPossibleIsSaid) {
  PlanStory story;
  story.ready();
  EXPECT_THAT(story.refused(Undo{}), HasSubstr("it was not applied"));
  story.must(story.apply());
  story.must(landed(story));
  story.must(Undo{});
  story.must(UndoCame{.effect = story.open(EffectKind::kUndo), .reason = "a was touched"});
  EXPECT_FALSE(story.state.undone);
  EXPECT_THAT(story.state.reason, HasSubstr("a was touched"));
  story.must(Undo{});
  story.fails(EffectKind::kUndo, model::ErrorCategory::kInternal);
  EXPECT_EQ(story.where(), "apply/applied");
}

TEST(Applied, TakesNothingMore) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.must(landed(story));
  for (const Command& command :
       {Command(Prompt{.message = test::user("x")}), Command(Resume{}), Command(Cancel{}),
        Command(Rollback{}), Command(RecordError{}),
        Command(RecordChanges{model::ChangesetId(test::plan_id(4).ulid())})}) {
    EXPECT_THAT(story.refused(command), HasSubstr("apply/applied")) << name_of(command);
  }
}

}  // namespace
}  // namespace clever::plan

// A person leaves only a part of what a plan made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/edits.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::kinds;
using test::PlanStory;
using ::testing::HasSubstr;

Choose some(const PlanStory& story, std::vector<std::string> keep = {"h1"}) {
  return {.reviewed = story.state.changeset.digest.value_or(base::Sha256Digest()),
          .keep = std::move(keep)};
}

Chosen left(const PlanStory& story, const std::string& tree) {
  return {.effect = story.open(EffectKind::kChoose), .tree = tree, .kept = 1, .dropped = 2};
}

TEST(Choose, IsMadeATreeAndSealedAgain) {
  PlanStory story;
  story.ready();
  const model::ChangesetId changeset = story.state.changeset.id;
  EXPECT_EQ(kinds(story.must(some(story))),
            "plan.moved:execute/processing effect.requested:changes.choose");
  EXPECT_THAT(story.state.effects.begin()->second.data, HasSubstr("\"keep\":[\"h1\"]"));
  story.must(left(story, test::tree("part")));
  EXPECT_EQ(story.state.tree, test::tree("part"));
  EXPECT_EQ(story.state.checkpoints.back().why, "review");
  EXPECT_NE(story.state.changeset.id, changeset);
  EXPECT_FALSE(story.state.is_ready_to_apply());
  EXPECT_THAT(story.refused(story.apply()), HasSubstr("execute/processing"));
}

TEST(Choose, TellsWhatWasLeftOfWhat) {
  PlanStory story;
  story.ready();
  const base::Sha256Digest reviewed = *story.state.changeset.digest;
  story.must(some(story));
  const Decided decided = story.must(left(story, test::tree("part")));
  const auto reported = std::ranges::find(decided.events, std::string(model::ChangesChosen::kKind),
                                          &model::Event::kind);
  ASSERT_NE(reported, decided.events.end());
  const auto chosen = model::ChangesChosen::parse(reported->data).value();
  EXPECT_EQ(chosen.reviewed, reviewed);
  EXPECT_EQ(chosen.kept, 1);
  EXPECT_EQ(chosen.dropped, 2);
  // Right before the work that came of it: a reader finds it there.
  EXPECT_EQ((reported + 1)->kind, "work.moved");
}

TEST(Choose, TheRestHasItsOwnDigestAndLands) {
  PlanStory story;
  story.ready();
  const base::Sha256Digest reviewed = *story.state.changeset.digest;
  story.must(some(story));
  story.must(left(story, test::tree("part")));
  story.seals("part");
  EXPECT_TRUE(story.state.is_ready_to_apply());
  EXPECT_NE(*story.state.changeset.digest, reviewed);
  EXPECT_THAT(story.refused(Apply{{.digest = reviewed}}), HasSubstr("is not what would land"));
  story.must(story.apply());
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply), .outcome = {.applied = true}});
  EXPECT_EQ(story.where(), "apply/applied");
}

TEST(Choose, AllOfItChangesNothing) {
  PlanStory story;
  story.ready();
  const CurrentChangeset before = story.state.changeset;
  const std::string tree = story.state.tree;
  story.must(some(story));
  EXPECT_EQ(kinds(story.must(left(story, tree))), "effect.settled plan.moved:execute/complete");
  EXPECT_EQ(story.state.changeset, before);
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Choose, NothingIsRefusedWithWhatWouldBeRight) {
  PlanStory story;
  story.ready();
  EXPECT_THAT(story.refused(some(story, {}), base::ErrorCode::kInvalidArgument),
              HasSubstr("`agents plan cancel"));
}

TEST(Choose, ThatLeavesNothingLeavesThePlanAsItWas) {
  PlanStory story;
  story.ready();
  const CurrentChangeset before = story.state.changeset;
  story.must(some(story));
  story.must(left(story, story.state.base->tree));
  EXPECT_EQ(story.where(), "execute/complete");
  EXPECT_EQ(story.state.changeset, before);
  EXPECT_THAT(story.state.reason, HasSubstr("`agents plan cancel"));
}

TEST(Choose, OfAnotherDigestIsAConflictWithThePresentOne) {
  PlanStory story;
  story.ready();
  const Choose stale{.reviewed = base::sha256("another"), .keep = {"h1"}};
  EXPECT_THAT(story.refused(stale), HasSubstr(story.state.changeset.digest->to_hex()));
  EXPECT_EQ(story.where(), "execute/complete");
}

TEST(Choose, BeforeAnythingIsSealedIsRefused) {
  PlanStory story;
  story.direct();
  EXPECT_THAT(story.refused(some(story)), HasSubstr("nothing to choose from"));
}

TEST(Choose, OfAPlanThatChangedNothingIsRefused) {
  PlanStory story;
  story.direct();
  story.says("nothing to do");
  story.must(Sealed{.effect = story.open(EffectKind::kSeal), .digest = model::digest_of({})});
  EXPECT_THAT(story.refused(some(story)), HasSubstr("changed no file"));
}

TEST(Choose, WithOpenConflictsIsRefused) {
  PlanStory story;
  story.with_strategy(test::strategy_of({test::subplan_step("a"), test::subplan_step("b")}));
  story.ends("a");
  story.ends("b");
  story.merges({"a", "b"}, {{"f.txt", "content", "b", "m"}});
  story.seals();
  EXPECT_THAT(story.refused(some(story)), HasSubstr("conflicts are open in f.txt"));
}

TEST(Choose, OfASubplanIsRefused) {
  PlanStory story;
  model::PlanSettings settings;
  settings.ancestors = {test::plan_id(9)};
  settings.spawned_by = model::EffectId(test::plan_id(8).ulid());
  story.must(Create{.parent = test::plan_id(9), .settings = settings, .prompt = test::user("x")});
  EXPECT_THAT(story.refused(some(story)),
              HasSubstr("`agents plan status " + test::plan_id(9).to_string()));
}

TEST(Choose, OfAPlanThatDidNotLandGoesBackToReview) {
  PlanStory story;
  story.ready();
  story.must(story.apply());
  story.must(
      ApplyCame{.effect = story.open(EffectKind::kApply), .outcome = {.reason = "a hook said no"}});
  ASSERT_EQ(story.where(), "apply/constrained");
  story.must(some(story));
  EXPECT_EQ(story.where(), "execute/processing");
  story.must(left(story, test::tree("part")));
  story.seals("part");
  EXPECT_EQ(story.where(), "execute/complete");
}

TEST(Choose, NeverLandsByItself) {
  PlanStory story;
  story.ready();
  story.state.settings.apply_when_ready = true;
  story.must(some(story));
  story.must(left(story, test::tree("part")));
  story.must(Sealed{.effect = story.open(EffectKind::kSeal), .digest = base::sha256("part")});
  EXPECT_EQ(story.where(), "execute/complete");
}

TEST(Choose, ThatCannotBeMadeLeavesThePlanAsItWas) {
  PlanStory story;
  story.ready();
  const CurrentChangeset before = story.state.changeset;
  story.must(some(story, {"stale"}));
  story.fails(EffectKind::kChoose, model::ErrorCategory::kInternal, "there is no hunk stale");
  EXPECT_EQ(story.where(), "execute/complete");
  EXPECT_EQ(story.state.changeset, before);
  EXPECT_TRUE(story.state.is_ready_to_apply());
  EXPECT_THAT(story.state.reason, HasSubstr("there is no hunk stale"));
}

TEST(Choose, IsCancelledWithThePlan) {
  PlanStory story;
  story.ready();
  story.must(some(story));
  story.must(Cancel{"enough"});
  story.must(EffectStopped{story.open(EffectKind::kChoose)});
  EXPECT_EQ(story.where(), "execute/cancelled");
}

TEST(Choose, OutcomesOfACancelledPlanAreDropped) {
  PlanStory story;
  story.ready();
  const std::string tree = story.state.tree;
  story.must(some(story));
  story.must(Cancel{"enough"});
  story.must(left(story, test::tree("part")));
  EXPECT_EQ(story.where(), "execute/cancelled");
  EXPECT_EQ(story.state.tree, tree);
}

TEST(Choose, IsRepeatedByWhoTakesOver) {
  PlanStory story;
  story.ready();
  story.must(some(story));
  story.must(TakenOver{});
  EXPECT_TRUE(story.is_open(EffectKind::kChoose));
}

TEST(Choose, CanBeUndoneByARollback) {
  PlanStory story;
  story.ready();
  const std::string whole = story.state.tree;
  const std::int64_t before = story.state.checkpoints.back().sequence;
  story.must(some(story));
  story.must(left(story, test::tree("part")));
  story.seals("part");
  story.must(Rollback{before});
  EXPECT_EQ(story.state.tree, whole);
}

TEST(Choose, KeepsEditsAsABody) {
  PlanStory story;
  story.ready();
  Choose choice = some(story, {});
  choice.edits = {{"a.txt", "mine\n"}};
  const Decided decided = story.must(choice);
  ASSERT_EQ(decided.bodies.size(), 1U);
  EXPECT_THAT(story.state.effects.begin()->second.data, HasSubstr(decided.bodies[0].hash.to_hex()));
  EXPECT_EQ(edits_from_json(decided.bodies[0].content).value(), choice.edits);
}

TEST(Edits, AnyBytesComeBack) {
  const std::vector<Choose::Edit> edits{{"a\xff b", std::string("x\0y\r\n", 5)}, {"b", ""}};
  EXPECT_EQ(edits_from_json(edits_to_json(edits)).value(), edits);
}

TEST(Edits, InvalidOnesAreCorruption) {
  for (const char* text :
       {"", "{}", "[1]", "[{}]", R"([{"path":"YQ=="}])", R"([{"path":"?","content":""}])"}) {
    const auto read = edits_from_json(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().code(), base::ErrorCode::kCorruption) << text;
  }
}

}  // namespace
}  // namespace clever::plan

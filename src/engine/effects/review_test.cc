// A part of what a plan made, chosen, sealed and landed on a real repository; and files that moved
// on meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diff/tree_diff.h"
#include "engine/moved_on.h"
#include "plan/edits.h"
#include "storage/bodies.h"
#include "support/effects_world.h"

namespace clever::engine {
namespace {

using plan::EffectKind;
using test::EffectsWorld;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kSeven = "1\n2\n3\n4\n5\n6\n7\n";

class ReviewTest : public ::testing::Test {
 protected:
  ReviewTest() {
    world_.repository.write("a.txt", kSeven);
    world_.repository.write("b.txt", "b\n");
    world_.repository.commit();
    plan_ = world_.plan_at_base();
    plan_.changeset.id = world_.next<model::ChangesetId>();
    plan_.tree = world_.edited(plan_, {{"a.txt", "one\n2\n3\n4\n5\n6\nseven\n"}, {"b.txt", "B\n"}});
    plan_.changeset.digest = seal().digest;
  }

  plan::Sealed seal() {
    return std::get<plan::Sealed>(world_.run(
        plan_, EffectKind::kSeal, R"({"changeset":")" + plan_.changeset.id.to_string() + "\"}"));
  }
  [[nodiscard]] std::vector<diff::FileDiff> files() {
    const auto store = world_.workspaces.store(plan_).value();
    return diff::diff_trees(*store, git::ObjectId::from_hex(plan_.base->tree).value(),
                            git::ObjectId::from_hex(plan_.tree).value())
        .value();
  }
  plan::Command choose(const std::string& keep, const std::string& edits = "") {
    return world_.run(plan_, EffectKind::kChoose,
                      R"({"reviewed":"","keep":[)" + keep + R"(],"edits":")" + edits + "\"}");
  }
  [[nodiscard]] std::vector<std::string> moved() {
    const auto files = plan_files(world_.sandboxes, plan_).value();
    return moved_on(files, plan_).value();
  }

  EffectsWorld world_;
  plan::State plan_;
};

TEST_F(ReviewTest, WhatIsLeftIsATreeWithItsChanges) {
  const plan::Command outcome = choose("\"" + files()[0].hunks[1].id + "\"");
  const auto& chosen = std::get<plan::Chosen>(outcome);
  EXPECT_EQ(world_.file_in(plan_, chosen.tree, "a.txt"), "1\n2\n3\n4\n5\n6\nseven\n");
  EXPECT_EQ(world_.file_in(plan_, chosen.tree, "b.txt"), "b\n");
  EXPECT_EQ(chosen.kept, 1);
  EXPECT_EQ(chosen.dropped, 2);
  const auto changes = world_.take_changes();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].path, "a.txt");
  EXPECT_EQ(changes[0].tool, "review");
}

TEST_F(ReviewTest, ExactlyThatIsSealedAndLands) {
  const auto chosen = std::get<plan::Chosen>(choose("\"" + files()[1].hunks[0].id + "\""));
  plan_.tree = chosen.tree;
  plan_.changeset = {.id = world_.next<model::ChangesetId>()};
  const plan::Sealed sealed = seal();
  EXPECT_EQ(sealed.digest, model::digest_of(model::net_changes(world_.take_changes())));
  plan_.apply = model::ApplyRequested{.digest = sealed.digest};
  const auto came = std::get<plan::ApplyCame>(world_.run(plan_, EffectKind::kApply));
  EXPECT_TRUE(came.outcome.applied);
  EXPECT_THAT(came.outcome.files, ElementsAre("b.txt"));
  EXPECT_EQ(world_.repository.read("a.txt"), kSeven);
  EXPECT_EQ(world_.repository.read("b.txt"), "B\n");
}

TEST_F(ReviewTest, EditsComeFromTheirBody) {
  const auto body = storage::Body::of(plan::edits_to_json({{"b.txt", "mine\n"}}));
  storage::UnitOfWork unit;
  storage::Bodies::put(unit, body);
  world_.database().commit(std::move(unit)).value();
  const auto chosen = std::get<plan::Chosen>(choose("", body.hash.to_hex()));
  EXPECT_EQ(world_.file_in(plan_, chosen.tree, "b.txt"), "mine\n");
  EXPECT_THAT(chosen.edited, ElementsAre("b.txt"));
}

TEST_F(ReviewTest, ChoosingIsTheSameHoweverOften) {
  const std::string keep = "\"" + files()[0].hunks[0].id + "\"";
  EXPECT_EQ(std::get<plan::Chosen>(choose(keep)).tree, std::get<plan::Chosen>(choose(keep)).tree);
}

TEST_F(ReviewTest, AHunkThatIsNotThereIsAnError) {
  const plan::Command outcome = choose("\"stale\"");
  EXPECT_THAT(std::get<plan::RecordError>(outcome).message, HasSubstr("no hunk stale"));
}

TEST_F(ReviewTest, EditsThatWereNotStoredAreAnError) {
  EXPECT_TRUE(std::holds_alternative<plan::RecordError>(choose("", std::string(64, '0'))));
  EXPECT_TRUE(std::holds_alternative<plan::RecordError>(choose("", "no hash")));
}

TEST_F(ReviewTest, WithoutABaseThereIsNothingToChooseFrom) {
  plan_.base.reset();
  EXPECT_TRUE(std::holds_alternative<plan::RecordError>(choose("")));
}

TEST_F(ReviewTest, NothingMovedOn) { EXPECT_THAT(moved(), IsEmpty()); }

TEST_F(ReviewTest, ATouchedFileThatChangedMovedOn) {
  world_.repository.write("a.txt", "mine\n");
  EXPECT_THAT(moved(), ElementsAre("a.txt changed since"));
  world_.repository.remove("b.txt");
  EXPECT_THAT(moved(), ElementsAre("a.txt changed since", "b.txt is gone"));
}

TEST_F(ReviewTest, AFileThatThePlanDidNotTouchMayMoveOn) {
  world_.repository.write("other.txt", "mine\n");
  world_.repository.commit();
  EXPECT_THAT(moved(), IsEmpty());
}

TEST_F(ReviewTest, AFileThatAppearedWhereThePlanMakesOneMovedOn) {
  plan_.tree = world_.with_file(plan_, "new.txt", "n\n");
  world_.repository.write("new.txt", "mine\n");
  world_.repository.commit();
  EXPECT_THAT(moved(), ElementsAre(HasSubstr("new.txt ")));
}

TEST_F(ReviewTest, WhatIsOverOrNotSealedCannotMoveOn) {
  world_.repository.write("a.txt", "mine\n");
  plan_.state = model::PlanState::kApplied;
  EXPECT_THAT(moved(), IsEmpty());
  plan_.state = model::PlanState::kComplete;
  plan_.changeset.digest.reset();
  EXPECT_THAT(moved(), IsEmpty());
}

TEST_F(ReviewTest, LookingTouchesNothing) {
  world_.repository.write("a.txt", "mine\n");
  (void)moved();
  EXPECT_EQ(world_.repository.read("a.txt"), "mine\n");
  EXPECT_EQ(world_.repository.read("b.txt"), "b\n");
}

}  // namespace
}  // namespace clever::engine

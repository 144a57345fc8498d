// Sealing, applying and taking back, on a real repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "storage/changesets.h"
#include "support/effects_world.h"

namespace clever::engine {
namespace {

using plan::EffectKind;
using test::EffectsWorld;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LandingTest : public ::testing::Test {
 protected:
  LandingTest() {
    world_.repository.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n");
    commit_ = world_.repository.commit();
    plan_ = world_.plan_at_base();
    plan_.changeset.id = world_.next<model::ChangesetId>();
  }
  void work(std::string_view content = "ONE\n2\n3\n4\n5\n6\n7\n") {
    plan_.tree = world_.with_file(plan_, "a.txt", content);
  }
  plan::Sealed seal() {
    return std::get<plan::Sealed>(world_.run(
        plan_, EffectKind::kSeal, R"({"changeset":")" + plan_.changeset.id.to_string() + "\"}"));
  }
  plan::ApplyCame apply(model::ApplyRequested request = {}) {
    request.digest = seal().digest;
    plan_.apply = request;
    const plan::Command outcome = world_.run(plan_, EffectKind::kApply);
    if (const auto* error = std::get_if<plan::RecordError>(&outcome)) {
      ADD_FAILURE() << error->message;
      return {};
    }
    return std::get<plan::ApplyCame>(outcome);
  }
  plan::UndoCame undo() { return std::get<plan::UndoCame>(world_.run(plan_, EffectKind::kUndo)); }
  [[nodiscard]] std::string head() { return world_.repository.line({"rev-parse", "HEAD"}); }
  void hook(std::string_view script) {
    world_.repository.write(".git/hooks/pre-commit", script, /*executable=*/true);
  }

  EffectsWorld world_;
  std::string commit_;
  plan::State plan_;
};

TEST_F(LandingTest, SealingTellsTheDigestAndWhatTheChangesetLacks) {
  work();
  const plan::Sealed sealed = seal();
  ASSERT_EQ(sealed.missing.size(), 1U);
  EXPECT_EQ(sealed.digest, model::digest_of(model::net_changes(sealed.missing)));
}

TEST_F(LandingTest, SealingNothingIsTheDigestOfNothing) {
  const plan::Sealed sealed = seal();
  EXPECT_THAT(sealed.missing, IsEmpty());
  EXPECT_EQ(sealed.digest, model::digest_of({}));
}

TEST_F(LandingTest, SealingWithoutAChangesetIsAnError) {
  EXPECT_TRUE(std::holds_alternative<plan::RecordError>(
      world_.run(plan_, EffectKind::kSeal, R"({"changeset":"x"})")));
}

TEST_F(LandingTest, LandsAsOneCommitWithThePlansTitle) {
  work();
  const plan::ApplyCame came = apply();
  EXPECT_TRUE(came.outcome.applied);
  EXPECT_EQ(came.outcome.commit, head());
  EXPECT_THAT(came.outcome.files, ElementsAre("a.txt"));
  EXPECT_EQ(came.outcome.digest, plan_.apply->digest);
  EXPECT_EQ(world_.repository.read("a.txt"), "ONE\n2\n3\n4\n5\n6\n7\n");
  EXPECT_THAT(world_.repository.git({"log", "-1", "--format=%B"}),
              ::testing::StartsWith("A task\n"));
}

TEST_F(LandingTest, LandingAgainIsNothingNew) {
  work();
  const std::string first = apply().outcome.commit;
  const plan::ApplyCame again = apply();
  EXPECT_TRUE(again.outcome.applied);
  EXPECT_EQ(again.outcome.commit, first);
  EXPECT_EQ(head(), first);
}

// As after a kill between landing and saying so.
TEST_F(LandingTest, WhatHasLandedIsNoLongerUpToHooks) {
  work();
  const std::string first = apply().outcome.commit;
  hook("#!/bin/sh\nexit 1\n");
  plan_.settings.control.hooks = {{.name = "gate", .event = "apply.before", .argv = {"false"}}};
  const plan::ApplyCame again = apply();
  EXPECT_TRUE(again.outcome.applied) << again.outcome.reason;
  EXPECT_EQ(again.outcome.commit, first);
  EXPECT_THAT(again.outcome.files, ElementsAre("a.txt"));
}

TEST_F(LandingTest, LandsInTheWorkingTreeAlone) {
  work();
  EXPECT_TRUE(apply({.mode = "working_tree"}).outcome.applied);
  EXPECT_EQ(head(), commit_);
  EXPECT_THAT(world_.repository.read("a.txt"), HasSubstr("ONE"));
}

TEST_F(LandingTest, LandsOnABranchOfItsOwn) {
  work();
  const plan::ApplyCame came = apply({.mode = "branch", .branch = "topic", .message = "My words"});
  EXPECT_EQ(world_.repository.line({"rev-parse", "topic"}), came.outcome.commit);
  EXPECT_THAT(world_.repository.git({"log", "-1", "--format=%s", "topic"}), "My words\n");
  EXPECT_EQ(head(), commit_);
}

TEST_F(LandingTest, WhatMovedOnConstrainsIt) {
  work();
  world_.repository.write("a.txt", "1\n2\n3\n4\n5\n6\nseven\n");
  const plan::ApplyCame came = apply();
  EXPECT_FALSE(came.outcome.applied);
  EXPECT_THAT(came.outcome.moved_on, ElementsAre(HasSubstr("a.txt changed")));
  EXPECT_EQ(came.remerged_tree, "");
  EXPECT_EQ(head(), commit_);
}

TEST_F(LandingTest, WhatMovedOnIsMergedAgainIfThatWasAgreedTo) {
  work();
  world_.repository.write("a.txt", "1\n2\n3\n4\n5\n6\nseven\n");
  world_.repository.commit("theirs");
  const plan::ApplyCame came = apply({.remerge = true});
  EXPECT_FALSE(came.outcome.applied);
  ASSERT_TRUE(came.remerged_base.has_value());
  EXPECT_EQ(world_.file_in(plan_, came.remerged_tree, "a.txt"), "ONE\n2\n3\n4\n5\n6\nseven\n");
  EXPECT_EQ(world_.take_changes().size(), 1U);
  plan_.base = came.remerged_base;
  plan_.tree = came.remerged_tree;
  EXPECT_TRUE(apply().outcome.applied);
  EXPECT_EQ(world_.repository.read("a.txt"), "ONE\n2\n3\n4\n5\n6\nseven\n");
}

TEST_F(LandingTest, AConflictWithWhatMovedOnIsNotMerged) {
  work();
  world_.repository.write("a.txt", "one\n2\n3\n4\n5\n6\n7\n");
  const plan::ApplyCame came = apply({.remerge = true});
  EXPECT_FALSE(came.outcome.applied);
  EXPECT_EQ(came.remerged_tree, "");
  EXPECT_THAT(came.outcome.reason, HasSubstr("conflicts in a.txt"));
}

TEST_F(LandingTest, OnAnotherBranchNothingIsMergedAgain) {
  work();
  world_.repository.git({"checkout", "--quiet", "-b", "other"});
  world_.repository.write("a.txt", "1\n2\n3\n4\n5\n6\nseven\n");
  const plan::ApplyCame came = apply({.remerge = true});
  EXPECT_FALSE(came.outcome.applied);
  EXPECT_EQ(came.remerged_tree, "");
}

TEST_F(LandingTest, AHookThatRefusesConstrainsIt) {
  work();
  hook("#!/bin/sh\necho no tabs please\nexit 1\n");
  const plan::ApplyCame came = apply();
  EXPECT_FALSE(came.outcome.applied);
  EXPECT_THAT(came.outcome.reason, HasSubstr("refuses the commit:\nno tabs please"));
  EXPECT_EQ(head(), commit_);
  EXPECT_TRUE(apply({.verify = false}).outcome.applied);
}

TEST_F(LandingTest, AHookThatChangesFilesConstrainsIt) {
  work();
  hook("#!/bin/sh\necho 8 >> a.txt && git add a.txt\n");
  EXPECT_THAT(apply().outcome.reason, HasSubstr("changed files after your review"));
}

TEST_F(LandingTest, AnotherDigestIsNotLanded) {
  work();
  plan_.apply = model::ApplyRequested{.digest = base::sha256("another")};
  EXPECT_THAT(std::get<plan::RecordError>(world_.run(plan_, EffectKind::kApply)).message,
              HasSubstr("asked for was"));
}

TEST_F(LandingTest, OnlyRequestedChangesLand) {
  EXPECT_TRUE(std::holds_alternative<plan::RecordError>(world_.run(plan_, EffectKind::kApply)));
}

TEST_F(LandingTest, IsUndoneAsACommit) {
  work();
  (void)apply();
  const plan::UndoCame came = undo();
  EXPECT_TRUE(came.undone);
  EXPECT_EQ(came.commit, head());
  EXPECT_EQ(world_.repository.read("a.txt"), "1\n2\n3\n4\n5\n6\n7\n");
  EXPECT_TRUE(undo().undone);
}

TEST_F(LandingTest, FilesThatChangedSinceAreNotUndone) {
  work();
  (void)apply();
  world_.repository.write("a.txt", "mine\n");
  const plan::UndoCame came = undo();
  EXPECT_FALSE(came.undone);
  EXPECT_THAT(came.reason, HasSubstr("a.txt"));
  EXPECT_EQ(world_.repository.read("a.txt"), "mine\n");
}

}  // namespace
}  // namespace clever::engine

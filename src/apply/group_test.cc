// Several repositories that land together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apply/apply.h"
#include "git/project_group.h"
#include "support/changes.h"
#include "support/repository.h"

namespace clever::apply {
namespace {

using test::Changes;
using test::Repository;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = Outcome::Kind;

/// Two repositories with a file each, one plan that changes both.
class GroupTest : public ::testing::Test {
 protected:
  GroupTest() {
    one_.write("a.txt", "a\n");
    one_.commit("first");
    two_.write("b.txt", "b\n");
    two_.commit("first");
    group_ = git::make_project_group({one_.path(), two_.path()}, {.own_home = one_.beside("home")})
                 .value();
    changes_.emplace(group_, one_.beside("store"));
    changes_->modify(in(one_, "a.txt"), "a\n", "a2\n").create(in(two_, "new.txt"), "new\n");
  }

  /// The path in the group.
  [[nodiscard]] std::string in(const Repository& repository, const std::string& path) const {
    for (const git::Project& member : group_.members) {
      if (member.root == repository.path()) return member.name + "/" + path;
    }
    return "?/" + path;
  }
  [[nodiscard]] Request request(Mode mode = Mode::kCommit) const {
    return {.project = group_,
            .store = changes_->store(),
            .plan = plan_,
            .digest = model::digest_of(changes_->sorted()),
            .changes = changes_->sorted(),
            .mode = mode,
            .branch = mode == Mode::kBranch ? "work" : "",
            .message = "Change both",
            .expected_branches = {"refs/heads/main", "refs/heads/main"},
            .state_folder = one_.beside("state")};
  }
  static std::string log(const Repository& repository) {
    return repository.git({"log", "--format=%s"});
  }
  void expect_untouched() const {
    for (const Repository* repository : {&one_, &two_}) {
      EXPECT_EQ(log(*repository), "first\n");
      EXPECT_EQ(repository->line({"status", "--porcelain"}), "");
    }
    EXPECT_FALSE(has_unfinished(one_.beside("state")));
  }

  Repository one_;
  Repository two_;
  git::Project group_;
  std::optional<Changes> changes_;
  model::PlanId plan_ = Changes::new_plan();
};

TEST_F(GroupTest, LandsInBothAndIsUndoneInBoth) {
  const auto outcome = apply(request());
  ASSERT_TRUE(outcome.ok()) << outcome.error().to_string();
  EXPECT_EQ(outcome->kind, Kind::kApplied);
  ASSERT_EQ(outcome->projects.size(), 2U);
  EXPECT_TRUE(outcome->projects[0].commit && outcome->projects[1].commit);
  EXPECT_EQ(outcome->files.size(), 2U);
  for (const Repository* repository : {&one_, &two_}) {
    EXPECT_EQ(log(*repository), "Change both\nfirst\n");
    EXPECT_EQ(repository->git({"status", "--porcelain"}), "");
    EXPECT_THAT(repository->git({"log", "-1", "--format=%b"}), HasSubstr(plan_.to_string()));
  }
  EXPECT_EQ(one_.read("a.txt"), "a2\n");
  EXPECT_EQ(apply(request())->kind, Kind::kAlready);
  EXPECT_EQ(landed(request()).value()->projects.size(), 2U);
  const auto undone = undo(request());
  ASSERT_TRUE(undone.ok()) << undone.error().to_string();
  EXPECT_EQ(undone->kind, Kind::kApplied);
  EXPECT_EQ(one_.read("a.txt"), "a\n");
  EXPECT_FALSE(std::filesystem::exists(two_ / "new.txt"));
  EXPECT_EQ(log(two_), "Undo \"Change both\"\nChange both\nfirst\n");
  EXPECT_EQ(undo(request())->kind, Kind::kAlready);
  EXPECT_FALSE(landed(request()).value());
  EXPECT_EQ(apply(request())->kind, Kind::kApplied) << "it lands again after it was taken back";
  EXPECT_FALSE(has_unfinished(one_.beside("state")));
}

TEST_F(GroupTest, TouchesNothingIfOneOfThemMovedOn) {
  two_.write("new.txt", "somebody's\n");
  const auto outcome = apply(request());
  ASSERT_TRUE(outcome.ok()) << outcome.error().to_string();
  EXPECT_EQ(outcome->kind, Kind::kConstrained);
  ASSERT_EQ(outcome->moved_on.size(), 1U);
  EXPECT_EQ(outcome->moved_on[0].path, in(two_, "new.txt"));
  EXPECT_EQ(look(request())->moved_on.size(), 1U);
  two_.remove("new.txt");
  expect_untouched();
  EXPECT_TRUE(look(request())->moved_on.empty());
}

TEST_F(GroupTest, TouchesNothingIfOneOfThemIsOnAnotherBranch) {
  two_.git({"checkout", "--quiet", "-b", "elsewhere"});
  const auto outcome = apply(request());
  ASSERT_TRUE(outcome.ok()) << outcome.error().to_string();
  EXPECT_EQ(outcome->kind, Kind::kConstrained);
  EXPECT_THAT(outcome->reason, HasSubstr("branch elsewhere"));
  two_.git({"checkout", "--quiet", "main"});
  expect_untouched();
}

TEST_F(GroupTest, TouchesNothingIfOneOfThemCannotCommit) {
  two_.git({"config", "user.useConfigOnly", "true"});
  two_.git({"config", "--unset", "user.email"});
  EXPECT_FALSE(apply(request()).ok());
  expect_untouched();
}

TEST_F(GroupTest, UndoTouchesNothingIfOneOfThemChangedSince) {
  ASSERT_EQ(apply(request())->kind, Kind::kApplied);
  two_.write("new.txt", "edited\n");
  const auto undone = undo(request());
  ASSERT_TRUE(undone.ok()) << undone.error().to_string();
  EXPECT_EQ(undone->kind, Kind::kConstrained);
  EXPECT_EQ(one_.read("a.txt"), "a2\n");
  EXPECT_EQ(log(one_), "Change both\nfirst\n");
}

TEST_F(GroupTest, LandsWithoutCommitsAndOnBranches) {
  ASSERT_EQ(apply(request(Mode::kWorkingTree))->kind, Kind::kApplied);
  EXPECT_EQ(log(one_), "first\n");
  EXPECT_EQ(one_.read("a.txt"), "a2\n");
  ASSERT_EQ(undo(request(Mode::kWorkingTree))->kind, Kind::kApplied);
  expect_untouched();
  ASSERT_EQ(apply(request(Mode::kBranch))->kind, Kind::kApplied);
  for (const Repository* repository : {&one_, &two_}) {
    EXPECT_EQ(repository->git({"log", "--format=%s", "work"}), "Change both\nfirst\n");
    EXPECT_EQ(log(*repository), "first\n");
  }
}

TEST_F(GroupTest, MakesNoBranchIfOneOfThemHasIt) {
  two_.git({"branch", "work"});
  const auto outcome = apply(request(Mode::kBranch));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), base::ErrorCode::kAlreadyExists);
  EXPECT_EQ(one_.line({"branch", "--list", "work"}), "");
}

TEST_F(GroupTest, LandsOnlyWhereSomethingChanged) {
  changes_.emplace(group_, one_.beside("other-store"));
  changes_->modify(in(one_, "a.txt"), "a\n", "a2\n");
  const auto outcome = apply(request());
  ASSERT_TRUE(outcome.ok()) << outcome.error().to_string();
  EXPECT_EQ(outcome->projects.size(), 1U);
  EXPECT_EQ(log(two_), "first\n");
}

TEST_F(GroupTest, RefusesAPathBesideTheProjects) {
  changes_->create("stray.txt", "x\n");
  const auto outcome = apply(request());
  ASSERT_FALSE(outcome.ok());
  EXPECT_THAT(outcome.error().sentence(), HasSubstr("stray.txt lies in none"));
  expect_untouched();
}

}  // namespace
}  // namespace clever::apply

#include "engine/effects/workspaces.h"

#include <gtest/gtest.h>

#include "engine/effects/workspace_closer.h"
#include "support/effects_world.h"
#include "support/tree_paths.h"

namespace clever::engine {
namespace {

using test::EffectsWorld;
using test::path_of;

class WorkspacesTest : public ::testing::Test {
 protected:
  WorkspacesTest() {
    world_.repository.write("a.txt", "a\n");
    world_.repository.commit();
    plan_ = world_.plan_at_base();
    world_.renew_lease(plan_.id);
  }
  std::shared_ptr<sandbox::Workspace> open() {
    return world_.workspaces.open(plan_, world_.lease(plan_.id)).value();
  }
  std::string read(sandbox::Workspace& workspace) {
    return workspace.read(path_of("a.txt")).value().content;
  }
  [[nodiscard]] std::size_t folders() const {
    const auto folder = world_.repository.beside("sandboxes") / plan_.id.to_string() / "workspaces";
    if (!std::filesystem::exists(folder)) return 0;
    const std::filesystem::directory_iterator entries(folder);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

  EffectsWorld world_;
  plan::State plan_;
};

TEST_F(WorkspacesTest, ThePlanKeepsItsWorkspace) {
  auto first = open();
  const sandbox::Workspace* const same = first.get();
  first.reset();
  EXPECT_EQ(open().get(), same);
  EXPECT_EQ(folders(), 1U);
}

TEST_F(WorkspacesTest, ACopyIsOfItsUserAlone) {
  auto own = open();
  auto copy = world_.workspaces.copy(plan_, world_.lease(plan_.id)).value();
  copy->write(path_of("a.txt"), "copied\n").value();
  EXPECT_EQ(read(*own), "a\n");
  EXPECT_EQ(folders(), 2U);
  copy.reset();
  EXPECT_EQ(folders(), 1U);
  EXPECT_EQ(open().get(), own.get());
}

TEST_F(WorkspacesTest, WhatAnEffectLeftUnfinishedIsGone) {
  open()->write(path_of("a.txt"), "half\n").value();
  EXPECT_EQ(read(*open()), "a\n");
}

TEST_F(WorkspacesTest, ContinuesAtThePlansTree) {
  plan_.tree = world_.with_file(plan_, "a.txt", "done\n");
  EXPECT_EQ(read(*open()), "done\n");
}

TEST_F(WorkspacesTest, AnotherLeaseHasAnotherWorkspace) {
  const auto first = open();
  world_.renew_lease(plan_.id);
  const auto second = open();
  EXPECT_NE(first, second);
  second->write(path_of("a.txt"), "second\n").value();
  EXPECT_EQ(read(*first), "a\n");
}

TEST_F(WorkspacesTest, AnotherBaseHasAnotherWorkspace) {
  const auto first = open();
  plan_.base->tree = plan_.tree = world_.with_file(plan_, "a.txt", "moved on\n");
  EXPECT_NE(open(), first);
}

TEST_F(WorkspacesTest, AnAbandonedOneIsReplacedAndItsFolderStays) {
  auto first = open();
  world_.workspaces.abandon(plan_.id);
  EXPECT_NE(open(), first);
  first.reset();
  EXPECT_EQ(folders(), 2U);
}

TEST_F(WorkspacesTest, AClosedOneGoesWithItsFolderOnceItIsUnused) {
  auto used = open();
  world_.workspaces.close(plan_.id);
  EXPECT_EQ(folders(), 1U);
  EXPECT_EQ(read(*used), "a\n");
  used.reset();
  EXPECT_EQ(folders(), 0U);
}

TEST_F(WorkspacesTest, ClosingAtRestDoesNotHitTheNextEffect) {
  auto used = open();
  world_.workspaces.close(plan_.id);
  const auto next = open();
  EXPECT_NE(next, used);
  used.reset();
  EXPECT_EQ(folders(), 1U);
  EXPECT_EQ(read(*next), "a\n");
}

TEST_F(WorkspacesTest, LookingHasNoFolderAndChangesNothing) {
  const auto looked = world_.workspaces.look(plan_).value();
  EXPECT_EQ(read(*looked), "a\n");
  looked->write(path_of("a.txt"), "x\n").value();
  EXPECT_EQ(folders(), 0U);
  EXPECT_EQ(read(*world_.workspaces.look(plan_).value()), "a\n");
}

TEST_F(WorkspacesTest, SubplansShareTheObjectsOfTheirRoot) {
  plan::State child = world_.new_plan();
  child.settings.ancestors = {plan_.id, world_.next<model::PlanId>()};
  EXPECT_EQ(root_of(child), plan_.id);
  EXPECT_EQ(world_.workspaces.store(child).value(), world_.workspaces.store(plan_).value());
}

TEST_F(WorkspacesTest, OfASubplanNothingIsLeftOnceItIsClosed) {
  plan::State child = plan_;
  child.id = world_.next<model::PlanId>();
  child.parent = plan_.id;
  child.settings.ancestors = {plan_.id};
  world_.renew_lease(child.id);
  const auto folder = world_.repository.beside("sandboxes") / child.id.to_string();
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(world_.workspaces.open(child, world_.lease(child.id)).ok());
    EXPECT_TRUE(std::filesystem::exists(folder));
    world_.workspaces.close(child.id);
    EXPECT_FALSE(std::filesystem::exists(folder));
  }
}

TEST_F(WorkspacesTest, WithoutABaseThereAreNoFiles) {
  const plan::State plan = world_.new_plan();
  EXPECT_EQ(world_.workspaces.open(plan, {}).error().code(), base::ErrorCode::kConflict);
  EXPECT_EQ(world_.workspaces.look(plan).error().code(), base::ErrorCode::kConflict);
  EXPECT_EQ(plan_files(world_.sandboxes, plan).error().code(), base::ErrorCode::kConflict);
}

TEST_F(WorkspacesTest, BeyondItsBoundItReleasesUnusedOnes) {
  Workspaces few(world_.sandboxes, {.most_open = 1});
  (void)few.open(plan_, world_.lease(plan_.id)).value();
  EXPECT_EQ(folders(), 1U);
  plan::State other = world_.plan_at_base();
  world_.renew_lease(other.id);
  (void)few.open(other, world_.lease(other.id)).value();
  EXPECT_EQ(folders(), 0U);
  EXPECT_EQ(read(*few.open(plan_, world_.lease(plan_.id)).value()), "a\n");
}

TEST_F(WorkspacesTest, PlanFilesAreWhatThePlanMade) {
  plan_.tree = world_.with_file(plan_, "a.txt", "done\n");
  const PlanFiles files = plan_files(world_.sandboxes, plan_).value();
  EXPECT_EQ(files.tree.to_hex(), plan_.tree);
  EXPECT_EQ(files.base.to_hex(), plan_.base->tree);
  EXPECT_EQ(files.project.root, world_.repository.path());
  EXPECT_TRUE(files.store->contains(files.tree).value());
}

TEST_F(WorkspacesTest, ThePlansBaseIsAsItsJournalTells) {
  plan_.base->filtered = {"big.bin", "../no path"};
  const git::BaseSnapshot base = Workspaces::base_of(plan_);
  EXPECT_EQ(base.tree.to_hex(), plan_.base->tree);
  EXPECT_EQ(base.head.branch, "refs/heads/main");
  EXPECT_EQ(base.head.commit->to_hex(), plan_.base->commit);
  EXPECT_EQ(base.filtered, std::vector{path_of("big.bin")});
  EXPECT_EQ(Workspaces::base_of(world_.new_plan()).tree, git::ObjectId());
}

class Reported final : public Observer {
 public:
  void on_events(const plan::State&, const std::vector<model::StoredEvent>&) override { ++count; }
  void on_text(const model::PlanId&, const std::string&, bool) override { ++count; }
  void on_restart(const model::PlanId&) override { ++count; }
  void on_wait(const model::PlanId&, const WaitNotice&) override { ++count; }
  void on_tool(const model::PlanId&, const std::string&, bool) override { ++count; }
  int count = 0;
};

TEST_F(WorkspacesTest, TheCloserClosesWhatIsAtRest) {
  ThreadScheduler scheduler(world_.clock, {.strands = 1, .blocking = 1});
  WorkspaceCloser closer(world_.workspaces, scheduler, nullptr);
  const auto settled = [&] {
    base::Monitor<bool> done;
    scheduler.blocking().post([&] { done.update([](bool& value) { value = true; }); }).value();
    done.wait({}, base::Deadline::never(), [](bool value) { return value; }).value();
  };
  (void)open();
  plan_.effects[world_.next<model::EffectId>()].kind = plan::EffectKind::kTools;
  closer.on_events(plan_, {});
  settled();
  EXPECT_EQ(folders(), 1U);
  plan_.effects.clear();
  closer.on_events(plan_, {});
  settled();
  EXPECT_EQ(folders(), 0U);
}

TEST_F(WorkspacesTest, TheCloserPassesEverythingOn) {
  Reported reported;
  for (Observer* next : {static_cast<Observer*>(&reported), static_cast<Observer*>(nullptr)}) {
    WorkspaceCloser closer(world_.workspaces, world_.scheduler, next);
    closer.on_events(plan_, {});
    closer.on_text(plan_.id, "x", false);
    closer.on_restart(plan_.id);
    closer.on_wait(plan_.id, {});
    closer.on_tool(plan_.id, "x", true);
  }
  EXPECT_EQ(reported.count, 5);
}

}  // namespace
}  // namespace clever::engine

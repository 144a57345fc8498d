// Who owns which workspace, over the real store and the real disk, on every engine.
#include "sandbox/sandbox_manager.h"

#include <gmock/gmock.h>

#include <fstream>

#include "model/work_events.h"
#include "storage/plan_test.h"
#include "support/repository.h"

namespace clever::sandbox {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;
using Verdict = Leftover::Verdict;

class SandboxManagerTest : public storage::testing::PlanTest {
 protected:
  SandboxManagerTest() {
    repository_.write("a.txt", "a\n");
    repository_.commit();
    project_ = git::Project::find(repository_.path()).value();
  }

  struct Run {
    storage::OwnerLock owner;
    std::unique_ptr<SandboxRecords> records;
    std::unique_ptr<SandboxManager> manager;
  };
  // A process that works on this store.
  [[nodiscard]] std::unique_ptr<Run> run(const std::string& database = "db") {
    auto run = std::make_unique<Run>(
        Run{world().new_owner(), stored_sandbox_records(engine(), clock()), nullptr});
    run->manager = std::make_unique<SandboxManager>(SandboxManager::Options{folder(), database},
                                                    *run->records, run->owner, ids_);
    return run;
  }

  [[nodiscard]] SandboxManager::Request request(Run& run, const storage::testing::HeldPlan& plan) {
    SandboxManager::Request request;
    request.plan = plan.id;
    request.lease = plan.lease;
    request.project = project_;
    request.store = run.manager->store(plan.id, project_).value();
    request.base = std::make_shared<git::BaseSnapshot>(
        git::snapshot_working_tree(project_, *request.store).value());
    return request;
  }
  [[nodiscard]] std::unique_ptr<Sandbox> create(Run& run, const storage::testing::HeldPlan& plan) {
    return run.manager->create(request(run, plan)).value();
  }

  [[nodiscard]] storage::testing::HeldPlan held_by(const storage::OwnerLock& owner) {
    return world().create(engine(), owner);
  }
  // As `agents sandbox run` has it: nobody does again what its command did.
  [[nodiscard]] storage::testing::HeldPlan without_journal(const storage::OwnerLock& owner) {
    storage::testing::HeldPlan plan{world().next<model::PlanId>(), {}, {}};
    plan.lease = storage::Leases(engine()).acquire(plan.id, owner, storage::testing::kTtl).value();
    return plan;
  }
  [[nodiscard]] std::filesystem::path folder() const { return repository_.beside("sandboxes"); }
  [[nodiscard]] std::filesystem::path folder_of(const storage::testing::HeldPlan& plan,
                                                const WorkspaceId& id) const {
    return folder() / plan.id.to_string() / "workspaces" / id.to_string();
  }

  [[nodiscard]] static git::TreePath path(std::string_view text) {
    return git::TreePath::parse(text).value();
  }

  test::Repository repository_;
  git::Project project_;
  base::SystemClock system_clock_;
  base::SeededRandom random_{3};
  base::UlidGenerator ids_{system_clock_, random_};
};
CLEVER_ALL_ENGINES(SandboxManagerTest);

TEST_P(SandboxManagerTest, CommitsOnce) {
  const auto first = run();
  const auto plan = held_by(first->owner);
  const auto sandbox = create(*first, plan);
  sandbox->workspace()->write(path("a.txt"), "changed\n").value();
  const git::ObjectId tree = sandbox->commit().value();
  EXPECT_EQ(sandbox->record().state, WorkspaceState::kCommitted);
  EXPECT_EQ(sandbox->record().checkpoint, tree.to_hex());
  EXPECT_EQ(sandbox->commit().error().code(), ErrorCode::kConflict);
  EXPECT_EQ(first->records->list()->at(0), sandbox->record());
}

TEST_P(SandboxManagerTest, EveryWorkspaceIsItsOwn) {
  const auto first = run();
  const auto plan = held_by(first->owner);
  const auto one = create(*first, plan);
  const auto other = create(*first, plan);
  EXPECT_NE(one->id(), other->id());
  one->workspace()->write(path("a.txt"), "one\n").value();
  EXPECT_EQ(other->workspace()->read(path("a.txt"))->content, "a\n");
  EXPECT_EQ(repository_.read("a.txt"), "a\n");
}

TEST_P(SandboxManagerTest, ANewEpochQuarantinesWhatTheOldOneHad) {
  auto first = run();
  const auto plan = held_by(first->owner);
  const auto old_sandbox = create(*first, plan);
  leases().release(plan.lease, first->owner).value();
  const auto second = run();
  storage::testing::HeldPlan taken = plan;
  taken.lease = leases().acquire(plan.id, second->owner, storage::testing::kTtl).value();
  const auto fresh = create(*second, taken);
  EXPECT_EQ(old_sandbox->commit().error().code(), ErrorCode::kConflict);
  const auto records = second->records->list().value();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].state, WorkspaceState::kQuarantined);
  EXPECT_THAT(records[0].reason, HasSubstr("epoch"));
  EXPECT_EQ(records[1].state, WorkspaceState::kOpen);
  EXPECT_TRUE(fresh->commit().ok());
}

TEST_P(SandboxManagerTest, AStaleOwnerGetsNone) {
  const auto first = run();
  const auto plan = held_by(first->owner);
  auto wish = request(*first, plan);
  leases().release(plan.lease, first->owner).value();
  EXPECT_EQ(first->manager->create(std::move(wish)).error().code(), ErrorCode::kConflict);
  EXPECT_TRUE(first->records->list()->empty());
}

TEST_P(SandboxManagerTest, ContinuesFromACheckpoint) {
  auto first = run();
  const auto plan = held_by(first->owner);
  auto wish = request(*first, plan);
  const auto base = wish.base;
  auto sandbox = first->manager->create(std::move(wish)).value();
  sandbox->workspace()->write(path("b.txt"), "kept\n").value();
  const git::ObjectId tree = sandbox->workspace()->checkpoint().value();
  sandbox.reset();
  first.reset();
  const auto second = run();
  storage::testing::HeldPlan taken = plan;
  taken.lease = leases().acquire(plan.id, second->owner, storage::testing::kTtl).value();
  auto next = request(*second, taken);
  next.base = base;
  next.start = tree;
  const auto restored = second->manager->create(std::move(next)).value();
  EXPECT_EQ(restored->workspace()->read(path("b.txt"))->content, "kept\n");
}

TEST_P(SandboxManagerTest, ACommandIsDirtUntilACheckpointHasItsWork) {
  const auto first = run();
  const auto sandbox = create(*first, held_by(first->owner));
  EXPECT_FALSE(sandbox->record().dirty);
  sandbox->workspace()->begin_command({}, false).value();
  EXPECT_TRUE(first->records->list()->at(0).dirty) << "written down before the command runs";
  sandbox->workspace()->checkpoint().value();
  EXPECT_TRUE(sandbox->record().dirty) << "it is still running";
  sandbox->workspace()->end_command().value();
  EXPECT_TRUE(sandbox->record().dirty);
  sandbox->workspace()->checkpoint().value();
  EXPECT_FALSE(first->records->list()->at(0).dirty);
}

TEST_P(SandboxManagerTest, IsRemovedWithItsFolder) {
  const auto first = run();
  const auto plan = held_by(first->owner);
  const auto sandbox = create(*first, plan);
  ASSERT_TRUE(std::filesystem::exists(folder_of(plan, sandbox->id())));
  sandbox->remove().value();
  EXPECT_FALSE(std::filesystem::exists(folder_of(plan, sandbox->id())));
  EXPECT_TRUE(first->records->list()->empty());
}

TEST_P(SandboxManagerTest, NothingLiveIsALeftoverToRemove) {
  const auto first = run();
  const auto plan = held_by(first->owner);
  const auto sandbox = create(*first, plan);
  const auto second = run();
  const auto found = second->manager->leftovers().value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, Verdict::kLive);
  EXPECT_EQ(second->manager->remove(found[0], true).error().code(), ErrorCode::kConflict);
  EXPECT_TRUE(std::filesystem::exists(folder_of(plan, sandbox->id())));
}

TEST_P(SandboxManagerTest, WhatADeadProcessLeftIsRemoved) {
  auto first = run();
  const auto plan = held_by(first->owner);
  auto sandbox = create(*first, plan);
  const auto place = folder_of(plan, sandbox->id());
  sandbox.reset();
  first.reset();
  const auto second = run();
  const auto found = second->manager->leftovers().value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, Verdict::kRemove) << found[0].why;
  second->manager->remove(found[0]).value();
  EXPECT_FALSE(std::filesystem::exists(place));
  EXPECT_TRUE(second->records->list()->empty());
  EXPECT_TRUE(second->manager->leftovers()->empty()) << "the plan is not over";
}

TEST_P(SandboxManagerTest, WhatACommandOfAPlanLeftMayGo) {
  auto first = run();
  auto sandbox = create(*first, held_by(first->owner));
  sandbox->workspace()->begin_command({}, false).value();
  sandbox.reset();
  first.reset();
  const auto second = run();
  const auto found = second->manager->leftovers().value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, Verdict::kRemove) << "the plan does it again";
}

TEST_P(SandboxManagerTest, NothingDirtyIsRemovedUnlessAPersonSaysSo) {
  auto first = run();
  auto sandbox = create(*first, without_journal(first->owner));
  sandbox->workspace()->begin_command({}, false).value();
  sandbox.reset();
  first.reset();
  const auto second = run();
  const auto found = second->manager->leftovers().value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, Verdict::kDirty);
  EXPECT_EQ(second->manager->remove(found[0]).error().code(), ErrorCode::kConflict);
  EXPECT_TRUE(std::filesystem::exists(found[0].folder));
  second->manager->remove(found[0], true).value();
  EXPECT_FALSE(std::filesystem::exists(found[0].folder));
}

TEST_P(SandboxManagerTest, ARemovalThatWasCutShortIsEnded) {
  auto first = run();
  const auto plan = held_by(first->owner);
  auto sandbox = create(*first, plan);
  first->records->begin_removal(sandbox->record()).value();
  sandbox.reset();
  first.reset();
  const auto second = run();
  const auto found = second->manager->leftovers().value();
  ASSERT_EQ(found.size(), 1U);
  second->manager->remove(found[0]).value();
  EXPECT_TRUE(second->records->list()->empty());
}

TEST_P(SandboxManagerTest, AFolderWithoutARecordIsALeftover) {
  auto first = run();
  const auto plan = held_by(first->owner);
  (void)first->manager->store(plan.id, project_).value();
  std::filesystem::create_directories(folder() / plan.id.to_string() / "workspaces" / "odd");
  const auto found = first->manager->leftovers().value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Leftover::Kind::kFolder);
  first->manager->remove(found[0]).value();
  EXPECT_TRUE(first->manager->leftovers()->empty());
}

TEST_P(SandboxManagerTest, TheFilesOfAPlanThatIsOverGo) {
  auto first = run();
  auto plan = held_by(first->owner);
  auto store = first->manager->store(plan.id, project_).value();
  append(plan, {model::PlanMoved{model::Phase::kApply, model::PlanState::kApplied}.to_event()});
  EXPECT_TRUE(first->manager->leftovers({}, false)->empty()) << "somebody reads them";
  store.reset();
  EXPECT_TRUE(first->manager->leftovers()->empty()) << "an undo needs them";
  EXPECT_EQ(first->manager->leftovers({}, false)->size(), 1U);
  append(plan, {model::ApplyUndone{}.to_event()});
  const auto found = first->manager->leftovers().value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Leftover::Kind::kPlanFiles);
  first->manager->remove(found[0]).value();
  EXPECT_FALSE(std::filesystem::exists(folder() / plan.id.to_string()));
}

TEST_P(SandboxManagerTest, KeptObjectsGoWithTheLastPlanThatHasFiles) {
  const auto first = run();
  auto one = held_by(first->owner);
  auto other = held_by(first->owner);
  for (const auto* plan : {&one, &other}) (void)first->manager->store(plan->id, project_).value();
  for (auto* plan : {&one, &other}) {
    EXPECT_TRUE(std::filesystem::exists(folder() / "kept"));
    append(*plan,
           {model::PlanMoved{model::Phase::kApply, model::PlanState::kCancelled}.to_event()});
    const auto found = first->manager->leftovers().value();
    ASSERT_EQ(found.size(), 1U);
    first->manager->remove(found[0]).value();
  }
  EXPECT_FALSE(std::filesystem::exists(folder() / "kept"));
}

TEST_P(SandboxManagerTest, TheFilesOfASubplanStayUntilItsRootIsOver) {
  auto first = run();
  auto root = held_by(first->owner);
  const auto child = world().create(engine(), first->owner, {.parent = root.id});
  auto grandchild = world().create(engine(), first->owner, {.parent = child.id});
  append(grandchild,
         {model::PlanMoved{model::Phase::kExecute, model::PlanState::kCancelled}.to_event()});
  EXPECT_TRUE(first->records->needs_files(grandchild.id, true).value());
  append(root, {model::PlanMoved{model::Phase::kApply, model::PlanState::kApplied}.to_event()});
  EXPECT_FALSE(first->records->needs_files(grandchild.id, true).value());
  EXPECT_TRUE(first->records->needs_files(root.id, true).value()) << "an undo needs them";
  EXPECT_FALSE(first->records->needs_files(root.id, false).value());
}

TEST_P(SandboxManagerTest, PlansOfAProjectShareABaseThatGoesWhenNoneUsesIt) {
  const auto first = run();
  const auto begin = [&](Sandbox& sandbox) {
    return sandbox.workspace()->begin_command({}, /*overlay_available=*/true)->mounts[0].lower[0];
  };
  auto one = first->manager->create(request(*first, held_by(first->owner))).value();
  const auto base = begin(*one);
  {
    const auto other = first->manager->create(request(*first, held_by(first->owner))).value();
    EXPECT_EQ(begin(*other), base);
  }
  const auto is_unused = [&] {
    return std::ranges::count(first->manager->leftovers().value(), base, &Leftover::folder) == 1;
  };
  EXPECT_FALSE(is_unused());
  EXPECT_TRUE(one->workspace()->end_command().ok());
  one.reset();
  EXPECT_TRUE(is_unused());
  for (const Leftover& leftover : first->manager->leftovers().value()) {
    if (leftover.kind == Leftover::Kind::kBase) first->manager->remove(leftover).value();
  }
  EXPECT_FALSE(std::filesystem::exists(base));
  EXPECT_FALSE(is_unused());
}

TEST_P(SandboxManagerTest, FoldersOfAnotherDatabaseAreLeftAlone) {
  auto first = run("one database");
  const auto plan = held_by(first->owner);
  auto sandbox = create(*first, plan);
  sandbox.reset();
  edit("DELETE FROM workspace");
  const auto second = run("another");
  EXPECT_TRUE(second->manager->leftovers()->empty());
  EXPECT_EQ(second->manager->store(plan.id, project_).error().code(), ErrorCode::kConflict);
}

}  // namespace
}  // namespace clever::sandbox

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/plan_events.h"
#include "support/effects_world.h"

namespace clever::engine {
namespace {

using plan::EffectKind;
using test::EffectsWorld;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BaseTakeTest : public ::testing::Test {
 protected:
  BaseTakeTest() {
    world_.repository.write("a.txt", "a\n");
    commit_ = world_.repository.commit();
  }
  model::BaseTaken take(const plan::State& plan) {
    const auto outcome = world_.run(plan, EffectKind::kBase);
    if (const auto* error = std::get_if<plan::RecordError>(&outcome))
      ADD_FAILURE() << error->message;
    return std::get<plan::BaseIsTaken>(outcome).base;
  }
  plan::RecordError error(const plan::State& plan) {
    return std::get<plan::RecordError>(world_.run(plan, EffectKind::kBase));
  }
  // A plan in the journal whose base was taken.
  plan::State parent() {
    plan::State plan = world_.plan_at_base();
    record(plan, {model::PlanCreated{.project = plan.project}.to_event(), plan.base->to_event()});
    return plan;
  }
  void record(const plan::State& plan, std::vector<model::Event> events) {
    storage::Append append;
    append.plan = plan.id;
    append.epoch = world_.lease(plan.id).epoch;
    append.events = std::move(events);
    base::Monitor<bool> done;
    world_.store.append(append, [&](const base::Result<storage::Head>& head) {
      EXPECT_TRUE(head.ok());
      done.update([](bool& value) { value = true; });
    });
    done.wait({}, base::Deadline::never(), [](bool value) { return value; }).value();
  }
  plan::State child_of(const plan::State& parent, std::string tree) {
    plan::State child = world_.new_plan();
    child.parent = parent.id;
    child.settings.ancestors = {parent.id};
    child.settings.base_tree = std::move(tree);
    return child;
  }

  EffectsWorld world_;
  std::string commit_;
};

TEST_F(BaseTakeTest, IsTheProjectAsItIsNow) {
  world_.repository.write("a.txt", "changed\n");
  world_.repository.write("new.txt", "new\n");
  const plan::State plan = world_.new_plan();
  const model::BaseTaken base = take(plan);
  EXPECT_EQ(base.branch, "refs/heads/main");
  EXPECT_EQ(base.commit, commit_);
  EXPECT_THAT(base.uncommitted, ElementsAre("a.txt", "new.txt"));
  EXPECT_EQ(world_.file_in(plan, base.tree, "a.txt"), "changed\n");
}

TEST_F(BaseTakeTest, IsWhatAnotherPlanBeganAndEndedWith) {
  const plan::State other = world_.plan_at_base();
  const auto store = world_.workspaces.store(other).value();
  const git::ObjectId base = git::ObjectId::from_hex(other.tree).value();
  const git::Node file{.mode = git::FileMode::kFile,
                       .id = store->put(git::ObjectKind::kBlob, "theirs\n").value()};
  const auto path = git::TreePath::parse("b.txt").value();
  const std::string tree = git::edit_tree(*store, base, {{path, file}}).value().to_hex();
  store->sync().value();
  record(other, {model::PlanCreated{.project = other.project}.to_event(), other.base->to_event(),
                 model::WorkMoved{.tree = tree, .why = "tools"}.to_event()});
  world_.repository.write("a.txt", "later\n");

  plan::State plan = world_.new_plan();
  plan.settings.from_plan = other.id;
  const auto taken = std::get<plan::BaseIsTaken>(world_.run(plan, EffectKind::kBase));
  EXPECT_EQ(taken.base.tree, other.base->tree);
  EXPECT_EQ(taken.tree, tree);
  EXPECT_EQ(world_.file_in(plan, taken.tree, "b.txt"), "theirs\n");
  EXPECT_EQ(world_.file_in(plan, taken.tree, "a.txt"), "a\n");
}

TEST_F(BaseTakeTest, OfAPlanWithoutABaseIsAnError) {
  plan::State plan = world_.new_plan();
  plan.settings.from_plan = world_.new_plan().id;
  EXPECT_THAT(error(plan).message, HasSubstr(plan.settings.from_plan.to_string()));
}

TEST_F(BaseTakeTest, IsACommitIfOneWasNamed) {
  world_.repository.write("a.txt", "second\n");
  world_.repository.commit();
  plan::State plan = world_.new_plan();
  plan.settings.from = "HEAD~1";
  EXPECT_EQ(world_.file_in(plan, take(plan).tree, "a.txt"), "a\n");
}

TEST_F(BaseTakeTest, ACommitThatIsNotThereIsAnError) {
  plan::State plan = world_.new_plan();
  plan.settings.from = "nowhere";
  EXPECT_THAT(error(plan).message, HasSubstr("nowhere"));
}

TEST_F(BaseTakeTest, AFolderThatIsNotThereIsAnError) {
  plan::State plan = world_.new_plan();
  plan.project = world_.repository.beside("nothing").string();
  EXPECT_EQ(error(plan).category, model::ErrorCategory::kResource);
}

TEST_F(BaseTakeTest, OfASubplanIsTheTreeThatItsParentHasForIt) {
  world_.repository.write("untracked.txt", "u\n");
  plan::State above = parent();
  const std::string tree = world_.with_file(above, "a.txt", "by the parent\n");
  const model::BaseTaken base = take(child_of(above, tree));
  EXPECT_EQ(base.tree, tree);
  EXPECT_EQ(base.branch, "refs/heads/main");
  EXPECT_EQ(base.commit, commit_);
  EXPECT_TRUE(base.uncommitted.empty());
}

TEST_F(BaseTakeTest, OfASubplanMustBeThere) {
  const plan::State above = parent();
  const plan::RecordError missing = error(child_of(above, std::string(40, '1')));
  EXPECT_EQ(missing.category, model::ErrorCategory::kResource);
  EXPECT_THAT(missing.message, HasSubstr("are gone"));
}

TEST_F(BaseTakeTest, OfASubplanNeedsItsParents) {
  const plan::State above = world_.plan_at_base();
  EXPECT_EQ(error(child_of(above, above.tree)).category, model::ErrorCategory::kResource);
}

}  // namespace
}  // namespace clever::engine

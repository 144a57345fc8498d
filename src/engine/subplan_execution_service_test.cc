#include "engine/subplan_execution_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "git/tree.h"
#include "support/memory_store.h"

namespace clever::engine {
namespace {

using model::StepMode;
using model::StepState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SubplansTest : public ::testing::Test {
 protected:
  SubplansTest() {
    parent_.id = model::PlanId(base::Ulid::parse("01HF7YAT00000000000000000P").value());
    parent_.project = "the project";
    parent_.action = "local/task";
    parent_.tree = tree({{"a", "1\n2\n3\n4\n5\n6\n7\n"}, {"b", "b\n"}});
  }

  std::string tree(const std::vector<std::pair<std::string, std::string>>& files) {
    std::vector<git::TreeChange> changes;
    for (const auto& [path, content] : files) {
      changes.push_back(
          {git::TreePath::parse(path).value(),
           git::Node{git::FileMode::kFile, store_.put(git::ObjectKind::kBlob, content).value()}});
    }
    return git::edit_tree(store_, git::empty_tree(), changes)->to_hex();
  }
  std::string file(const std::string& tree, std::string_view path) {
    const auto node =
        git::find(store_, git::ObjectId::from_hex(tree).value(), git::TreePath::parse(path).value())
            .value();
    return node ? store_.blob(node->id).value() : "";
  }
  plan::Step& step(std::string id, std::vector<std::string> depends_on = {},
                   StepMode mode = StepMode::kSubplan) {
    plan::Step step;
    step.definition = {.id = std::move(id), .mode = mode, .depends_on = std::move(depends_on)};
    parent_.steps.push_back(step);
    return parent_.steps.back();
  }
  // A subplan that is done, with its files.
  plan::Step& done(std::string id, const std::vector<std::pair<std::string, std::string>>& files,
                   std::vector<std::string> depends_on = {}) {
    plan::Step& made = step(std::move(id), std::move(depends_on));
    made.state = StepState::kDone;
    made.base = parent_.tree;
    made.tree = tree(files);
    return made;
  }
  plan::Merged merge(const std::vector<std::string>& steps) {
    ChildrensWork work = service_.merge(parent_, steps, store_, {}).value();
    changes_ = std::move(work.changes);
    return std::move(work.merged);
  }
  plan::Create child(const std::string& step) {
    return service_.child(parent_, step, effect_, "base", prompts_).value();
  }

  test::MemoryStore store_;
  plan::State parent_;
  const SubplanExecutionService service_{};
  const model::EffectId effect_{base::Ulid::parse("01HF7YAT00000000000000000E").value()};
  std::vector<model::Message> prompts_{{model::Role::kUser, {model::Text{"Do it all"}}}};
  std::vector<model::ChangeEntry> changes_;
  const std::string file_a_ = "1\n2\n3\n4\n5\n6\n7\n";
};

TEST_F(SubplansTest, AChildGetsItsPartAndTheWhole) {
  parent_.settings.definition_of_done = "tests pass";
  step("one").definition.title = "First part";
  parent_.steps[0].definition.detail = "With care.";
  prompts_[0].parts.emplace_back(model::Image{"image/png", "bytes"});
  const plan::Create create = child("one");
  EXPECT_EQ(create.title, "First part");
  EXPECT_EQ(create.parent, parent_.id);
  EXPECT_EQ(create.project, "the project");
  EXPECT_EQ(create.action, "local/task");
  const std::string text = std::get<model::Text>(create.prompt.parts.at(0)).text;
  EXPECT_THAT(text, ::testing::StartsWith("First part\n\nWith care.\n\n"));
  EXPECT_THAT(text, HasSubstr("Do it all"));
  EXPECT_THAT(text, HasSubstr("tests pass"));
  EXPECT_EQ(create.prompt.parts.at(1), prompts_[0].parts[1]);
}

TEST_F(SubplansTest, AChildHasItsParentsSettingsButForItsPlace) {
  parent_.settings.from = "HEAD~1";
  parent_.settings.apply_when_ready = true;
  parent_.settings.session = "s";
  parent_.settings.terms.model = "demo/m";
  const model::PlanId root(base::Ulid::parse("01HF7YAT00000000000000000R").value());
  parent_.settings.ancestors = {root};
  parent_.settings.depth = 1;
  step("one").definition.paths = {"src"};
  const model::PlanSettings settings = child("one").settings;
  EXPECT_EQ(settings.from, "");
  EXPECT_FALSE(settings.apply_when_ready);
  EXPECT_EQ(settings.session, "s");
  EXPECT_EQ(settings.terms.model, "demo/m");
  EXPECT_EQ(settings.depth, 2);
  EXPECT_THAT(settings.ancestors, ElementsAre(root, parent_.id));
  EXPECT_EQ(settings.spawned_by, effect_);
  EXPECT_EQ(settings.base_tree, "base");
  EXPECT_THAT(settings.paths, ElementsAre("src"));
  EXPECT_TRUE(settings.direct);
}

TEST_F(SubplansTest, AChildStrategizesIfItIsToAndHasAModel) {
  step("one");
  parent_.settings.subplans.strategize = true;
  EXPECT_FALSE(child("one").settings.direct);
  parent_.settings.uses_model = false;
  EXPECT_TRUE(child("one").settings.direct);
}

TEST_F(SubplansTest, FiveLevelsAreEnough) {
  step("one");
  parent_.settings.depth = 4;
  EXPECT_EQ(child("one").settings.depth, 5);
  parent_.settings.depth = 5;
  const auto refused = service_.child(parent_, "one", effect_, "base", prompts_);
  EXPECT_EQ(refused.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().sentence(), HasSubstr("at most 5"));
}

TEST_F(SubplansTest, AnUnknownStepIsNotFound) {
  EXPECT_EQ(service_.child(parent_, "x", effect_, "base", {}).error().code(),
            base::ErrorCode::kNotFound);
  EXPECT_EQ(service_.base_of(parent_, "x", store_, {}).error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(service_.merge(parent_, {"x"}, store_, {}).error().code(), base::ErrorCode::kNotFound);
}

TEST_F(SubplansTest, AStepStartsFromThePlansTree) {
  step("one");
  EXPECT_EQ(service_.base_of(parent_, "one", store_, {}).value(), parent_.tree);
}

TEST_F(SubplansTest, AStepStartsFromWhatItDependsOnDirectlyOrNot) {
  done("one", {{"a", file_a_}, {"b", "b\n"}, {"one", "1\n"}});
  done("other", {{"a", file_a_}, {"b", "b\n"}, {"other", "o\n"}});
  plan::Step& two =
      done("two", {{"a", file_a_}, {"b", "b\n"}, {"one", "1\n"}, {"two", "2\n"}}, {"one"});
  two.base = service_.base_of(parent_, "two", store_, {}).value();
  EXPECT_EQ(file(two.base, "one"), "1\n");
  step("three", {"two"});
  const std::string base = service_.base_of(parent_, "three", store_, {}).value();
  EXPECT_EQ(file(base, "one"), "1\n");
  EXPECT_EQ(file(base, "two"), "2\n");
  EXPECT_EQ(file(base, "other"), "");
  parent_.steps[0].merged = parent_.steps[2].merged = true;
  EXPECT_EQ(service_.base_of(parent_, "three", store_, {}).value(), parent_.tree);
}

TEST_F(SubplansTest, ChildrenComeTogetherInTheOrderOfTheStrategy) {
  done("one", {{"a", "ONE\n2\n3\n4\n5\n6\n7\n"}, {"b", "b\n"}});
  done("two", {{"a", "1\n2\n3\n4\n5\n6\nTWO\n"}, {"b", "b\n"}, {"new", "n\n"}});
  const plan::Merged merged = merge({"two", "one"});
  EXPECT_THAT(merged.steps, ElementsAre("one", "two"));
  EXPECT_EQ(file(merged.tree, "a"), "ONE\n2\n3\n4\n5\n6\nTWO\n");
  EXPECT_EQ(file(merged.tree, "new"), "n\n");
  EXPECT_TRUE(merged.conflicts.empty());
  ASSERT_EQ(changes_.size(), 2U);
  EXPECT_EQ(changes_[0].path, "a");
  EXPECT_EQ(changes_[0].tool, "merge");
}

TEST_F(SubplansTest, AConflictIsKeptWithItsMarkers) {
  done("one", {{"a", "ONE\n2\n3\n4\n5\n6\n7\n"}, {"b", "b\n"}});
  done("two", {{"a", "TWO\n2\n3\n4\n5\n6\n7\n"}, {"b", "b\n"}});
  const plan::Merged merged = merge({"one", "two"});
  ASSERT_EQ(merged.conflicts.size(), 1U);
  EXPECT_EQ(merged.conflicts[0].path, "a");
  EXPECT_EQ(merged.conflicts[0].kind, "content");
  EXPECT_EQ(merged.conflicts[0].step, "two");
  const std::string content = file(merged.tree, "a");
  EXPECT_THAT(content, HasSubstr("<<<<<<<"));
  EXPECT_EQ(merged.conflicts[0].marked,
            git::object_id_of(git::ObjectKind::kBlob, content).to_hex());
}

TEST_F(SubplansTest, AConflictStaysOpenThroughLaterMerges) {
  done("one", {{"a", "ONE\n2\n3\n4\n5\n6\n7\n"}, {"b", "b\n"}});
  done("two", {{"a", "TWO\n2\n3\n4\n5\n6\n7\n"}, {"b", "b\n"}});
  const plan::Merged first = merge({"one", "two"});
  parent_.tree = first.tree;
  parent_.conflicts = first.conflicts;
  const std::string marked = file(first.tree, "a");
  done("three", {{"a", marked}, {"b", "B\n"}});
  EXPECT_EQ(merge({"three"}).conflicts, first.conflicts);
  done("four", {{"a", "resolved\n"}, {"b", "b\n"}});
  EXPECT_TRUE(merge({"four"}).conflicts.empty());
}

TEST_F(SubplansTest, TheLastWinsWhereThatIsTheStrategy) {
  parent_.settings.subplans.merge_strategy = "last_wins";
  done("one", {{"a", "ONE\n"}, {"b", "b\n"}});
  done("two", {{"a", "TWO\n"}, {"b", "b\n"}});
  const plan::Merged merged = merge({"one", "two"});
  EXPECT_EQ(file(merged.tree, "a"), "TWO\n");
  EXPECT_TRUE(merged.conflicts.empty());
}

TEST_F(SubplansTest, AConflictFailsTheMergeWhereThatIsTheStrategy) {
  parent_.settings.subplans.merge_strategy = "fail_on_conflict";
  done("one", {{"a", "ONE\n"}, {"b", "b\n"}});
  done("two", {{"a", "TWO\n"}, {"b", "b\n"}});
  EXPECT_EQ(service_.merge(parent_, {"one", "two"}, store_, {}).error().code(),
            base::ErrorCode::kConflict);
}

TEST_F(SubplansTest, AStaleReadIsReported) {
  done("one", {{"a", "ONE\n"}, {"b", "b\n"}});
  done("two", {{"a", file_a_}, {"b", "B\n"}}).reads = {"a"};
  EXPECT_THAT(merge({"one", "two"}).stale_reads, ElementsAre("two read a, which one changed"));
}

TEST_F(SubplansTest, AStepWithoutATreeCannotBeMerged) {
  step("one");
  EXPECT_THAT(service_.merge(parent_, {"one"}, store_, {}).error().sentence(),
              HasSubstr("step 'one'"));
}

}  // namespace
}  // namespace clever::engine

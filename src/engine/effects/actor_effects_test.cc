// Actors without a model, merges and children: the rest of the kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/effects_world.h"

namespace clever::engine {
namespace {

using plan::EffectKind;
using test::EffectsWorld;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ActorEffectsTest : public ::testing::Test {
 protected:
  ActorEffectsTest() {
    world_.repository.write("a.txt", "old\n");
    world_.repository.write("b.txt", "old\n");
    world_.repository.commit();
    plan_ = world_.plan_at_base();
    plan_.settings.actor = "local/codemod";
    plan_.settings.uses_model = false;
    plan_.settings.arguments = {{"find", "old"}, {"replace", "new"}};
    plan_.steps.push_back({.definition = {.id = "task", .title = "All"}});
  }
  plan::Command work() { return world_.run(plan_, EffectKind::kActorWork, R"({"step":"task"})"); }
  void child(std::string id, std::string_view path, std::string_view content) {
    plan::Step step{.definition = {.id = std::move(id), .mode = model::StepMode::kSubplan},
                    .state = model::StepState::kDone};
    step.base = plan_.tree;
    step.tree = world_.with_file(plan_, path, content);
    plan_.steps.push_back(step);
  }

  EffectsWorld world_;
  plan::State plan_;
};

TEST_F(ActorEffectsTest, MakesAStrategy) {
  const auto outcome = world_.run(plan_, EffectKind::kActorStrategize);
  EXPECT_FALSE(std::get<plan::ActorStrategized>(outcome).strategy.steps.empty());
}

TEST_F(ActorEffectsTest, WorksInItsWorkspace) {
  const auto worked = std::get<plan::ActorWorked>(work());
  EXPECT_EQ(world_.file_in(plan_, worked.tree, "a.txt"), "new\n");
  EXPECT_EQ(world_.file_in(plan_, worked.tree, "b.txt"), "new\n");
  const auto changes = world_.take_changes();
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].tool, "local/codemod");
  EXPECT_NE(worked.summary, "");
  EXPECT_EQ(world_.repository.read("a.txt"), "old\n");
}

TEST_F(ActorEffectsTest, WorksOnItsPaths) {
  plan_.settings.paths = {"b.txt"};
  const auto worked = std::get<plan::ActorWorked>(work());
  EXPECT_EQ(world_.file_in(plan_, worked.tree, "a.txt"), "old\n");
  plan_.steps[0].definition.paths = {"a.txt"};
  const auto other = std::get<plan::ActorWorked>(work());
  EXPECT_EQ(world_.file_in(plan_, other.tree, "b.txt"), "old\n");
}

TEST_F(ActorEffectsTest, AnActorThatIsNotThereIsAnError) {
  plan_.settings.actor = "local/nobody";
  EXPECT_THAT(std::get<plan::RecordError>(work()).message, HasSubstr("nobody"));
  EXPECT_TRUE(
      std::holds_alternative<plan::RecordError>(world_.run(plan_, EffectKind::kActorStrategize)));
}

TEST_F(ActorEffectsTest, WhatFailsForGoodIsNotTriedAgain) {
  plan_.settings.actor = "local/nobody";
  EXPECT_TRUE(std::get<plan::RecordError>(work()).lasts);
}

TEST_F(ActorEffectsTest, MergesChildren) {
  child("one", "a.txt", "ONE\n");
  child("two", "b.txt", "TWO\n");
  const auto merged =
      std::get<plan::Merged>(world_.run(plan_, EffectKind::kMerge, R"({"steps":["one","two"]})"));
  EXPECT_THAT(merged.steps, ElementsAre("one", "two"));
  EXPECT_EQ(world_.file_in(plan_, merged.tree, "a.txt"), "ONE\n");
  EXPECT_EQ(world_.take_changes().size(), 2U);
}

TEST_F(ActorEffectsTest, AMergeThatRefusesIsAMergeConflict) {
  plan_.settings.subplans.merge_strategy = "fail_on_conflict";
  child("one", "a.txt", "ONE\n");
  child("two", "a.txt", "TWO\n");
  const auto error = std::get<plan::RecordError>(
      world_.run(plan_, EffectKind::kMerge, R"({"steps":["one","two"]})"));
  EXPECT_EQ(error.category, model::ErrorCategory::kMergeConflict);
  EXPECT_THAT(error.message, HasSubstr("a.txt"));
}

TEST_F(ActorEffectsTest, AKindThatIsTheEnginesOwnIsRefused) {
  const auto error = std::get<plan::RecordError>(world_.run(plan_, EffectKind::kTimer));
  EXPECT_THAT(error.message, HasSubstr("timer"));
}

base::Result<plan::Create> ask(EffectsWorld& world, const EffectOrder& order) {
  base::Monitor<std::vector<base::Result<plan::Create>>> answers;
  make_child_source(world.parts())(order, [&](base::Result<plan::Create> create) {
    answers.update([&](auto& all) { all.push_back(std::move(create)); });
  });
  answers.wait({}, base::Deadline::never(), [](const auto& all) { return !all.empty(); }).value();
  return answers.read([](const auto& all) { return all.front(); });
}

TEST_F(ActorEffectsTest, AChildIsMadeOfItsStep) {
  plan_.prompts = {world_.keep(test::user_text("Do it all"))};
  child("one", "a.txt", "ONE\n");
  plan_.steps.push_back({.definition = {.id = "two",
                                        .title = "Second",
                                        .mode = model::StepMode::kSubplan,
                                        .depends_on = std::vector<std::string>{"one"}}});
  const EffectOrder order = world_.order(plan_, EffectKind::kSubplan, R"({"step":"two"})");
  const plan::Create create = ask(world_, order).value();
  EXPECT_EQ(create.title, "Second");
  EXPECT_EQ(create.settings.spawned_by, order.id);
  EXPECT_EQ(world_.file_in(plan_, create.settings.base_tree, "a.txt"), "ONE\n");
  EXPECT_THAT(std::get<model::Text>(create.prompt.parts[0]).text, HasSubstr("Do it all"));
}

TEST_F(ActorEffectsTest, AChildOfNoStepIsAnError) {
  EXPECT_FALSE(ask(world_, world_.order(plan_, EffectKind::kSubplan, R"({"step":"x"})")).ok());
  EXPECT_FALSE(ask(world_, world_.order(plan_, EffectKind::kSubplan)).ok());
}

TEST_F(ActorEffectsTest, TermsAreThoseOfTheDearestOfTheChain) {
  provider::ProviderSettings settings;
  const auto add = [&](std::string name, std::string url) {
    settings.providers.push_back({.endpoint = {.provider = std::move(name),
                                               .wire = provider::Wire::kScripted,
                                               .base_url = std::move(url)},
                                  .default_model = "m"});
  };
  add("cheap", "1");
  add("dear", "2");
  add("free", "3");
  settings.fallback = {"dear/m"};
  settings.catalog = provider::Catalog()
                         .with(
                             "[cheap.\"*\"]\ninput = 1\noutput = 2\ncontext = 1000\n"
                             "max_output = 100\ndate = 2025-10-01\nsource = \"x\"\n"
                             "[dear.\"*\"]\ninput = 3\noutput = 4\ncontext = 2000\n"
                             "max_output = 50000\ndate = 2025-10-01\nsource = \"x\"\n",
                             "models.toml")
                         .value();
  world_.models.registry().reconfigure(settings).value();
  const model::ModelTerms terms = terms_of(world_.models.registry(), "cheap/m").value();
  EXPECT_EQ(terms.model, "cheap/m");
  EXPECT_EQ(terms.input_per_million, 3'000'000);
  EXPECT_EQ(terms.output_per_million, 4'000'000);
  EXPECT_EQ(terms.context_window, 2000);
  EXPECT_EQ(terms.max_output, 100);
  const model::ModelTerms unknown = terms_of(world_.models.registry(), "free/m").value();
  EXPECT_EQ(unknown.context_window, 200'000);
  EXPECT_EQ(unknown.max_output, 8192);
  EXPECT_FALSE(terms_of(world_.models.registry(), "nobody/m").ok());
  EXPECT_EQ(terms_of(world_.models.registry(), "").value().model, "cheap/m");
}

}  // namespace
}  // namespace clever::engine

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "support/plan_story.h"

// Steps with conditions: what a graph actor's strategy is made of.
namespace clever::plan {
namespace {

using test::inline_step;
using test::PlanStory;
using test::running_steps;
using test::strategy_of;
using test::subplan_step;
using ::testing::HasSubstr;

using Ids = std::vector<std::string>;

model::StrategyStep only_if(model::StrategyStep step, std::string when) {
  step.when = std::move(when);
  return step;
}

Ids skipped_steps(const PlanStory& story) {
  return test::steps_in(story, model::StepState::kSkipped);
}

TEST(Conditions, AStepRunsIfItsConditionHolds) {
  PlanStory story;
  story.with_strategy(strategy_of({only_if(subplan_step("a"), "plan.attempt == 1")}));
  EXPECT_EQ(running_steps(story), Ids{"a"});
}

TEST(Conditions, AStepThatIsSkippedIsNotAFailure) {
  PlanStory story;
  story.with_strategy(strategy_of(
      {only_if(subplan_step("a", Ids{}), "plan.attempt == 2"), subplan_step("b", Ids{})}));
  EXPECT_EQ(skipped_steps(story), Ids{"a"});
  EXPECT_EQ(story.state.steps[0].summary, "its condition is false: plan.attempt == 2");
  story.ends("b");
  story.merges({"b"});
  story.seals();
  EXPECT_EQ(story.where(), "execute/complete");
}

TEST(Conditions, APlanAllOfWhoseStepsAreSkippedIsComplete) {
  PlanStory story;
  story.with_strategy(
      strategy_of({only_if(subplan_step("a"), "false"), subplan_step("b", {{"a"}})}));
  story.seals("");
  EXPECT_EQ(story.where(), "execute/complete");
}

TEST(Conditions, LookAtWhatWasDoneBefore) {
  PlanStory story;
  story.with_strategy(
      strategy_of({subplan_step("build", Ids{}),
                   only_if(subplan_step("fix", {{"build"}}), "steps.build.files > 1"),
                   only_if(subplan_step("ship", {{"build"}}), "steps.build.files <= 1")}));
  ChildEnded ended = story.end_of("build");
  ended.files = 2;
  story.must(ended);
  EXPECT_EQ(running_steps(story), Ids{"fix"});
  EXPECT_EQ(skipped_steps(story), Ids{"ship"});
  EXPECT_EQ(story.state.steps[0].files, 2);
}

TEST(Conditions, SkipsStepsThatDependOnSkippedOnesOnly) {
  PlanStory story;
  story.with_strategy(
      strategy_of({only_if(subplan_step("a", Ids{}), "false"), subplan_step("b", {{"a"}}),
                   subplan_step("c", {{"b"}}), subplan_step("d", Ids{})}));
  EXPECT_EQ(skipped_steps(story), (Ids{"a", "b", "c"}));
  EXPECT_EQ(running_steps(story), Ids{"d"});
  EXPECT_THAT(story.state.steps[2].summary, HasSubstr("no branch leads to it"));
}

TEST(Conditions, AJoinRunsIfOneBranchWasTaken) {
  PlanStory story;
  story.with_strategy(
      strategy_of({subplan_step("yes", Ids{}), only_if(subplan_step("no", Ids{}), "false"),
                   subplan_step("join", {{"yes", "no"}})}));
  EXPECT_EQ(running_steps(story), Ids{"yes"});
  story.ends("yes");
  EXPECT_EQ(running_steps(story), Ids{"join"});
}

TEST(Conditions, AnInlineStepCanHaveOne) {
  PlanStory story;
  story.with_strategy(strategy_of({only_if(inline_step("a"), "false"), inline_step("b", Ids{})}));
  EXPECT_EQ(skipped_steps(story), Ids{"a"});
  EXPECT_EQ(running_steps(story), Ids{"b"});
  story.says("done");
  story.seals();
  EXPECT_EQ(story.where(), "execute/complete");
}

TEST(Conditions, OneThatFailsErrsItsStepAndSaysWhy) {
  PlanStory story;
  story.with_strategy(
      strategy_of({only_if(subplan_step("a", Ids{}), "1 / 0 == 1"), subplan_step("b", {{"a"}})}));
  EXPECT_EQ(test::steps_in(story, model::StepState::kFailed), Ids{"a"});
  EXPECT_EQ(skipped_steps(story), Ids{"b"});
  EXPECT_EQ(story.where(), "execute/errored");
  EXPECT_THAT(story.state.reason, HasSubstr("column 3: division by zero"));
  EXPECT_THAT(story.state.reason, HasSubstr("fix it in the actor's file"));
}

TEST(Conditions, AreDecidedAgainWhenAPersonResumes) {
  PlanStory story;
  story.with_strategy(strategy_of({only_if(subplan_step("a", Ids{}), "1 / 0 == 1")}));
  story.must(Resume{});
  EXPECT_EQ(story.where(), "execute/errored");
  EXPECT_EQ(test::steps_in(story, model::StepState::kFailed), Ids{"a"});
}

TEST(Conditions, StepsAfterAFailedOneAreLostDespiteAnotherBranch) {
  PlanStory story;
  model::PlanSettings settings;
  settings.subplans.retry_failed = false;
  story.with_strategy(strategy_of({subplan_step("bad", Ids{}), subplan_step("good", Ids{}),
                                   subplan_step("join", {{"bad", "good"}})}),
                      settings);
  story.ends("good");
  story.ends("bad", model::PlanState::kErrored);
  EXPECT_EQ(skipped_steps(story), Ids{"join"});
  story.merges({"good"});
  EXPECT_EQ(story.where(), "execute/errored");
}

TEST(Conditions, AfterAFailureWasMendedSkippedStepsGetTheirTurn) {
  PlanStory story;
  model::PlanSettings settings;
  settings.subplans.retry_failed = false;
  story.with_strategy(
      strategy_of({subplan_step("a", Ids{}),
                   only_if(subplan_step("b", {{"a"}}), "steps.a.summary contains \"did\"")}),
      settings);
  story.ends("a", model::PlanState::kErrored);
  EXPECT_EQ(story.where(), "execute/errored");
  story.must(Resume{});
  story.ends("a");
  EXPECT_EQ(running_steps(story), Ids{"b"});
}

// ---- any graph: what runs is what a walk over the nodes says -----------------------------------

struct Graph {
  std::vector<model::StrategyStep> steps{};
  std::set<std::string> taken{};
};

// Each node has edges from earlier ones, some with a condition that is known to hold or not.
Graph random_graph(unsigned seed) {
  std::mt19937 random(seed);
  Graph graph;
  const std::size_t count = 2 + random() % 7;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id = "n" + std::to_string(i);
    Ids needs;
    std::string when;
    bool taken = false;
    bool conditional = false;
    for (std::size_t j = 0; j < i; ++j) {
      if (random() % 3 != 0) continue;
      const std::string from = "n" + std::to_string(j);
      const unsigned kind = random() % 3;
      const std::string extra = kind == 0 ? "" : kind == 1 ? " and 1 < 2" : " and 2 < 1";
      conditional = conditional || kind != 0;
      needs.push_back(from);
      when += (when.empty() ? "" : " or ") + ("steps." + from + ".state == \"done\"" + extra);
      taken = taken || (graph.taken.contains(from) && kind != 2);
    }
    if (needs.empty()) taken = true;
    if (taken) graph.taken.insert(id);
    graph.steps.push_back(only_if(subplan_step(id, needs), conditional ? when : ""));
  }
  return graph;
}

TEST(Conditions, RunsTheStepsOfAWalkForAnyGraphAndOrder) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Graph graph = random_graph(seed);
    std::mt19937 random(seed + 7919);
    PlanStory story;
    model::PlanSettings settings;
    settings.subplans.max_parallel = 1 + static_cast<std::int64_t>(random() % 3);
    story.with_strategy(strategy_of(graph.steps), settings);
    std::set<std::string> ran;
    for (Ids now = running_steps(story); !now.empty(); now = running_steps(story)) {
      const std::string next = now[random() % now.size()];
      ran.insert(next);
      story.ends(next);
    }
    EXPECT_EQ(ran, graph.taken) << "seed " << seed;
    story.merges({graph.taken.begin(), graph.taken.end()});
    story.seals();
    EXPECT_EQ(story.where(), "execute/complete") << "seed " << seed;
    if (HasFailure()) return;
  }
}

// ---- who makes the strategy --------------------------------------------------------------------

TEST(Strategist, AToolMakesTheStrategyAndAModelWorks) {
  PlanStory story;
  model::PlanSettings settings;
  settings.strategy_actor = "local/splitter";
  settings.strategy_uses_model = false;
  story.create(settings);
  story.based();
  story.must(ActorStrategized{.effect = story.open(EffectKind::kActorStrategize),
                              .strategy = strategy_of({inline_step("a")})});
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(Strategist, AModelMakesTheStrategyAndAToolWorks) {
  PlanStory story;
  model::PlanSettings settings;
  settings.strategy_actor = "local/architect";
  settings.uses_model = false;
  story.create(settings);
  story.based();
  story.submit(strategy_of({inline_step("a")}));
  EXPECT_TRUE(story.is_open(EffectKind::kActorWork));
}

TEST(Strategist, ReservesTheCostOfItsModelInStrategizeOnly) {
  PlanStory story;
  model::PlanSettings settings;
  settings.strategy_actor = "local/architect";
  settings.strategy_terms = {.model = "scripted/dear",
                             .input_per_million = 500'000'000,
                             .output_per_million = 500'000'000};
  story.create(settings);
  story.based();
  const auto dear = story.state.effects.at(story.open(EffectKind::kModel)).reserved.money;
  story.submit(strategy_of({inline_step("a")}));
  const auto usual = story.state.effects.at(story.open(EffectKind::kModel)).reserved.money;
  EXPECT_GT(dear, 100 * usual);
}

TEST(Strategist, AnotherModelThatAPersonChoosesIsForBoth) {
  PlanStory story;
  model::PlanSettings settings;
  settings.strategy_actor = "local/architect";
  settings.strategy_terms = {.model = "scripted/dear"};
  story.create(settings);
  story.based();
  story.must(Prompt{.message = test::user("cheaper"),
                    .model = "scripted/b",
                    .terms = model::ModelTerms{.model = "scripted/b"}});
  EXPECT_EQ(story.state.settings.terms.model, "scripted/b");
  EXPECT_EQ(story.state.settings.strategy_terms.model, "scripted/b");
}

}  // namespace
}  // namespace clever::plan

#include "sim/engine/engine_sim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "sim/engine/early_answers.h"
#include "support/campaign.h"

namespace clever::sim {
namespace {

using ::testing::AnyOf;
using ::testing::IsEmpty;

constexpr std::size_t kSeeds = 60;
constexpr std::size_t kManySeeds = 3'000;
constexpr std::uint64_t kScripts = 20;

// CLEVER_SIM_SEED=17 runs that seed alone.
std::vector<std::uint64_t> seeds() {
  if (const char* chosen = std::getenv("CLEVER_SIM_SEED")) {
    return {std::strtoull(chosen, nullptr, 10)};
  }
  std::vector<std::uint64_t> all;
  for (std::uint64_t seed = 1; seed <= test::campaign(kSeeds, kManySeeds); ++seed) {
    all.push_back(seed);
  }
  return all;
}

class EngineSim : public ::testing::Test {
 protected:
  // Runs the seed, and expects the final tree of a run in which nothing went wrong.
  void check_like_undisturbed(SimOptions options) {
    SCOPED_TRACE("CLEVER_SIM_SEED=" + std::to_string(options.seed));
    options.script = options.seed % kScripts + 1;
    const SimOutcome outcome = simulate(options);
    EXPECT_THAT(outcome.violations, IsEmpty());
    EXPECT_EQ(outcome.landed, undisturbed(options.script, options.tool_actor));
  }
  void check_all(const SimOptions& options) {
    for (const std::uint64_t seed : seeds()) {
      SimOptions one = options;
      one.seed = seed;
      check_like_undisturbed(one);
    }
  }

 private:
  const Tree& undisturbed(std::uint64_t script, bool tool_actor) {
    const auto known = undisturbed_.find({script, tool_actor});
    if (known != undisturbed_.end()) return known->second;
    const SimOutcome calm = simulate({.script = script, .tool_actor = tool_actor});
    return undisturbed_.emplace(std::pair{script, tool_actor}, calm.landed).first->second;
  }
  std::map<std::pair<std::uint64_t, bool>, Tree> undisturbed_;
};

bool finds_a_violation(SimOptions options) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    options.seed = seed;
    options.script = seed;
    if (!simulate(options).violations.empty()) return true;
  }
  return false;
}

TEST_F(EngineSim, ComesToAnEndInWhateverOrderThingsHappen) { check_all({}); }

TEST_F(EngineSim, TheWorldIsWorthLookingAt) {
  std::size_t plans = 0;
  std::size_t files = 0;
  for (std::uint64_t script = 1; script <= kScripts; ++script) {
    const SimOutcome outcome = simulate({.script = script});
    plans = std::max(plans, outcome.plans);
    files = std::max(files, outcome.landed.size());
  }
  EXPECT_GE(plans, 5U);
  EXPECT_GE(files, 6U);
}

TEST_F(EngineSim, CrashesBetweenAnyTwoStepsChangeNothing) { check_all({.crashes = 6}); }

TEST_F(EngineSim, ErrorsAreRetriedAndChangeNothing) { check_all({.crashes = 2, .errors = 20}); }

TEST_F(EngineSim, AFormerOwnerThatContinuesChangesNothing) { check_all({.thefts = 3}); }

TEST_F(EngineSim, ASubplanThatIsBeingOpenedIsReleasedWithItsParent) {
  check_like_undisturbed({.seed = 1036, .thefts = 3});
}

// The model of this world does not listen: whatever is done anew is done as before.
TEST_F(EngineSim, CorrectionsAtAnyMomentLeadToTheSameWork) { check_all({.corrections = 4}); }

TEST_F(EngineSim, CorrectionsSurviveCrashesAndErrors) {
  check_all({.crashes = 4, .thefts = 1, .errors = 10, .echoes = true, .corrections = 4});
}

TEST_F(EngineSim, ACorrectedPlanThatIsCancelledLeavesNothingRunning) {
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE("CLEVER_SIM_SEED=" + std::to_string(seed));
    const SimOutcome outcome = simulate(
        {.seed = seed, .script = seed % kScripts + 1, .cancel = 40 + seed % 90, .corrections = 6});
    EXPECT_THAT(outcome.violations, IsEmpty());
  }
}

// Plans and subplans ask, and are killed while they do: what is approved runs once.
TEST_F(EngineSim, WhatIsAskedAboutRunsOnceWhenItIsApproved) {
  check_all({.crashes = 4, .thefts = 1, .echoes = true, .asks = 40});
}

TEST_F(EngineSim, ExcessSubplansWaitForTheirTurn) { check_all({.crashes = 1, .most_plans = 1}); }

TEST_F(EngineSim, ACancelledPlanLeavesNothingRunning) {
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE("CLEVER_SIM_SEED=" + std::to_string(seed));
    const SimOutcome outcome = simulate({.seed = seed,
                                         .script = seed % kScripts + 1,
                                         .crashes = static_cast<int>(seed % 3),
                                         .cancel = 5 + seed % 90});
    EXPECT_THAT(outcome.violations, IsEmpty());
    // Complete: it had changed nothing, and was done before the word came.
    EXPECT_THAT(outcome.state, AnyOf(model::PlanState::kCancelled, model::PlanState::kApplied,
                                     model::PlanState::kComplete));
  }
}

TEST_F(EngineSim, PlansThatWaitForMoneyContinueWhenOthersNeedLess) {
  // Room for a few calls at once; each is asked for more than it needs.
  check_all({.cap = 600});
}

TEST_F(EngineSim, WakeUpsThatComeTwiceOrForNothingChangeNothing) {
  check_all({.crashes = 2, .echoes = true});
}

TEST_F(EngineSim, ActorsWithoutAModelSurviveTheSame) {
  check_all({.crashes = 6, .thefts = 1, .tool_actor = true, .echoes = true});
}

// Prompts, rollbacks, applies and undos, with crashes in between: the journal and the project agree
// in the end.
TEST_F(EngineSim, WhateverPeopleDoTheJournalTellsWhatLanded) {
  std::map<model::PlanState, int> ends;
  int undone = 0;
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE("CLEVER_SIM_SEED=" + std::to_string(seed));
    const SimOutcome outcome = simulate({.seed = seed,
                                         .script = seed % kScripts + 1,
                                         .crashes = static_cast<int>(seed % 5),
                                         .tool_actor = seed % 4 == 0,
                                         .echoes = seed % 2 == 0,
                                         .acts = 12});
    EXPECT_THAT(outcome.violations, IsEmpty());
    ++ends[outcome.state];
    undone += outcome.undone ? 1 : 0;
  }
  if (std::getenv("CLEVER_SIM_SEED") != nullptr) return;
  EXPECT_GT(ends[model::PlanState::kApplied], 0);
  EXPECT_GT(undone, 0);
}

// What a simulator that finds nothing wrong is worth.

TEST_F(EngineSim, FindsOutADatabaseThatIsNotFenced) {
  EXPECT_TRUE(finds_a_violation({.thefts = 3, .unfenced = true}));
}

TEST_F(EngineSim, FindsOutEffectsThatAreHandedOutBeforeTheCommit) {
  EXPECT_TRUE(finds_a_violation({.broken = [](engine::PlanStore& store, SimScheduler& scheduler) {
    return std::make_unique<EarlyAnswers>(store, scheduler);
  }}));
}

}  // namespace
}  // namespace clever::sim

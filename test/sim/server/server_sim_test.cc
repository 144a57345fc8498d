#include "sim/server/server_sim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/plant.h"
#include "support/campaign.h"

namespace clever::sim {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kSeeds = 10;
constexpr std::size_t kManySeeds = 2'000;

// CLEVER_SIM_SEED=17 runs that seed alone.
void check_all(ServerSimOptions options) {
  std::uint64_t first = 1;
  std::uint64_t last = test::campaign(kSeeds, kManySeeds);
  if (const char* chosen = std::getenv("CLEVER_SIM_SEED")) {
    first = last = std::strtoull(chosen, nullptr, 10);
  }
  std::size_t acknowledged = 0;
  for (options.seed = first; options.seed <= last; ++options.seed) {
    const ServerSimOutcome outcome = simulate_server(options);
    EXPECT_THAT(outcome.violations, IsEmpty()) << "CLEVER_SIM_SEED=" << options.seed;
    acknowledged += outcome.acknowledged;
  }
  EXPECT_GT(acknowledged, 0U);
}

TEST(ServerSim, DoesEachMessageOnceInWhateverOrderThingsHappen) { check_all({.settings = 5}); }

TEST(ServerSim, KillsBetweenAnyTwoStepsLoseAndRepeatNothing) {
  check_all({.crashes = 6, .settings = 5});
}

// What a simulator that finds nothing wrong is worth.
void check_finds(ServerSimOptions options, const std::string& said) {
  std::vector<std::string> found;
  for (options.seed = 1; options.seed <= kSeeds && found.empty(); ++options.seed) {
    found = simulate_server(options).violations;
  }
  EXPECT_THAT(found, Contains(HasSubstr(said)));
}

TEST(ServerSim, FindsOutThatAJobIsNotWrittenWithItsMessage) {
  check_finds({.crashes = 6, .job_apart = true}, "nobody works on");
}

TEST(ServerSim, FindsOutReceiptsThatAreForgotten) {
  const base::Planting planting("receipts.do_it_again");
  check_finds({.crashes = 6}, "twice");
}

TEST(ServerSim, FindsOutSettingsThatAreNotPublished) {
  const base::Planting planting("registry.publishes_nothing");
  check_finds({.settings = 5}, "not in force");
}

}  // namespace
}  // namespace clever::sim

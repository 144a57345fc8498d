#include "reports/plants.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/plant.h"
#include "reports/report.h"
#include "reports/search.h"
#include "reports/table.h"
#include "reports/threads.h"

namespace clever::reports {
namespace {

constexpr int kWorkers = 50;
constexpr std::size_t kRuns = 100;

std::string name_of(const Workload& workload) {
  return workload.report + "/" + workload.model + "/" + workload.what;
}

Harvest harvest_schedules(const PlantedFault& plant, const Row& row) {
  Harvest harvest{.plant = &plant};
  for (const explore::Strategy strategy :
       {explore::Strategy::kExhaustive, explore::Strategy::kRandom}) {
    const auto outcome = search(row, strategy, kBoundToFind);
    harvest.tries += outcome.schedules;
    if (!outcome.failed()) continue;
    harvest.found = true;
    harvest.schedule = outcome.schedule;
    harvest.said = finding(row, outcome);
    return harvest;
  }
  return harvest;
}

Harvest harvest_threads(const PlantedFault& plant, const Workload& workload) {
  Harvest harvest{.plant = &plant};
  while (!harvest.found && harvest.tries < kRuns) {
    ++harvest.tries;
    const Tally tally = workload.run(kWorkers);
    harvest.found = tally.counted != tally.expected;
    harvest.said = std::to_string(tally.counted) + " " + workload.what + ", not " +
                   std::to_string(tally.expected);
  }
  return harvest;
}

}  // namespace

const std::vector<PlantedFault>& all_plants() {
  static const std::vector<PlantedFault> kPlants{
      {"7031", "provider::ProviderRegistry", "registry.forgets_runtimes",
       "a reconfiguration makes all runtimes anew", "7031/ours/state_survives"},
      {"7031", "provider::ProviderRegistry", "registry.publishes_nothing",
       "a reconfiguration is not published", "7031/ours/settings_reach"},
      {"7031", "provider::ProviderRegistry", "registry.publishes_in_halves",
       "a reconfiguration is published provider by provider", "7031/ours/never_backwards"},
      {"7088", "base::CircuitBreaker", "circuit.counts_in_two_steps",
       "failures are read, then written", "7088/ours/counts_all"},
      {"7088", "base::CircuitBreaker", "circuit.believes_stale_permits",
       "permits of earlier generations count", "7088/ours/late_success"},
      {"7088", "base::CircuitBreaker", "circuit.admits_all_when_half_open",
       "a recovering strategy gets everybody", "7088/ours/one_probe"},
      {"7088", "base::CircuitBreaker", "circuit.never_probes", "an open circuit stays open",
       "7088/ours/closes_again"},
      {"7088", "context::ParallelStrategyExecutor", "executor.leaves_the_late_running",
       "a late strategy is not asked to stop", "7088/ours/stops_the_late"},
      {"7088", "context::ParallelStrategyExecutor", "executor.forgets_the_late",
       "a late strategy is not counted", "7088/ours/counts_the_late_once"},
      {"7088", "context::ParallelStrategyExecutor", "executor.forgets_its_lanes",
       "each run has a lane of its own", "7088/ours/starts_it_once"},
      {"3950", "storage::EngineCache", "engine_cache.opens_beside_another",
       "looking and opening are two steps", "3950/ours/one_engine"},
      {"3950", "storage::EngineCache", "engine_cache.opens_beside_another",
       "looking and opening are two steps", "3950/ours/one_memory"},
      {"3950", "storage::EngineCache", "engine_cache.opens_beside_another",
       "looking and opening are two steps", "3950/ours/spellings"},
      {"3950", "storage::EngineCache", "engine_cache.opens_one_at_a_time",
       "one opening waits for another", "3950/ours/slow_open"},
      {"3950", "storage::EngineCache", "engine_cache.keeps_failures", "a failed opening is kept",
       "3950/ours/none_broken"},
      {"3950", "storage::EngineCache", "engine_cache.never_closes",
       "the cache keeps what nobody holds", "3950/ours/closes"},
      {"7333", "engine::ErrorRecoveryService", "recovery.looks_then_records",
       "the answer is from before the error was recorded", "7333/ours/spends_once"},
      {"7333", "engine::PlanWriter", "writer.answers_and_stores_nothing",
       "a command is answered but not stored", "7333/ours/records_all"},
      {"7333", "engine::PlanWriter", "writer.answers_and_stores_nothing",
       "a command is answered but not stored", "7333/ours/history_survives"},
      {"7333", "engine::PlanWriter", "writer.answers_and_stores_nothing",
       "a command is answered but not stored", "7333/ours/budget_survives"},
      {"7120", "engine::PlanExecutionContext", "context.hands_out_one_changeset",
       "all work of a plan records into one changeset", "7120/ours/own_changeset"},
      {"7120", "engine::PlanWriter", "writer.answers_and_stores_nothing",
       "a command is answered but not stored", "7120/ours/gapless"},
      {"7120", "engine::PlanWriter", "writer.answers_and_stores_nothing",
       "a command is answered but not stored", "7120/ours/survives"},
      {"6732", "app (base::Lazy)", "lazy.looks_then_makes", "looking and making are two steps",
       "6732/ours/one"},
      {"6732", "app, the whole root", "lazy.looks_then_makes", "looking and making are two steps",
       "6732/ours/clients and engines"},
      {"6762", "base::UlidGenerator", "ulid.reads_then_writes", "the last id is read, then written",
       "6762/ours/unique"},
      {"6762", "base::UlidGenerator", "ulid.forgets_the_last", "every id begins anew",
       "6762/ours/increasing"},
      {"6771", "engine::ValidationPipeline", "validations.are_told_by_arrival",
       "results take the next free place", "6771/ours/outputs in place"},
      {"6771", "confine", "confine.writes_to_our_output",
       "a child writes to the output of the process", "6771/ours/outputs in place"},
      {"7036", "storage::Leases", "leases.renews_what_others_hold",
       "a lease is renewed whoever holds it", "7036/ours/leases with one holder"},
      {"7060", "sandbox::Sandbox", "sandbox.commits_on_a_stale_snapshot",
       "a commit does not compare with what is there", "7060/ours/commits"},
      {"7076", "tool::ToolRunner", "tool_runner.shares_a_result_slot",
       "calls of a turn share a result slot", "7076/ours/results in place"},
  };
  return kPlants;
}

Harvest harvest(const PlantedFault& plant) {
  const base::Planting planting(plant.name);
  const auto rows = all_rows();
  const auto row = std::ranges::find(rows, plant.row, &Row::name);
  if (row != rows.end()) return harvest_schedules(plant, *row);
  const auto workloads = all_workloads();
  const auto workload = std::ranges::find(workloads, plant.row, name_of);
  CLEVER_CHECK(workload != workloads.end(), "no row is named " + plant.row);
  return harvest_threads(plant, *workload);
}

std::string text_table(std::span<const Harvest> harvests) {
  std::vector<Cells> lines{
      {"report", "component", "planted fault", "what it does", "row", "found after", "verdict"}};
  for (const Harvest& one : harvests) {
    const PlantedFault& plant = *one.plant;
    lines.push_back({"#" + plant.report, plant.component, plant.name, plant.what, plant.row,
                     std::to_string(one.tries), one.found ? one.said : "SURVIVED"});
  }
  return aligned(lines);
}

}  // namespace clever::reports

#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/ulid.h"
#include "engine/plan_drivers.h"
#include "sim/engine/memory_plans.h"
#include "sim/engine/plan_database.h"
#include "sim/engine/sim_effects.h"
#include "sim/engine/sim_scheduler.h"
#include "sim/engine/world.h"

// A whole engine in one thread from a seed: who runs next, how long things take, what fails, when
// the process is killed. A seed that shows a violation is the bug report.
namespace clever::sim {

struct SimOptions {
  std::uint64_t seed = 1;
  /// What the model says and the tools do.
  std::uint64_t script = 1;
  /// Kills of the process, each between any two steps.
  int crashes = 0;
  /// Takes the plan from a living process, as after a long pause of it.
  int thefts = 0;
  /// Of a hundred effects so many fail once.
  std::uint64_t errors = 0;
  /// Cancels the plan after so many steps.
  std::optional<std::uint64_t> cancel{};
  /// No model: the plan and its subplans are worked on by an actor of tools.
  bool tool_actor = false;
  /// Every wake-up may come twice, and some come for nothing.
  bool echoes = false;
  /// Of a hundred tool calls a person is asked about so many; they say yes, to all or one by one.
  std::uint64_t asks = 0;
  /// So often somebody corrects a decision of the plan, or of one below it, at whatever moment.
  int corrections = 0;
  /// So often somebody prompts, rolls back, applies, takes back or resumes the plan once it rests;
  /// then nothing is applied without their word.
  int acts = 0;
  /// Of the plan, in millionths of a dollar.
  model::Microdollars cap = model::kLargestAmount;
  std::size_t most_plans = 1000;
  /// The database takes whatever anybody appends: for showing that this is found out.
  bool unfenced = false;
  /// Stands between the engine and its database: for showing that a broken one is found out.
  std::function<std::unique_ptr<engine::PlanStore>(engine::PlanStore&, SimScheduler&)> broken{};
};

struct SimOutcome {
  std::vector<std::string> violations{};
  model::Phase phase = model::Phase::kAction;
  model::PlanState state = model::PlanState::kQueued;
  /// What landed in the project.
  Tree landed{};
  bool undone = false;
  std::size_t steps = 0;
  std::size_t plans = 0;
};

[[nodiscard]] SimOutcome simulate(const SimOptions& options);

}  // namespace clever::sim

#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "model/strategy.h"
#include "plan/internal/draft.h"

namespace clever::plan {

/// How often a plan returns to its strategy by itself.
inline constexpr std::int64_t kMostReversions = 3;

/// Why the tree of a plan moved to the work of the plan that it continues.
inline constexpr std::string_view kTakenOver = "taken over";
inline constexpr std::string_view kTakenOverInConflict = "taken over in conflict";

/// Records who does a step, as a decision below another one.
model::DecisionId record_step(Draft& draft, const model::StrategyStep& step,
                              const model::DecisionId& parent);
/// Works out the strategy from the beginning: by the model, or at once if the plan is direct.
void begin_strategy(Draft& draft);
/// Continues to work out the strategy; the base is known.
void think(Draft& draft);
/// One step that is the whole task.
[[nodiscard]] model::Strategy whole_task(const State& state, std::string detail = {});
/// Records its decisions; waits for approval if the profile requires it, else executes it.
void accept(Draft& draft, const model::Strategy& strategy);
/// From execute back to strategize: returns the tree to the base, and supersedes decisions.
void revert(Draft& draft, const std::string& why);

}  // namespace clever::plan

#pragma once
#include <cstdint>
#include <string>

#include "model/strategy.h"
#include "plan/internal/draft.h"

namespace clever::plan {

/// How often a plan goes back to its strategy by itself.
inline constexpr std::int64_t kMostReversions = 3;

/// The decision who does a step, below another one.
model::DecisionId record_step(Draft& draft, const model::StrategyStep& step,
                              const model::DecisionId& parent);
/// The strategy is worked out from the beginning: by the model, or at once if the plan is direct.
void begin_strategy(Draft& draft);
/// The strategy is worked out, from where that stands now; the base is known.
void think(Draft& draft);
/// One step that is the whole task.
[[nodiscard]] model::Strategy whole_task(const State& state, std::string detail = {});
/// Its decisions are recorded; a person approves if the profile wants that, else it is carried out.
void accept(Draft& draft, const model::Strategy& strategy);
/// From execute back to strategize: the tree is the base's again, decisions are superseded.
void revert(Draft& draft, const std::string& why);

}  // namespace clever::plan

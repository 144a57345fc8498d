#pragma once
#include "base/result.h"
#include "model/internal/json_object.h"
#include "model/strategy.h"

namespace clever::model::internal {

[[nodiscard]] nlohmann::json to_json(const StrategyStep& step);
[[nodiscard]] nlohmann::json to_json(const Strategy& strategy);
/// Parses only the form; Strategy::check() checks whether the steps fit together.
[[nodiscard]] base::Result<StrategyStep> step_of(const JsonObject& object);
[[nodiscard]] base::Result<Strategy> strategy_of(const JsonObject& object);

}  // namespace clever::model::internal

#pragma once
#include <optional>

#include "base/result.h"
#include "model/internal/json_object.h"
#include "model/plan_settings.h"

namespace clever::model::internal {

[[nodiscard]] nlohmann::json to_json(const ModelTerms& terms);
/// None if the key is missing.
[[nodiscard]] base::Result<std::optional<ModelTerms>> terms_of(const JsonObject& outer,
                                                               std::string_view key);
[[nodiscard]] nlohmann::json to_json(const PlanSettings& settings);
[[nodiscard]] base::Result<PlanSettings> settings_of(const JsonObject& object);

}  // namespace clever::model::internal

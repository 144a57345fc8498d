#pragma once
#include <vector>

#include "base/result.h"
#include "model/internal/json_object.h"
#include "model/work_events.h"

namespace clever::model::internal {

/// Writes "projects", if there are any.
void put_heads(nlohmann::json& object, const std::vector<ProjectHead>& heads);
[[nodiscard]] base::Result<std::vector<ProjectHead>> heads_of(const JsonObject& object);

}  // namespace clever::model::internal

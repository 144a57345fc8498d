#pragma once
#include "base/result.h"
#include "model/control_settings.h"
#include "model/internal/json_object.h"

namespace clever::model::internal {

[[nodiscard]] nlohmann::json to_json(const Control& control);
[[nodiscard]] base::Result<Control> control_of(const JsonObject& object);

}  // namespace clever::model::internal

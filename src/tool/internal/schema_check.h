#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "tool/internal/schema_patterns.h"

namespace clever::tool::internal {

/// Checks that every keyword of the schema has a valid value, and every reference leads to a
/// schema; gathers the patterns on the way. `invalid_argument` names the place.
[[nodiscard]] base::Result<void> check_schema(const nlohmann::json& schema,
                                              SchemaPatterns& patterns);

/// The target of "#/definitions/x"; nullptr if there is none.
[[nodiscard]] const nlohmann::json* follow_reference(const nlohmann::json& root,
                                                     const std::string& reference);

}  // namespace clever::tool::internal

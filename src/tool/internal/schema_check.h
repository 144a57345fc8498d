#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "tool/internal/schema_patterns.h"

namespace clever::tool::internal {

/// Whether every keyword of the schema has a value that it can have, and every reference leads to a
/// schema; gathers the patterns on the way. `invalid_argument` names the place.
[[nodiscard]] base::Result<void> check_schema(const nlohmann::json& schema,
                                              SchemaPatterns& patterns);

/// What "#/definitions/x" leads to; nullptr if it leads nowhere.
[[nodiscard]] const nlohmann::json* follow_reference(const nlohmann::json& root,
                                                     const std::string& reference);

}  // namespace clever::tool::internal

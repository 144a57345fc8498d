#pragma once
#include <string>

#include "base/result.h"
#include "model/yaml.h"
#include "tool/custom_tools.h"

namespace clever::tool::internal {

/// Parses one tool of a file.
[[nodiscard]] base::Result<CustomTool> read_custom_tool(const model::YamlValue& mapping,
                                                        const std::string& file);

}  // namespace clever::tool::internal

#pragma once
#include <string>

#include "base/result.h"
#include "tool/custom_tools.h"
#include "tool/internal/yaml_reader.h"

namespace clever::tool::internal {

/// One tool of a file.
[[nodiscard]] base::Result<CustomTool> read_custom_tool(const YamlValue& mapping,
                                                        const std::string& file);

/// "tools.yaml:3: there is no key "nmae"; did you mean "name"? Known: …"
[[nodiscard]] base::Error yaml_error(const std::string& file, std::size_t line,
                                     std::string_view what);

}  // namespace clever::tool::internal

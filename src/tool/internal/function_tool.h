#pragma once
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "tool/internal/tool_input.h"
#include "tool/tool.h"

namespace clever::tool::internal {

/// A built-in tool's function of its input and workspace.
using ToolFunction = std::function<base::Result<ToolAnswer>(
    sandbox::Workspace& workspace, const ToolInput& input, const CallContext& context)>;

/// A tool made of a description and a function. Errors that a model can act on (a missing path,
/// text that is not found, a path that leads out) become failed answers; the others stay errors.
[[nodiscard]] std::shared_ptr<Tool> make_tool(ToolSpec spec, ToolFunction function);

/// Whether another input could help.
[[nodiscard]] bool is_for_the_model(const base::Error& error);

/// The JSON text of an object schema without additional properties: `properties` is the inside of
/// "properties", `required` that of "required".
[[nodiscard]] std::string object_schema(std::string_view properties, std::string_view required);

inline constexpr Capabilities kReads{.read_only = true, .idempotent = true};
inline constexpr Capabilities kWrites{.writes = true};

}  // namespace clever::tool::internal

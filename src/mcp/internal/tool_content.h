#pragma once
#include "base/result.h"
#include "mcp/internal/message.h"
#include "mcp/server.h"

namespace clever::mcp::internal {

/// What a tool answered, as text: other content than text is named. `corruption` if it is no answer
/// of a tool.
[[nodiscard]] base::Result<ToolResult> read_tool_result(const Json& result);

}  // namespace clever::mcp::internal

#pragma once
#include "base/result.h"
#include "mcp/internal/message.h"
#include "mcp/server.h"

namespace clever::mcp::internal {

/// Converts a tool's answer to text: other content is named. `corruption` if it is not a tool's
/// answer.
[[nodiscard]] base::Result<ToolResult> read_tool_result(const Json& result);

}  // namespace clever::mcp::internal

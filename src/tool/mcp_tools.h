#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "mcp/server.h"
#include "tool/tool.h"

namespace clever::tool {

/// Calls a tool of a server: mcp::Servers::call, or a test's own. `arguments` is JSON text.
/// Thread-safe.
using CallServerTool = std::function<base::Result<mcp::ToolResult>(
    std::string_view tool, std::string_view arguments, const base::StopToken& stop,
    base::Deadline deadline)>;

struct McpToolOptions {
  /// The user says that this server's hints may be believed: tools that call themselves read-only
  /// then run in parallel and without a checkpoint.
  bool trust_hints = false;
  std::chrono::milliseconds timeout{std::chrono::minutes{2}};
};

/// What a server's tool is called here: `server__tool`, with '_' for characters that a name cannot
/// have; one that is too long ends in a hash of the whole. A pure function.
[[nodiscard]] std::string mcp_tool_name(std::string_view server, std::string_view tool);

/// The tools of one server as tools of ours: of source kMcp and with side effects, whatever the
/// server says; names are unique among them, and a tool that is listed twice is there once. A
/// schema that JsonSchema does not take is left to the server to check.
[[nodiscard]] std::vector<std::shared_ptr<Tool>> mcp_tools(
    std::string_view server, const std::vector<mcp::ServerTool>& tools, const CallServerTool& call,
    const McpToolOptions& options);

}  // namespace clever::tool

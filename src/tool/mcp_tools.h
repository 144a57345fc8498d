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
  /// The user trusts this server's hints: tools that declare themselves read-only run in parallel
  /// and without a checkpoint.
  bool trust_hints = false;
  /// The limit of one call, regardless of progress.
  std::chrono::milliseconds timeout{std::chrono::hours{1}};
};

/// The prefix of every MCP tool's name.
inline constexpr std::string_view kMcpPrefix = "mcp__";

/// The name of a server's tool for models, rules, the journal and people: `mcp__server__tool`, with
/// '_' for invalid characters. A name that is too long ends in a hash of the whole. A pure
/// function.
[[nodiscard]] std::string mcp_tool_name(std::string_view server, std::string_view tool);

/// The name of the tool in earlier versions: `server__tool`. Rules and validations with it keep
/// their meaning. Empty for other tools.
[[nodiscard]] std::string_view former_mcp_name(std::string_view name);

/// The tools of one server as our tools: with source kMcp and side effects, whatever the server
/// says; with unique names, and without duplicates. The server checks a schema that JsonSchema
/// rejects.
[[nodiscard]] std::vector<std::shared_ptr<Tool>> mcp_tools(
    std::string_view server, const std::vector<mcp::ServerTool>& tools, const CallServerTool& call,
    const McpToolOptions& options);

}  // namespace clever::tool

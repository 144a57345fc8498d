#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "mcp/internal/message.h"
#include "mcp/internal/parameter_headers.h"
#include "mcp/server.h"

namespace clever::mcp::internal {

inline constexpr std::size_t kMostTools = 1000;
inline constexpr std::size_t kLongestToolName = 128;
inline constexpr std::size_t kLongestDescription = std::size_t{8} << 10U;
inline constexpr std::size_t kLongestSchema = std::size_t{64} << 10U;

/// The result of all pages of tools/list.
struct ToolList {
  std::vector<ServerTool> tools{};
  /// By tool; only tools that have some.
  std::map<std::string, std::vector<ParameterHeader>, std::less<>> headers{};
  /// Tools left out, and why.
  std::vector<std::string> remarks{};
};

/// Adds one page. Leaves out a broken tool with a remark, without affecting the others; a tool with
/// broken headers only where headers are used. `corruption` if the page is invalid,
/// `resource_exhausted` for too many tools.
[[nodiscard]] base::Result<void> read_tools(const Json& page, bool with_headers, ToolList& list);

}  // namespace clever::mcp::internal

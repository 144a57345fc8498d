#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "tool/json_schema.h"
#include "tool/tool.h"

namespace clever::tool {

/// A tool with its compiled schemas. Immutable.
struct RegisteredTool {
  std::shared_ptr<Tool> tool;
  std::shared_ptr<const JsonSchema> input;
  /// Null if the tool has no schema for its structured output.
  std::shared_ptr<const JsonSchema> output;
  /// Its origin: "builtin", a file, "mcp:NAME".
  std::string origin;
};

/// All tools at one moment. Immutable; a turn keeps the snapshot that the model saw, whatever is
/// added or removed meanwhile.
class ToolSnapshot {
 public:
  using Tools = std::map<std::string, std::shared_ptr<const RegisteredTool>, std::less<>>;

  ToolSnapshot() = default;
  explicit ToolSnapshot(Tools tools) : tools_(std::move(tools)) {}

  /// `not_found` names the nearest tool, or all of them.
  [[nodiscard]] base::Result<std::shared_ptr<const RegisteredTool>> find(
      std::string_view name) const;
  /// Sorted by name.
  [[nodiscard]] const Tools& tools() const noexcept { return tools_; }
  /// For the model, sorted by name.
  [[nodiscard]] std::vector<ToolSpec> specs() const;

 private:
  Tools tools_;
};

/// The existing tools, by name. Each origin (the program itself, a file, an MCP server) replaces
/// its own tools as a whole. Owned by the composition root.
///
/// Thread-safe; readers get a snapshot and never wait for a writer.
class ToolRegistry {
 public:
  static constexpr std::size_t kLongestName = 64;

  ToolRegistry();

  /// Replaces all tools of `origin`; an empty list removes it. All or nothing: `invalid_argument`
  /// for a wrong name or schema, `already_exists` for a name that another origin (or this list)
  /// has.
  base::Result<void> set(std::string_view origin, const std::vector<std::shared_ptr<Tool>>& tools);
  void remove(std::string_view origin);

  [[nodiscard]] std::shared_ptr<const ToolSnapshot> snapshot() const;

 private:
  base::Guarded<std::shared_ptr<const ToolSnapshot>> current_;
};

/// `invalid_argument` unless it has 1 to 64 characters of [a-zA-Z0-9_-].
[[nodiscard]] base::Result<void> check_tool_name(std::string_view name);

}  // namespace clever::tool

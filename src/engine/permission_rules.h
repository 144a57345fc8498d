#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/control_settings.h"
#include "model/message.h"
#include "model/permission_pattern.h"
#include "plan/command.h"
#include "plan/state.h"
#include "tool/tool.h"

// Whether a tool call may run. Pure and total: the same plan and call have the same verdict.
namespace clever::engine {

/// How surely a pattern is about a call.
enum class Fit : std::uint8_t { kNo, kMaybe, kYes };
/// For deny and ask: any part of the call that fits counts, behind whatever stands before it
/// (`true; sudo git push`). kMaybe: the text does not decide it. `root`: the project's folder, as
/// the plan knows it.
[[nodiscard]] Fit concerns(const model::PermissionPattern& pattern, const model::ToolCall& call,
                           std::string_view root);
/// For allow: all of the call fits one of the patterns, for certain.
[[nodiscard]] bool is_covered(const std::vector<model::PermissionPattern>& patterns,
                              const model::ToolCall& call, std::string_view root);

/// What the plan's guards, permissions and automation say of a call, in this order: denied tools,
/// allowed tools, deny, unsafe tools that no rule allows, ask, allow, what the profile asks about.
/// `spec`: of the tool; null if there is none, which is refused anyway.
[[nodiscard]] plan::CallVerdict verdict_of(const plan::State& plan, const model::ToolCall& call,
                                           const tool::ToolSpec* spec);

/// Whether a rule's pattern names this tool. Of an MCP server's tool both names count:
/// `mcp__SERVER__TOOL`, and `SERVER__TOOL`, which rules of earlier versions used.
[[nodiscard]] bool names_tool(std::string_view pattern, std::string_view tool);

/// What a rule compares of the calls of a tool with this input schema.
enum class Compared : std::uint8_t { kNothing, kTexts, kPaths, kCommand };
[[nodiscard]] Compared compared_of(std::string_view input_schema);

/// Whether a path from the project's root matches: `*` and `?` stay within a name, `**` does not.
[[nodiscard]] bool is_like_path(std::string_view pattern, std::string_view path);

}  // namespace clever::engine

#pragma once
#include <cstddef>
#include <memory>
#include <optional>

#include "git/project.h"
#include "tool/command_world.h"
#include "tool/tool.h"

// Each built-in tool has its own file.
namespace clever::tool {

/// The digits of a commit's id in an answer.
inline constexpr std::size_t kShortId = 10;

[[nodiscard]] std::shared_ptr<Tool> read_file_tool();
[[nodiscard]] std::shared_ptr<Tool> write_file_tool();
[[nodiscard]] std::shared_ptr<Tool> edit_file_tool();
[[nodiscard]] std::shared_ptr<Tool> delete_file_tool();
[[nodiscard]] std::shared_ptr<Tool> move_file_tool();
[[nodiscard]] std::shared_ptr<Tool> list_files_tool();
[[nodiscard]] std::shared_ptr<Tool> search_tool();
[[nodiscard]] std::shared_ptr<Tool> run_command_tool(std::shared_ptr<CommandWorld> commands);
[[nodiscard]] std::shared_ptr<Tool> git_log_tool(std::optional<git::Project> project);
[[nodiscard]] std::shared_ptr<Tool> git_diff_tool();
[[nodiscard]] std::shared_ptr<Tool> git_blame_tool(std::optional<git::Project> project);

}  // namespace clever::tool

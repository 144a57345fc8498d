#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "git/project.h"
#include "tool/command_world.h"
#include "tool/tool.h"

namespace clever::tool {

/// What the built-in tools need besides the workspace of each call. A value.
struct BuiltinOptions {
  /// For git_log and git_blame, which report a missing repository.
  std::optional<git::Project> project{};
  /// For run_command; null: it is not offered.
  std::shared_ptr<CommandWorld> commands{};
};

/// The origin under which they are registered.
inline constexpr std::string_view kBuiltinOrigin = "builtin";

/// read_file, write_file, edit_file, delete_file, move_file, list_files, search, run_command,
/// git_log, git_diff, git_blame. They access files through the workspace only, so no input leads
/// out of it.
[[nodiscard]] std::vector<std::shared_ptr<Tool>> builtin_tools(const BuiltinOptions& options);

}  // namespace clever::tool

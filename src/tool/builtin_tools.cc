#include "tool/builtin_tools.h"

#include "tool/builtin/builtin.h"

namespace clever::tool {

std::vector<std::shared_ptr<Tool>> builtin_tools(const BuiltinOptions& options) {
  std::vector<std::shared_ptr<Tool>> tools = {read_file_tool(),
                                              write_file_tool(),
                                              edit_file_tool(),
                                              delete_file_tool(),
                                              move_file_tool(),
                                              list_files_tool(),
                                              search_tool(),
                                              git_diff_tool(),
                                              git_log_tool(options.project),
                                              git_blame_tool(options.project)};
  if (options.commands != nullptr) tools.push_back(run_command_tool(options.commands));
  return tools;
}

}  // namespace clever::tool

#include "base/utf8.h"
#include "diff/tree_diff.h"
#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/function_tool.h"

namespace clever::tool {
namespace {

base::Result<ToolAnswer> git_diff(sandbox::Workspace& workspace, const internal::ToolInput&,
                                  const CallContext& context) {
  CLEVER_ASSIGN(const git::ObjectId now, workspace.tree());
  CLEVER_ASSIGN(const std::vector<diff::FileDiff> files,
                diff::diff_trees(workspace.store(), workspace.base().tree, now, {}, context.stop));
  if (files.empty()) return ToolAnswer{.text = "nothing has been changed"};
  return ToolAnswer{.text = base::to_valid_utf8(diff::unified(files))};
}

}  // namespace

std::shared_ptr<Tool> git_diff_tool() {
  return internal::make_tool(
      {.name = "git_diff",
       .description =
           "Shows everything that has been changed here so far, as a unified diff against the "
           "files as they were when the work began.",
       .input_schema = internal::object_schema("", ""),
       .capabilities = internal::kReads},
      git_diff);
}

}  // namespace clever::tool

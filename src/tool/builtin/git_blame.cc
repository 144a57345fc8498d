#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/function_tool.h"
#include "tool/internal/git_history.h"

namespace clever::tool {
namespace {

base::Result<ToolAnswer> git_blame(const std::optional<git::Project>& project,
                                   sandbox::Workspace& workspace, const internal::ToolInput& input,
                                   const CallContext& context) {
  CLEVER_ASSIGN(const git::TreePath path, workspace.resolve(input.text("path")));
  const internal::LineRange range{input.integer("start_line"), input.integer("end_line")};
  CLEVER_TRY(internal::check_range(range));
  CLEVER_ASSIGN(std::string text, internal::history_blame(project, path, range, context));
  return ToolAnswer{.text = std::move(text)};
}

}  // namespace

std::shared_ptr<Tool> git_blame_tool(std::optional<git::Project> project) {
  return internal::make_tool(
      {.name = "git_blame",
       .description =
           "Shows for each line of a file the commit that last changed it: id, author, date. It "
           "speaks of the last commit, not of what has been changed since.",
       .input_schema = internal::object_schema(
           R"("path":{"type":"string","minLength":1,"description":"Path from the project's root."},)"
           R"("start_line":{"type":"integer","minimum":1,"description":"The first line, from 1."},)"
           R"("end_line":{"type":"integer","minimum":1,"description":"The last line, inclusive."})",
           R"("path")"),
       .capabilities = internal::kReads},
      [project = std::move(project)](sandbox::Workspace& workspace,
                                     const internal::ToolInput& input, const CallContext& context) {
        return git_blame(project, workspace, input, context);
      });
}

}  // namespace clever::tool

#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/function_tool.h"
#include "tool/internal/git_history.h"

namespace clever::tool {
namespace {

constexpr std::int64_t kUsualCommits = 20;

base::Result<ToolAnswer> git_log(const std::optional<git::Project>& project,
                                 sandbox::Workspace& workspace, const internal::ToolInput& input,
                                 const CallContext& context) {
  std::optional<git::TreePath> path;
  if (input.has("path")) {
    CLEVER_ASSIGN(path, workspace.resolve(input.text("path")));
  }
  CLEVER_ASSIGN(
      std::string log,
      internal::history_log(project, path, input.integer("max").value_or(kUsualCommits), context));
  if (log.empty()) log = "no commit touches " + git::printable(path ? path->text() : "") + "\n";
  return ToolAnswer{.text = std::move(log)};
}

}  // namespace

std::shared_ptr<Tool> git_log_tool(std::optional<git::Project> project) {
  return internal::make_tool(
      {.name = "git_log",
       .description =
           "Lists the commits of the current branch, newest first: id, date, author, subject.",
       .input_schema = internal::object_schema(
           R"("path":{"type":"string","minLength":1,"description":"Only commits that touch it."},)"
           R"("max":{"type":"integer","minimum":1,"maximum":1000,"description":"Usually 20."})",
           ""),
       .capabilities = internal::kReads},
      [project = std::move(project)](sandbox::Workspace& workspace,
                                     const internal::ToolInput& input, const CallContext& context) {
        return git_log(project, workspace, input, context);
      });
}

}  // namespace clever::tool

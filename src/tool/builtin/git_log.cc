#include "git/history.h"
#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/filled.h"
#include "tool/internal/function_tool.h"

namespace clever::tool {
namespace {

constexpr std::int64_t kUsualCommits = 20;

base::Result<ToolAnswer> git_log(const git::Project& project, sandbox::Workspace& workspace,
                                 const internal::ToolInput& input, const CallContext& context) {
  std::optional<git::TreePath> path;
  if (input.has("path")) {
    CLEVER_ASSIGN(path, workspace.resolve(input.text("path")));
  }
  const auto most = static_cast<std::size_t>(input.integer("max").value_or(kUsualCommits));
  CLEVER_ASSIGN(const git::Log log, git::log(project, path, most, context.stop, context.deadline));
  if (log.entries.empty()) return ToolAnswer{.text = "there is no such commit\n"};
  ToolAnswer answer{.truncated = log.truncated};
  for (const git::LogEntry& entry : log.entries) {
    answer.text += filled("{} {} {}: {}\n", entry.id.to_hex().substr(0, kShortId), entry.date,
                          entry.author, entry.subject);
  }
  if (log.truncated) answer.text += "[there are older ones: raise max to see them]\n";
  return answer;
}

}  // namespace

std::shared_ptr<Tool> git_log_tool(std::optional<git::Project> project) {
  return internal::make_tool(
      {.name = "git_log",
       .description =
           "Lists the commits that the current one builds on, newest first: id, date, author, "
           "subject.",
       .input_schema = internal::object_schema(
           R"("path":{"type":"string","minLength":1,"description":"Only commits that touch it."},)"
           R"("max":{"type":"integer","minimum":1,"maximum":1000,"description":"Usually 20."})",
           ""),
       .capabilities = internal::kReads},
      [project = project.value_or(git::Project{})](
          sandbox::Workspace& workspace, const internal::ToolInput& input,
          const CallContext& context) { return git_log(project, workspace, input, context); });
}

}  // namespace clever::tool

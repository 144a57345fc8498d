#include "base/secret_marks.h"
#include "base/utf8.h"
#include "git/history.h"
#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/answer_text.h"
#include "tool/internal/file_view.h"
#include "tool/internal/filled.h"
#include "tool/internal/function_tool.h"

namespace clever::tool {
namespace {

std::string blame_text(const git::BlameLine& line) {
  const std::string text = base::to_valid_utf8(line.text);
  if (!line.commit) return filled("{} (not committed) {}\n", line.line, text);
  return filled("{} {} {} {}: {}\n", line.line, line.commit->to_hex().substr(0, kShortId),
                line.date.substr(0, line.date.find('T')), line.author, text);
}

base::Result<ToolAnswer> git_blame(const git::Project& project, sandbox::Workspace& workspace,
                                   const internal::ToolInput& input, const CallContext& context) {
  CLEVER_ASSIGN(const git::TreePath path, workspace.resolve(input.text("path")));
  const internal::LineRange range{input.integer("start_line"), input.integer("end_line")};
  CLEVER_TRY(internal::check_range(range));
  CLEVER_ASSIGN(const sandbox::FileContent file, workspace.read(path));
  if (internal::holds_secret(file.content, context.secrets)) {
    return ToolAnswer{.text = std::string(base::kFileWithheld) + "\n"};
  }
  CLEVER_ASSIGN(const git::Blame blame,
                git::blame(project, path, file.content,
                           {.first = static_cast<std::uint64_t>(range.first.value_or(1)),
                            .last = static_cast<std::uint64_t>(range.last.value_or(0))},
                           context.stop, context.deadline));
  ToolAnswer answer{.truncated = blame.truncated};
  for (const git::BlameLine& line : blame.lines) answer.text += blame_text(line);
  if (blame.truncated) {
    answer.text += filled("[there is more: go on with start_line={}]\n",
                          blame.lines.empty() ? 1 : blame.lines.back().line + 1);
  }
  return answer;
}

}  // namespace

std::shared_ptr<Tool> git_blame_tool(std::optional<git::Project> project) {
  return internal::make_tool(
      {.name = "git_blame",
       .description =
           "Shows for each line of a file, as it is now, the commit that last changed it: line, "
           "id, date, author, text.",
       .input_schema = internal::object_schema(
           R"("path":{"type":"string","minLength":1,"description":"Path from the project's root."},)"
           R"("start_line":{"type":"integer","minimum":1,"description":"The first line, from 1."},)"
           R"("end_line":{"type":"integer","minimum":1,"description":"The last line, inclusive."})",
           R"("path")"),
       .capabilities = internal::kReads},
      [project = project.value_or(git::Project{})](
          sandbox::Workspace& workspace, const internal::ToolInput& input,
          const CallContext& context) { return git_blame(project, workspace, input, context); });
}

}  // namespace clever::tool

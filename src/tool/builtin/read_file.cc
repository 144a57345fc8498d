#include "base/secret_marks.h"
#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/answer_text.h"
#include "tool/internal/file_view.h"
#include "tool/internal/function_tool.h"

namespace clever::tool {
namespace {

base::Result<ToolAnswer> read_file(sandbox::Workspace& workspace, const internal::ToolInput& input,
                                   const CallContext& context) {
  CLEVER_ASSIGN(const git::TreePath path, workspace.resolve(input.text("path")));
  const internal::LineRange range{input.integer("start_line"), input.integer("end_line")};
  CLEVER_TRY(internal::check_range(range));
  CLEVER_ASSIGN(const sandbox::FileContent file, workspace.read(path));
  if (internal::holds_secret(file.content, context.secrets)) {
    return ToolAnswer{.text = std::string(base::kFileWithheld) + "\n"};
  }
  if (file.binary) return ToolAnswer{.text = internal::describe_binary(file.content)};
  CLEVER_ASSIGN(internal::FileView view,
                internal::view_lines(file.content, range, context.output_limit)
                    .context(git::printable(path.text())));
  return ToolAnswer{.text = std::move(view.text), .truncated = view.truncated};
}

}  // namespace

std::shared_ptr<Tool> read_file_tool() {
  return internal::make_tool(
      {.name = "read_file",
       .description =
           "Reads a file. Each line comes with its number and a tab, which are not part of the "
           "file; remarks stand in brackets below. At most 2000 lines at once: the answer says how "
           "to read on.",
       .input_schema = internal::object_schema(
           R"("path":{"type":"string","minLength":1,"description":"Path from the project's root."},)"
           R"("start_line":{"type":"integer","minimum":1,"description":"The first line, from 1."},)"
           R"("end_line":{"type":"integer","minimum":1,"description":"The last line, inclusive."})",
           R"("path")"),
       .capabilities = internal::kReads},
      read_file);
}

}  // namespace clever::tool

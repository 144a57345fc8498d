
#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/filled.h"
#include "tool/internal/function_tool.h"

namespace clever::tool {
namespace {

base::Result<ToolAnswer> move_file(sandbox::Workspace& workspace, const internal::ToolInput& input,
                                   const CallContext&) {
  CLEVER_ASSIGN(const git::TreePath from, workspace.resolve(input.text("from")));
  CLEVER_ASSIGN(const git::TreePath to, workspace.resolve(input.text("to")));
  CLEVER_TRY(workspace.move(from, to));
  return ToolAnswer{
      .text = filled("moved {} to {}", git::printable(from.text()), git::printable(to.text()))};
}

}  // namespace

std::shared_ptr<Tool> move_file_tool() {
  return internal::make_tool(
      {.name = "move_file",
       .description = "Moves or renames a file or a folder. Nothing is overwritten: the new path "
                      "must be free.",
       .input_schema = internal::object_schema(
           R"("from":{"type":"string","minLength":1,"description":"Path from the project's root."},)"
           R"("to":{"type":"string","minLength":1,"description":"The new path, with the name."})",
           R"("from","to")"),
       .capabilities = internal::kWrites},
      move_file);
}

}  // namespace clever::tool

#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/function_tool.h"

namespace clever::tool {
namespace {

base::Result<ToolAnswer> delete_file(sandbox::Workspace& workspace,
                                     const internal::ToolInput& input, const CallContext&) {
  CLEVER_ASSIGN(const git::TreePath path, workspace.resolve(input.text("path")));
  CLEVER_TRY(workspace.remove(path));
  return ToolAnswer{.text = "deleted " + git::printable(path.text())};
}

}  // namespace

std::shared_ptr<Tool> delete_file_tool() {
  return internal::make_tool(
      {.name = "delete_file",
       .description =
           "Deletes a file, a link (not what it leads to), or a folder with everything in it.",
       .input_schema = internal::object_schema(
           R"("path":{"type":"string","minLength":1,"description":"Path from the project's root."})",
           R"("path")"),
       .capabilities = internal::kWrites},
      delete_file);
}

}  // namespace clever::tool


#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/filled.h"
#include "tool/internal/function_tool.h"
#include "tool/output_text.h"

namespace clever::tool {
namespace {

base::Result<ToolAnswer> write_file(sandbox::Workspace& workspace, const internal::ToolInput& input,
                                    const CallContext&) {
  CLEVER_ASSIGN(const git::TreePath path, workspace.resolve(input.text("path")));
  const std::string content = input.text("content");
  CLEVER_TRY(workspace.write(path, content));
  return ToolAnswer{.text = filled("wrote {} to {}", counted(content.size(), "byte"),
                                   git::printable(path.text()))};
}

}  // namespace

std::shared_ptr<Tool> write_file_tool() {
  return internal::make_tool(
      {.name = "write_file",
       .description =
           "Creates a file, or replaces its whole content; folders are made as needed. To change "
           "a part of a file, edit_file is safer.",
       .input_schema = internal::object_schema(
           R"("path":{"type":"string","minLength":1,"description":"Path from the project's root."},)"
           R"("content":{"type":"string","description":"The whole new content."})",
           R"("path","content")"),
       .capabilities = {.writes = true, .idempotent = true}},
      write_file);
}

}  // namespace clever::tool

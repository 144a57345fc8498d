
#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/filled.h"
#include "tool/internal/function_tool.h"
#include "tool/output_text.h"

namespace clever::tool {
namespace {

base::Result<ToolAnswer> edit_file(sandbox::Workspace& workspace, const internal::ToolInput& input,
                                   const CallContext&) {
  CLEVER_ASSIGN(const git::TreePath path, workspace.resolve(input.text("path")));
  CLEVER_ASSIGN(const std::size_t replaced,
                workspace.edit(path, input.text("old_text"), input.text("new_text"),
                               input.flag("replace_all")));
  return ToolAnswer{
      .text = filled("replaced {} in {}", counted(replaced, "place"), git::printable(path.text()))};
}

}  // namespace

std::shared_ptr<Tool> edit_file_tool() {
  return internal::make_tool(
      {.name = "edit_file",
       .description =
           "Replaces text in a file. old_text must be in the file exactly as given, with its "
           "indentation, and only once unless replace_all is true: add lines around it until it "
           "is unique. The line numbers that read_file shows are not part of the text.",
       .input_schema = internal::object_schema(
           R"("path":{"type":"string","minLength":1,"description":"Path from the project's root."},)"
           R"("old_text":{"type":"string","minLength":1,"description":"What is there now."},)"
           R"("new_text":{"type":"string","description":"What takes its place; may be empty."},)"
           R"("replace_all":{"type":"boolean","description":"Replace every place, not just one."})",
           R"("path","old_text","new_text")"),
       .capabilities = internal::kWrites},
      edit_file);
}

}  // namespace clever::tool

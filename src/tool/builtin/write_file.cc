#include <algorithm>

#include "base/utf8.h"
#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/filled.h"
#include "tool/internal/function_tool.h"
#include "tool/output_text.h"

namespace clever::tool {
namespace {

constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

// read_file shows placeholders for some bytes: U+FFFD for invalid UTF-8, and a mark for the rest of
// a cut line. Writing them back would destroy the bytes.
base::Result<void> check_bytes_kept(sandbox::Workspace& workspace, const git::TreePath& path,
                                    std::string_view content) {
  const auto marks = cut_marks_in(content);
  if (marks.empty() && !content.contains(kReplacementCharacter)) return {};
  const auto file = workspace.read(path);
  if (!file.ok()) return {};
  if (!std::ranges::includes(cut_marks_in(file->content), marks)) {
    return base::invalid_argument(
        filled("the content holds a mark such as {}, which stands for a part of {} that was not "
               "shown; writing that back would destroy the part. Use edit_file, which keeps what "
               "it does not replace",
               marks.front(), git::printable(path.text())));
  }
  if (!content.contains(kReplacementCharacter) || base::is_utf8(file->content)) return {};
  return base::invalid_argument(
      filled("{} holds bytes that are not UTF-8, which read_file shows as \xEF\xBF\xBD; writing "
             "that back would destroy them. Use edit_file, which keeps what it does not replace",
             git::printable(path.text())));
}

base::Result<ToolAnswer> write_file(sandbox::Workspace& workspace, const internal::ToolInput& input,
                                    const CallContext&) {
  CLEVER_ASSIGN(const git::TreePath path, workspace.resolve(input.text("path")));
  const std::string content = input.text("content");
  CLEVER_TRY(check_bytes_kept(workspace, path, content));
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

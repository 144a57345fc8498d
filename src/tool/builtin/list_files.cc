
#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/filled.h"
#include "tool/internal/function_tool.h"

namespace clever::tool {
namespace {

constexpr std::size_t kMostPaths = 2000;

base::Result<ToolAnswer> list_files(sandbox::Workspace& workspace, const internal::ToolInput& input,
                                    const CallContext& context) {
  const std::string glob = input.text("glob");
  CLEVER_ASSIGN(const sandbox::Workspace::Listing listing,
                workspace.list(glob, kMostPaths, context.stop));
  if (listing.paths.empty()) {
    return ToolAnswer{.text = glob.empty() ? "there are no files"
                                           : "no file matches " + git::printable(glob)};
  }
  ToolAnswer answer{.truncated = listing.truncated};
  for (const std::string& path : listing.paths) answer.text += git::printable(path) + "\n";
  if (listing.truncated) {
    answer.text += filled(
        "[only the first {} are shown: narrow it down with glob, such as "
        "\"src/**/*.h\"]\n",
        listing.paths.size());
  }
  return answer;
}

}  // namespace

std::shared_ptr<Tool> list_files_tool() {
  return internal::make_tool(
      {.name = "list_files",
       .description =
           "Lists the files of the project, sorted by path, without those that git ignores. At "
           "most 2000; use glob to narrow it down.",
       .input_schema = internal::object_schema(
           R"("glob":{"type":"string","description":"Such as \"*.md\" (a name in any folder), )"
           R"(\"src/*.h\", \"src/**/*.h\" or \"docs/\" (all below); {a,b} and [a-z] work too."})",
           ""),
       .capabilities = internal::kReads},
      list_files);
}

}  // namespace clever::tool

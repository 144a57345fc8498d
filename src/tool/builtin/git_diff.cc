#include "base/secret_marks.h"
#include "base/utf8.h"
#include "diff/tree_diff.h"
#include "sandbox/workspace.h"
#include "tool/builtin/builtin.h"
#include "tool/internal/answer_text.h"
#include "tool/internal/filled.h"
#include "tool/internal/function_tool.h"

namespace clever::tool {
namespace {

bool side_holds_secret(git::ObjectStore& store, const std::optional<git::Node>& node,
                       const base::Secrets* secrets) {
  if (secrets == nullptr || !node) return false;
  const auto content = store.blob(node->id, diff::TreeDiffOptions{}.largest_file);
  return content.ok() && internal::holds_secret(*content, secrets);
}

// Shows one file, unless it holds a secret before or after.
std::string shown_diff(git::ObjectStore& store, const diff::FileDiff& file,
                       const base::Secrets* secrets) {
  // For a file without hunks only the name is shown.
  const bool is_withheld = !file.hunks.empty() && (side_holds_secret(store, file.before, secrets) ||
                                                   side_holds_secret(store, file.after, secrets));
  if (!is_withheld) return base::to_valid_utf8(diff::unified({file}));
  return filled("diff --git a/{} b/{}\n{}\n", git::printable(file.from.value_or(file.path)),
                git::printable(file.path), base::kFileWithheld);
}

base::Result<ToolAnswer> git_diff(sandbox::Workspace& workspace, const internal::ToolInput&,
                                  const CallContext& context) {
  CLEVER_ASSIGN(const git::ObjectId now, workspace.tree());
  CLEVER_ASSIGN(const std::vector<diff::FileDiff> files,
                diff::diff_trees(workspace.store(), workspace.base().tree, now, {}, context.stop));
  if (files.empty()) return ToolAnswer{.text = "no file has changed"};
  ToolAnswer answer;
  for (const diff::FileDiff& file : files) {
    answer.text += shown_diff(workspace.store(), file, context.secrets);
  }
  return answer;
}

}  // namespace

std::shared_ptr<Tool> git_diff_tool() {
  return internal::make_tool(
      {.name = "git_diff",
       .description =
           "Shows everything that has been changed here so far, as a unified diff against the "
           "files as they were when the work began.",
       .input_schema = internal::object_schema("", ""),
       .capabilities = internal::kReads},
      git_diff);
}

}  // namespace clever::tool

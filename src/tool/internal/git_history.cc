#include "tool/internal/git_history.h"

#include "git/git_command.h"
#include "tool/internal/filled.h"

namespace clever::tool::internal {
namespace {

base::Result<void> check_repository(const std::optional<git::Project>& project) {
  if (!project || project->kind != git::ProjectKind::kRepository) {
    return base::not_found("this project is no git repository: it has no history");
  }
  CLEVER_ASSIGN(const git::HeadState head, git::head_state(*project));
  if (!head.commit) return base::not_found("this repository has no commit yet: it has no history");
  return {};
}

// The words of a path are taken as they are: no pattern, no magic.
std::vector<std::string> with_path(std::vector<std::string> arguments,
                                   const std::optional<git::TreePath>& path) {
  arguments.insert(arguments.begin(), "--literal-pathspecs");
  arguments.emplace_back("--");
  if (path) arguments.push_back(path->text());
  return arguments;
}

git::GitCommandOptions options_of(const CallContext& context) {
  return {.stop = context.stop, .deadline = context.deadline};
}

std::string line_range(const LineRange& range) {
  return std::to_string(range.first.value_or(1)) + "," +
         (range.last ? std::to_string(*range.last) : "");
}

}  // namespace

base::Result<std::string> history_log(const std::optional<git::Project>& project,
                                      const std::optional<git::TreePath>& path, std::int64_t max,
                                      const CallContext& context) {
  CLEVER_TRY(check_repository(project));
  return git::git_output(
      project->root,
      with_path({"log", "--no-color", "--no-show-signature", "--no-ext-diff", "--date=short",
                 "--format=%h %ad %an: %s", "--max-count=" + std::to_string(max), "HEAD"},
                path),
      options_of(context));
}

base::Result<std::string> history_blame(const std::optional<git::Project>& project,
                                        const git::TreePath& path, const LineRange& range,
                                        const CallContext& context) {
  CLEVER_TRY(check_repository(project));
  CLEVER_ASSIGN(
      const io::ProcessResult result,
      git::run_git(project->root,
                   with_path({"blame", "--date=short", "-L", line_range(range), "HEAD"}, path),
                   options_of(context)));
  if (result.exit_code == 0) return result.output;
  return base::not_found(filled("{}: {}", git::printable(path.text()), git::git_complaint(result)));
}

}  // namespace clever::tool::internal

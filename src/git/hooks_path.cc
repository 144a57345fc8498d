#include "git/hooks_path.h"

#include <filesystem>

#include "git/git_command.h"

namespace clever::git {

std::string hooks_path(const Project& project, const base::StopToken& stop) {
  if (project.kind != ProjectKind::kRepository) return {};
  // Without `hooks`, git would use and name another folder.
  const auto asked = run_git(project.root, {"config", "--type=path", "--get", "core.hooksPath"},
                             {.hooks = true, .stop = stop});
  if (!asked.ok() || asked->exit_code != 0) return {};
  const std::filesystem::path named = asked->output.substr(0, asked->output.find('\n'));
  if (named.empty()) return {};
  const auto below = (project.root / named).lexically_normal().lexically_relative(project.root);
  const std::string text = below.generic_string();
  const bool is_inside = !text.empty() && text != "." && !text.starts_with("..");
  if (!is_inside) return {};
  return text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

}  // namespace clever::git

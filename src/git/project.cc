#include "git/project.h"

#include <algorithm>
#include <array>

#include "git/git_command.h"
#include "git/internal/alternates.h"
#include "git/internal/in_quotes.h"
#include "git/internal/lines.h"
#include "git/object_store.h"
#include "git/project_group.h"
#include "git/tree_path.h"
#include "io/file.h"
#include "io/file_names.h"

namespace clever::git {
namespace {

namespace fs = std::filesystem;

std::string quoted_path(const fs::path& path) { return internal::in_quotes(path.string()); }

bool is_there(const fs::path& path) { return io::file_kind(path) != io::FileKind::kMissing; }

// Returns the nearest folder, at or above this one, with a .git of any kind.
std::optional<fs::path> nearest_dot_git(fs::path folder) {
  while (true) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(folder / ".git", ignored))) return folder / ".git";
    if (!folder.has_relative_path()) return std::nullopt;
    folder = folder.parent_path();
  }
}

base::Result<fs::path> attributes_of_user(const fs::path& folder) {
  CLEVER_ASSIGN(const auto result,
                run_git(folder, {"config", "--type=path", "--get", "core.attributesFile"}));
  if (!result.succeeded()) return fs::path();
  return fs::path(result.output.substr(0, result.output.find('\n')));
}

base::Result<Project> plain_folder(const fs::path& folder, const std::string& complaint) {
  if (const auto dot_git = nearest_dot_git(folder)) {
    return base::corruption(quoted_path(*dot_git) +
                            " exists, but git cannot read it as a repository (" + complaint +
                            "): repair it (git fsck), or remove it");
  }
  Project project;
  project.root = folder;
  CLEVER_ASSIGN(project.attributes_file, attributes_of_user(folder));
  return project;
}

// git's answers about the folder, in one call. Empty if there is no repository.
struct Answers {
  bool bare = false;
  bool inside_git_folder = false;
  bool inside_work_tree = false;
  bool shallow = false;
  std::string object_format{};
};

constexpr std::array kQuestions{"--is-bare-repository", "--is-inside-git-dir",
                                "--is-inside-work-tree", "--is-shallow-repository",
                                "--show-object-format"};

base::Result<Answers> answers_from(const std::vector<std::string_view>& lines) {
  if (lines.size() < kQuestions.size()) {
    return base::corruption("git rev-parse printed something unexpected");
  }
  return Answers{.bare = lines[0] == "true",
                 .inside_git_folder = lines[1] == "true",
                 .inside_work_tree = lines[2] == "true",
                 .shallow = lines[3] == "true",
                 .object_format = std::string(lines[4])};
}

base::Result<void> check_usable(const Answers& answers, const fs::path& folder) {
  if (answers.inside_git_folder) {
    return base::invalid_argument(quoted_path(folder) +
                                  " lies inside git's own folder: go to the working tree");
  }
  if (answers.bare || !answers.inside_work_tree) {
    return base::invalid_argument(quoted_path(folder) +
                                  " is a bare repository, without files: use a clone of it");
  }
  return {};
}

std::vector<std::vector<std::string>> path_questions() {
  return {{"--show-toplevel"}, {"--git-dir"}, {"--git-common-dir"}, {"--git-path", "objects"}};
}

// Returns one path that git prints; it may contain newlines.
base::Result<fs::path> path_from_git(const fs::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"rev-parse", "--path-format=absolute"});
  CLEVER_ASSIGN(std::string output, git_output(folder, std::move(arguments)));
  if (output.ends_with('\n')) output.pop_back();
  return fs::path(output);
}

// Asks the questions and for the paths in one call: of a bare repository git answers the questions
// alone.
base::Result<io::ProcessResult> ask_git(const fs::path& folder) {
  std::vector<std::string> all = {"rev-parse", "--path-format=absolute"};
  all.insert(all.end(), kQuestions.begin(), kQuestions.end());
  for (const auto& arguments : path_questions()) {
    all.insert(all.end(), arguments.begin(), arguments.end());
  }
  return run_git(folder, std::move(all));
}

// Takes the paths from the lines of git's answer, unless a newline makes them ambiguous.
base::Result<void> fill_paths(Project& project, const fs::path& folder,
                              const std::vector<std::string_view>& lines) {
  const auto wanted = path_questions();
  std::vector<fs::path> paths;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (lines.size() == kQuestions.size() + wanted.size()) {
      paths.emplace_back(lines[kQuestions.size() + i]);
    } else {
      CLEVER_ASSIGN(fs::path path, path_from_git(folder, wanted[i]));
      paths.push_back(std::move(path));
    }
  }
  CLEVER_ASSIGN(project.root, io::real_path(paths[0]));
  CLEVER_ASSIGN(project.git_folder, io::real_path(paths[1]));
  CLEVER_ASSIGN(project.common_folder, io::real_path(paths[2]));
  project.object_folders = internal::with_alternates({paths[3]});
  return {};
}

base::Result<void> check_object_format(const Answers& answers, const fs::path& folder) {
  if (answers.object_format == "sha1") return {};
  return base::invalid_argument(quoted_path(folder) + " is a repository with " +
                                printable(answers.object_format) +
                                " ids: only SHA-1 repositories are supported");
}

base::Result<bool> is_sparse(const Project& project) {
  if (!is_there(project.git_folder / "info" / "sparse-checkout")) return false;
  CLEVER_ASSIGN(const auto result,
                run_git(project.root, {"config", "--type=bool", "--get", "core.sparseCheckout"}));
  return result.output == "true\n";
}

bool says_no_repository(const io::ProcessResult& result) {
  return result.error_output.contains("not a git repository");
}

bool says_foreign(const io::ProcessResult& result) {
  return result.error_output.contains("dubious ownership") ||
         result.error_output.contains("unsafe repository");
}

base::Error git_refused(const io::ProcessResult& result, const fs::path& folder) {
  if (says_foreign(result)) {
    return base::permission_denied("the repository at " + quoted_path(folder) +
                                   " belongs to another user, and git does not trust it. If you "
                                   "do, run: git config --global --add safe.directory " +
                                   quoted_path(folder));
  }
  return base::corruption("git cannot read the repository at " + quoted_path(folder) + ": " +
                          git_complaint(result));
}

// Handles a branch without a commit, and broken repositories.
base::Result<HeadState> unusual_head_state(const Project& project) {
  HeadState state{.branch = "", .commit = std::nullopt, .tree = empty_tree()};
  CLEVER_ASSIGN(const auto branch, run_git(project.root, {"symbolic-ref", "--quiet", "HEAD"}));
  if (branch.succeeded()) state.branch = branch.output.substr(0, branch.output.find('\n'));
  CLEVER_ASSIGN(const std::string output,
                git_output(project.root, {"cat-file", "--batch-check=%(objectname) %(objecttype)"},
                           {.standard_input = "HEAD^{commit}\nHEAD^{tree}\n"}));
  const auto lines = internal::lines_of(output);
  constexpr std::size_t kIdSize = 2 * ObjectId::kSize;
  if (lines.size() != 2 || !lines[0].ends_with(" commit") || !lines[1].ends_with(" tree")) {
    // A branch without a commit is unborn; any other failure means that it is broken.
    CLEVER_ASSIGN(const auto id,
                  run_git(project.root, {"rev-parse", "--quiet", "--verify", "HEAD"}));
    const bool broken = id.succeeded() || is_there(project.common_folder / state.branch);
    if (branch.succeeded() && !broken) return state;
    return base::corruption("HEAD of " + quoted_path(project.root) +
                            " names a commit that git cannot read: see git fsck");
  }
  CLEVER_ASSIGN(state.commit, ObjectId::from_hex(lines[0].substr(0, kIdSize)));
  CLEVER_ASSIGN(state.tree, ObjectId::from_hex(lines[1].substr(0, kIdSize)));
  return state;
}

base::Result<Project> found_at(const fs::path& folder) {
  CLEVER_ASSIGN(const fs::path real, io::real_path(folder));
  if (io::file_kind(real) != io::FileKind::kDirectory) {
    return base::not_found(quoted_path(folder) + " is not a folder");
  }
  CLEVER_ASSIGN(const auto result, ask_git(real));
  if (says_foreign(result)) return git_refused(result, real);
  if (says_no_repository(result)) return plain_folder(real, git_complaint(result));
  const auto lines = internal::lines_of(result.output);
  if (!result.succeeded() && lines.size() < kQuestions.size()) return git_refused(result, real);
  CLEVER_ASSIGN(const Answers answers, answers_from(lines));
  CLEVER_TRY(check_usable(answers, real));
  if (!result.succeeded()) return git_refused(result, real);
  Project project;
  project.kind = ProjectKind::kRepository;
  project.shallow = answers.shallow;
  CLEVER_TRY(check_object_format(answers, real));
  CLEVER_TRY(fill_paths(project, real, lines));
  CLEVER_ASSIGN(project.sparse, is_sparse(project));
  CLEVER_ASSIGN(project.attributes_file, attributes_of_user(real));
  const auto dot_git = nearest_dot_git(real);
  if (dot_git && project.root.native().size() < dot_git->parent_path().native().size()) {
    return base::corruption(quoted_path(*dot_git) +
                            " exists, but git cannot read it as a repository");
  }
  return project;
}

}  // namespace

std::string_view to_string(Operation operation) noexcept {
  switch (operation) {
    case Operation::kNone:
      return "";
    case Operation::kMerge:
      return "merge";
    case Operation::kRebase:
      return "rebase";
    case Operation::kCherryPick:
      return "cherry-pick";
    case Operation::kRevert:
      return "revert";
    case Operation::kBisect:
      return "bisect";
    case Operation::kApply:
      return "am";
  }
  return "";
}

base::Result<Project> Project::find(const fs::path& folder, SecretRules rules) {
  if (auto home = io::real_path(rules.own_home); home.ok()) rules.own_home = *std::move(home);
  if (is_project_group(folder, rules.own_home)) return find_project_group(folder, rules);
  CLEVER_ASSIGN(Project project, found_at(folder));
  project.secrets = SecretPaths(std::move(rules), project.root);
  return project;
}

base::Result<HeadState> head_state(const Project& project) {
  if (project.kind == ProjectKind::kFolder) {
    return HeadState{.branch = "", .commit = std::nullopt, .tree = empty_tree()};
  }
  // The usual case takes one call.
  CLEVER_ASSIGN(const auto usual,
                run_git(project.root, {"rev-parse", "HEAD^{commit}", "HEAD^{tree}",
                                       "--symbolic-full-name", "HEAD"}));
  const auto lines = internal::lines_of(usual.output);
  if (!usual.succeeded() || lines.size() != 3) return unusual_head_state(project);
  HeadState state{.branch = lines[2] == "HEAD" ? "" : std::string(lines[2])};
  CLEVER_ASSIGN(state.commit, ObjectId::from_hex(lines[0]));
  CLEVER_ASSIGN(state.tree, ObjectId::from_hex(lines[1]));
  return state;
}

base::Result<Operation> operation_in_progress(const Project& project) {
  if (project.kind == ProjectKind::kFolder) return Operation::kNone;
  static constexpr auto kSigns = std::to_array<std::pair<std::string_view, Operation>>(
      {{"rebase-merge", Operation::kRebase},
       {"rebase-apply/applying", Operation::kApply},
       {"rebase-apply", Operation::kRebase},
       {"MERGE_HEAD", Operation::kMerge},
       {"CHERRY_PICK_HEAD", Operation::kCherryPick},
       {"REVERT_HEAD", Operation::kRevert},
       {"sequencer", Operation::kCherryPick},
       {"BISECT_LOG", Operation::kBisect}});
  for (const auto& [name, operation] : kSigns) {
    if (is_there(project.git_folder / name)) return operation;
  }
  return Operation::kNone;
}

}  // namespace clever::git

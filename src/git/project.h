#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/object_id.h"
#include "git/secret_paths.h"

namespace clever::git {

enum class ProjectKind : std::uint8_t { kRepository, kFolder };

/// The operation in progress, in git's own words ("rebase", "merge", …). Empty: none.
enum class Operation : std::uint8_t {
  kNone,
  kMerge,
  kRebase,
  kCherryPick,
  kRevert,
  kBisect,
  kApply
};
[[nodiscard]] std::string_view to_string(Operation operation) noexcept;

/// A person's project: a working tree of a git repository (main or linked worktree, shallow,
/// sparse, without a commit), or a plain folder. A value; keeps nothing open.
struct Project {
  ProjectKind kind = ProjectKind::kFolder;
  /// The top of the working tree: absolute, without links.
  std::filesystem::path root;
  /// For a repository: its git folder, the one shared by its worktrees, and its objects.
  std::filesystem::path git_folder{};
  std::filesystem::path common_folder{};
  std::vector<std::filesystem::path> object_folders{};
  bool shallow = false;
  bool sparse = false;
  /// The user's own attributes file, as set when the project was found; empty: the usual file.
  std::filesystem::path attributes_file{};
  /// What models and commands never see of it.
  SecretPaths secrets{};
  /// Several repositories that one plan works on (git/project_group.h): each is a folder of this
  /// project's tree, called `name`. Sorted by root. Empty: an ordinary project.
  std::vector<Project> members{};
  std::string name{};

  /// Finds the project of `folder` or of a folder above it. Never writes; git alone decides about
  /// new objects and locks of the user's repository. A folder of `rules.own_home` that stands for
  /// several projects is that group. `not_found` if the folder does not exist; `invalid_argument`
  /// for a bare repository, one with SHA-256 ids, or the inside of a .git; `corruption` for a
  /// repository that git cannot read; `permission_denied` for one of another user (git's
  /// safe.directory), each with a remedy.
  [[nodiscard]] static base::Result<Project> find(const std::filesystem::path& folder,
                                                  SecretRules rules = {});
};

/// The state of HEAD. A value.
struct HeadState {
  /// "refs/heads/main"; empty if HEAD is detached.
  std::string branch{};
  /// None before the first commit.
  std::optional<ObjectId> commit{};
  /// The tree of that commit; the empty tree without one.
  ObjectId tree{};

  friend bool operator==(const HeadState&, const HeadState&) = default;
};
[[nodiscard]] base::Result<HeadState> head_state(const Project& project);
[[nodiscard]] base::Result<Operation> operation_in_progress(const Project& project);

}  // namespace clever::git

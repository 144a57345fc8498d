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

/// What the user is in the middle of: git's own words ("rebase", "merge", …). Empty: nothing.
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

/// A person's project as it is found: a working tree of a git repository (main or linked worktree,
/// shallow, sparse, without a commit), or a plain folder. A value; nothing is held open.
struct Project {
  ProjectKind kind = ProjectKind::kFolder;
  /// The top of the working tree: absolute, without links.
  std::filesystem::path root;
  /// Of a repository: its own git folder, the one shared by its worktrees, and its objects.
  std::filesystem::path git_folder{};
  std::filesystem::path common_folder{};
  std::vector<std::filesystem::path> object_folders{};
  bool shallow = false;
  bool sparse = false;
  /// Attributes of the user's own, as the settings were when it was found; empty: the usual file.
  std::filesystem::path attributes_file{};
  /// What models and commands never see of it.
  SecretPaths secrets{};
  /// Several repositories that one plan works on (git/project_group.h): each is a folder of this
  /// project's tree, called `name`. Sorted by root. Empty: an ordinary project.
  std::vector<Project> members{};
  std::string name{};

  /// Where new objects and the locks of the user's repository are decided by git alone; this class
  /// never writes.
  ///
  /// `folder` or any folder below it; a folder of `rules.own_home` that stands for several projects
  /// is that group. `not_found` if there is no such folder; `invalid_argument`
  /// for a bare repository, one with SHA-256 ids, or the inside of a .git; `corruption` for a
  /// repository that git cannot read; `permission_denied` for one that belongs to somebody else
  /// (git's safe.directory), each saying what would help.
  [[nodiscard]] static base::Result<Project> find(const std::filesystem::path& folder,
                                                  SecretRules rules = {});
};

/// Where HEAD is. A value.
struct HeadState {
  /// "refs/heads/main"; empty if HEAD is detached.
  std::string branch{};
  /// None before the first commit.
  std::optional<ObjectId> commit{};
  /// Of that commit; the empty tree if there is none.
  ObjectId tree{};

  friend bool operator==(const HeadState&, const HeadState&) = default;
};
[[nodiscard]] base::Result<HeadState> head_state(const Project& project);
[[nodiscard]] base::Result<Operation> operation_in_progress(const Project& project);

}  // namespace clever::git

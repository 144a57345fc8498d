#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "git/object_store.h"
#include "git/project.h"
#include "git/snapshot.h"

// Several repositories as one project. A group has a folder in `own_home`/groups that holds
// nothing but the list of members. In the group's tree each member is a folder with the member's
// name. A plan works on that tree, and an apply writes to the members.
namespace clever::git {

/// Returns the group of these repositories, at least two, in any order; creates its folder.
/// `invalid_argument` names both folders if they are one repository (also through a link or a
/// worktree) or if one lies in the other, and a folder that is no repository or is read-only.
[[nodiscard]] base::Result<Project> make_project_group(
    const std::vector<std::filesystem::path>& folders, const SecretRules& rules);

/// Whether the folder is that of a group.
[[nodiscard]] bool is_project_group(const std::filesystem::path& folder,
                                    const std::filesystem::path& own_home);
/// Finds the group by its folder. Fails like Project::find(), also for a member that is gone.
[[nodiscard]] base::Result<Project> find_project_group(const std::filesystem::path& folder,
                                                       const SecretRules& rules);
/// Returns the folders of all groups that have the project with this root as a member.
[[nodiscard]] std::vector<std::filesystem::path> groups_with(const std::filesystem::path& root,
                                                             const std::filesystem::path& own_home);
/// Reads the roots of a group's members from its folder; empty for any other folder.
[[nodiscard]] std::vector<std::filesystem::path> member_roots(const std::filesystem::path& folder);

/// Returns the member that holds a path of the group's tree, and the path in that member. None for
/// a path outside all members, and for a member's own folder.
struct MemberPath {
  std::size_t member = 0;
  std::string_view path{};
};
[[nodiscard]] std::optional<MemberPath> member_path(const Project& group, std::string_view path);

/// Joins the snapshots that `take` returns for each member into one, synced.
[[nodiscard]] base::Result<BaseSnapshot> joined_snapshot(
    const Project& group, ObjectStore& store,
    const std::function<base::Result<BaseSnapshot>(const Project& member)>& take,
    const base::StopToken& stop, base::Deadline deadline);

}  // namespace clever::git

#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "git/project.h"
#include "git/tree_path.h"

namespace clever::git {

/// The base of a plan. A value.
struct BaseSnapshot {
  /// All files: stored and synced when the snapshot is returned.
  ObjectId tree{};
  HeadState head{};
  /// The heads of a group's members, in their order; `head` is empty then.
  std::vector<HeadState> heads{};
  /// The differences from HEAD's tree: uncommitted changes and untracked files. Sorted. An apply
  /// does not commit these paths.
  std::vector<TreePath> uncommitted{};
  /// Read-only paths, by the reason of the refusal: submodules, and files under an external filter.
  std::vector<TreePath> submodules{};
  std::vector<TreePath> filtered{};
  /// The project's files that the tree lacks, because Project::secrets hides them. Sorted. They do
  /// not count as deleted, and no change may touch them.
  std::vector<TreePath> hidden{};
  /// For the person: sparse, shallow, unreadable files that were left out, …
  std::vector<std::string> remarks{};
};

/// The working tree as the user sees it: tracked files as they are on disk, and untracked files
/// that are not ignored; without files that Project::secrets hides. Costs about as much as `git
/// status`. Takes no lock, and writes no object, ref, index or file of the user's: git runs on a
/// private copy of the index and a private object folder inside the store's.
///
/// `conflict` while the repository has unmerged paths or a rebase, merge … in progress (the message
/// names it and what to do).
[[nodiscard]] base::Result<BaseSnapshot> snapshot_working_tree(
    const Project& project, ObjectStore& store, const base::StopToken& stop = {},
    base::Deadline deadline = base::Deadline::never());

/// Coalesces concurrent snapshots: git runs once for all callers that wait. A caller never gets a
/// snapshot from before its call.
///
/// Thread-safe; blocks.
class WorkingTrees {
 public:
  WorkingTrees();
  ~WorkingTrees();

  [[nodiscard]] base::Result<BaseSnapshot> snapshot(
      const Project& project, ObjectStore& store, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

 private:
  struct Shared;
  // Constant after construction; its members are thread-safe.
  const std::unique_ptr<Shared> shared_;
};

/// Resolves a branch, tag, id, HEAD~2 …; each member of a group must have it. `not_found` names the
/// nearest that exist; `invalid_argument` in a folder without a repository.
[[nodiscard]] base::Result<ObjectId> find_commit(const Project& project, std::string_view reference,
                                                 const base::StopToken& stop = {});

/// A commit's tree instead: of a branch, tag, id, HEAD~2 … `not_found` names the nearest that
/// exist.
[[nodiscard]] base::Result<BaseSnapshot> snapshot_reference(
    const Project& project, ObjectStore& store, std::string_view reference,
    const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

}  // namespace clever::git

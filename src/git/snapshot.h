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

/// What a plan starts from. A value.
struct BaseSnapshot {
  /// All files: in the store when the snapshot is returned, and synced.
  ObjectId tree{};
  HeadState head{};
  /// Of a group of projects: each member's, in their order. `head` is empty then.
  std::vector<HeadState> heads{};
  /// What differs from HEAD's tree: uncommitted changes and untracked files. Sorted. An apply does
  /// not commit these paths.
  std::vector<TreePath> uncommitted{};
  /// Read-only here, and why a write is refused: submodules, and files under an external filter.
  std::vector<TreePath> submodules{};
  std::vector<TreePath> filtered{};
  /// Files that the project has and the tree has not: Project::secrets hides them. Sorted. They are
  /// no deletions, and no change may touch them.
  std::vector<TreePath> hidden{};
  /// Said to the person: sparse, shallow, unreadable files that were left out, …
  std::vector<std::string> remarks{};
};

/// The working tree as the user sees it: tracked files as they are on the disk, and untracked files
/// that are not ignored; without the files that Project::secrets hides. Costs about what `git
/// status` does. Takes no lock, and writes no object, ref, index or file of the user's: git runs on
/// a private copy of the index and a private object folder inside the store's.
///
/// `conflict` while the repository has unmerged paths or a rebase, merge … is in progress (the
/// message says which and what to do).
[[nodiscard]] base::Result<BaseSnapshot> snapshot_working_tree(
    const Project& project, ObjectStore& store, const base::StopToken& stop = {},
    base::Deadline deadline = base::Deadline::never());

/// The same for many who ask at once: git is asked once for all who wait for it. Whoever asks is
/// told what was so after that, whatever others were told.
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
  // Constant after construction; what it holds is thread-safe.
  const std::unique_ptr<Shared> shared_;
};

/// What a branch, tag, id, HEAD~2 … names; each member of a group must have it. `not_found` names
/// the nearest that exist; `invalid_argument` in a folder that is no repository.
[[nodiscard]] base::Result<ObjectId> find_commit(const Project& project, std::string_view reference,
                                                 const base::StopToken& stop = {});

/// A commit's tree instead: branch, tag, id, HEAD~2 … `not_found` names the nearest that exist.
[[nodiscard]] base::Result<BaseSnapshot> snapshot_reference(
    const Project& project, ObjectStore& store, std::string_view reference,
    const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

}  // namespace clever::git

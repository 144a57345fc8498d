#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "git/tree_path.h"

// Looks up, walks, compares and edits whole trees. Plain functions over a store, as thread-safe as
// it is. They write only new tree objects, and those only into memory (ObjectStore::put).
namespace clever::git {

/// The entry at the path: a file, link, submodule, or a folder (kDirectory); nothing if there is
/// none. Does not follow links.
[[nodiscard]] base::Result<std::optional<Node>> find(ObjectStore& store, const ObjectId& tree,
                                                     const TreePath& path);

/// Calls `visit` for each file, link and submodule below `folder` (none: the whole tree), in path
/// order within each folder; ends early if it returns false.
base::Result<void> walk(ObjectStore& store, const ObjectId& tree,
                        const std::optional<TreePath>& folder,
                        const std::function<bool(const std::string& path, const Node& node)>& visit,
                        const base::StopToken& stop = {});

/// The new content of one path: another node, or nothing.
struct TreeChange {
  TreePath path;
  std::optional<Node> to;

  friend bool operator==(const TreeChange&, const TreeChange&) = default;
};

/// The tree after the changes (in any order; at most one per path). Reads and writes only the
/// folders on the way; folders that become empty vanish. `invalid_argument` if a file is in the way
/// of a folder and no change removes it, or if a removed path does not exist.
[[nodiscard]] base::Result<ObjectId> edit_tree(ObjectStore& store, const ObjectId& tree,
                                               std::vector<TreeChange> changes);

/// One path that differs.
struct TreeDifference {
  TreePath path;
  std::optional<Node> before;
  std::optional<Node> after;

  friend bool operator==(const TreeDifference&, const TreeDifference&) = default;
};

/// Sorted by path. Reads only the folders that differ.
[[nodiscard]] base::Result<std::vector<TreeDifference>> compare(ObjectStore& store,
                                                                const ObjectId& before,
                                                                const ObjectId& after,
                                                                const base::StopToken& stop = {});

/// Puts a tree of `from`, with all below it, into `to`, which keeps what it has. Not synced.
/// `not_found` if an object is missing.
base::Result<void> copy_tree(ObjectStore& from, ObjectStore& to, const ObjectId& tree,
                             const base::StopToken& stop = {});

}  // namespace clever::git

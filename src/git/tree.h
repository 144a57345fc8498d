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

// Whole trees: looking up, walking, comparing, changing. Plain functions over a store, thread-safe
// as it is. None writes anything but new tree objects, and those only in memory (ObjectStore::put).
namespace clever::git {

/// What is at the path: a file, link, submodule, or a folder (kDirectory); nothing if nothing is.
/// Links are not followed.
[[nodiscard]] base::Result<std::optional<Node>> find(ObjectStore& store, const ObjectId& tree,
                                                     const TreePath& path);

/// Calls `visit` for each file, link and submodule below `folder` (none: the whole tree), in the
/// order of their paths within each folder; ends early if it returns false.
base::Result<void> walk(ObjectStore& store, const ObjectId& tree,
                        const std::optional<TreePath>& folder,
                        const std::function<bool(const std::string& path, const Node& node)>& visit,
                        const base::StopToken& stop = {});

/// What becomes of one path: another node, or nothing.
struct TreeChange {
  TreePath path;
  std::optional<Node> to;

  friend bool operator==(const TreeChange&, const TreeChange&) = default;
};

/// The tree after the changes (any order; at most one per path). Reads and writes only the folders
/// on the way to them; folders that become empty vanish. A file in the way of a folder is replaced
/// only if it is removed by a change, else `invalid_argument`; so is removing what is not there.
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

}  // namespace clever::git

#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "git/tree.h"

namespace clever::sandbox::internal {

/// The files of a workspace at one moment: a tree, and changes of single files since. Immutable
/// once shared.
///
/// Invariants: every change is of a file, link or submodule, never of a folder; none repeats the
/// tree; and no file is in the way of another.
struct Layers {
  using Changes = std::map<std::string, std::optional<git::Node>, std::less<>>;

  git::ObjectId tree;
  Changes changes{};
};

/// The entry at the path, also a folder (whose id is meaningless); does not follow links.
[[nodiscard]] base::Result<std::optional<git::Node>> find(git::ObjectStore& store,
                                                          const Layers& layers,
                                                          std::string_view path);

/// Folds the changes into the tree. Same content; costs in proportion to the changes.
[[nodiscard]] base::Result<Layers> folded(git::ObjectStore& store, const Layers& layers);

/// Sets one path to a node, or to nothing. The caller has checked that no file is in the way. Folds
/// after many changes, so that copies stay cheap.
base::Result<void> set(git::ObjectStore& store, Layers& layers, const git::TreePath& path,
                       const std::optional<git::Node>& node);

/// Like set(), but removes what is in the way first (files above it, everything below it). Removing
/// a missing path or a folder changes nothing.
base::Result<void> force(git::ObjectStore& store, Layers& layers, const git::TreePath& path,
                         const std::optional<git::Node>& node);

/// force() for each, removals first; then folds. `cancelled` on a stop.
base::Result<void> force_all(git::ObjectStore& store, Layers& layers,
                             const std::vector<git::TreeChange>& changes,
                             const base::StopToken& stop);

using Files = std::vector<std::pair<std::string, git::Node>>;
/// Everything at or below the path that is not a folder, by path.
[[nodiscard]] base::Result<Files> files_at(git::ObjectStore& store, Layers& layers,
                                           const git::TreePath& path);

[[nodiscard]] constexpr bool is_folder(const git::Node& node) {
  return node.mode == git::FileMode::kDirectory;
}
[[nodiscard]] constexpr bool is_file(const git::Node& node) {
  return node.mode == git::FileMode::kFile || node.mode == git::FileMode::kExecutable;
}

}  // namespace clever::sandbox::internal

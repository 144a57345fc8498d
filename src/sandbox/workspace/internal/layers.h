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

/// The files of a workspace at one moment: a tree, and what became of single files since. A value
/// that is not changed once it is shared.
///
/// Holds: every change is of a file, link or submodule, never of a folder; none says what the tree
/// says already; and no file lies in the way of another.
struct Layers {
  using Changes = std::map<std::string, std::optional<git::Node>, std::less<>>;

  git::ObjectId tree;
  Changes changes{};
};

/// What is at the path, a folder too (whose id means nothing); links are not followed.
[[nodiscard]] base::Result<std::optional<git::Node>> find(git::ObjectStore& store,
                                                          const Layers& layers,
                                                          std::string_view path);

/// The changes made part of the tree. Means the same, costs in proportion to the changes.
[[nodiscard]] base::Result<Layers> folded(git::ObjectStore& store, const Layers& layers);

/// One path becomes that, or nothing. The caller has seen that no file is in the way. Folds when
/// there are many changes, so that copying them stays cheap.
base::Result<void> set(git::ObjectStore& store, Layers& layers, const git::TreePath& path,
                       const std::optional<git::Node>& node);

/// Like set(); what is in the way (files above it, everything below it) is removed first. Removing
/// what is not there, or is a folder, changes nothing.
base::Result<void> force(git::ObjectStore& store, Layers& layers, const git::TreePath& path,
                         const std::optional<git::Node>& node);

/// force() for each, what is removed first; and folded. `cancelled` if that is asked for.
base::Result<void> force_all(git::ObjectStore& store, Layers& layers,
                             const std::vector<git::TreeChange>& changes,
                             const base::StopToken& stop);

using Files = std::vector<std::pair<std::string, git::Node>>;
/// Everything at or below the path that is no folder, by path.
[[nodiscard]] base::Result<Files> files_at(git::ObjectStore& store, Layers& layers,
                                           const git::TreePath& path);

[[nodiscard]] constexpr bool is_folder(const git::Node& node) {
  return node.mode == git::FileMode::kDirectory;
}
[[nodiscard]] constexpr bool is_file(const git::Node& node) {
  return node.mode == git::FileMode::kFile || node.mode == git::FileMode::kExecutable;
}

}  // namespace clever::sandbox::internal

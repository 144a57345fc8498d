#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/object_store.h"
#include "git/tree_path.h"
#include "sandbox/workspace/internal/layers.h"

namespace clever::sandbox::internal {

/// The target of a path after following the links on its way.
struct Place {
  git::TreePath path;
  std::optional<git::Node> node;
  /// The links that were followed, by path.
  std::vector<std::string> links{};
};

enum class LastLink : bool { kKeep, kFollow };

/// Follows links within the tree, as the kernel would; an absolute one below `root` counts as
/// within. `permission_denied` for a link that leads out, into .git or into a submodule;
/// `invalid_argument` for more than 40 links, or for a file in place of a folder.
[[nodiscard]] base::Result<Place> locate(git::ObjectStore& store, const Layers& layers,
                                         const std::filesystem::path& root,
                                         const git::TreePath& path, LastLink last);

}  // namespace clever::sandbox::internal

#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "git/object_store.h"

namespace clever::diff::internal {

/// The entry of a tree at a path. A value.
struct Place {
  /// A file, link, submodule or folder.
  std::optional<git::Node> node{};
  /// An entry above the path that is not a folder, and its path: while it exists the path cannot.
  std::optional<git::Node> blocker{};
  std::string blocker_path{};

  [[nodiscard]] bool is_folder() const { return node && node->mode == git::FileMode::kDirectory; }
  /// A file, link or submodule.
  [[nodiscard]] std::optional<git::Node> leaf() const { return is_folder() ? std::nullopt : node; }
  [[nodiscard]] bool is_free() const { return !node && !blocker; }
};

/// Looks up many paths in one tree, and reads each folder on the way once. Owned by the call that
/// uses it; not thread-safe. Fails as the store does.
class TreeReader {
 public:
  TreeReader(git::ObjectStore& store, const git::ObjectId& tree) : store_(store), tree_(tree) {}

  base::Result<Place> at(std::string_view path);

 private:
  using Folder = std::vector<git::TreeEntry>;  // by name

  base::Result<const Folder*> folder(const git::ObjectId& id);

  git::ObjectStore& store_;
  const git::ObjectId tree_;
  std::unordered_map<git::ObjectId, Folder> folders_;
};

}  // namespace clever::diff::internal

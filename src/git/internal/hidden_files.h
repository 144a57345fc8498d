#pragma once
#include <string>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/internal/index_file.h"
#include "git/internal/status_list.h"
#include "git/object_store.h"
#include "git/secret_paths.h"
#include "git/tree.h"
#include "io/directory.h"

namespace clever::git::internal {

/// Finds the files of one snapshot that SecretPaths hides. Used by one thread.
class HiddenFiles {
 public:
  HiddenFiles(const SecretPaths& secrets, ObjectStore& store) : secrets_(secrets), store_(store) {}

  /// `entries` without the hidden ones, whose content is not read into the store.
  [[nodiscard]] std::vector<StatusEntry> without_hidden(std::vector<StatusEntry> entries,
                                                        const io::Directory& root);
  /// Adds hidden tracked files; looks through a folder of a sparse index.
  base::Result<void> add_tracked(const std::vector<IndexedPath>& indexed,
                                 const base::StopToken& stop);
  base::Result<void> add_tree(const ObjectId& tree, const std::string& prefix,
                              const base::StopToken& stop);

  /// The changes that remove them from a tree, which may lack them.
  [[nodiscard]] base::Result<std::vector<TreeChange>> removals(const ObjectId& tree);
  /// Sorted.
  [[nodiscard]] std::vector<TreePath> paths() const;
  /// Empty if nothing is hidden.
  [[nodiscard]] std::string remark() const;

 private:
  void add_blob(const std::string& path, const Node& node);

  const SecretPaths& secrets_;
  ObjectStore& store_;
  std::unordered_set<std::string> hidden_;
  // Decisions made on the working tree: .npmrc without a token.
  std::unordered_set<std::string> shown_;
};

}  // namespace clever::git::internal

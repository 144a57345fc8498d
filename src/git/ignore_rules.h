#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "git/ignore_file.h"
#include "git/object_store.h"
#include "git/project.h"
#include "git/tree_path.h"

namespace clever::git {

/// Decides which paths git would ignore: by the .gitignore files of a tree (nested ones too), the
/// repository's info/exclude and the user's global excludes, with git's precedence and patterns.
///
/// Thread-safe. Made from a tree, so that it gives the same results wherever that tree is checked
/// out; reads files on demand. An unreadable .gitignore counts as empty.
class IgnoreRules {
 public:
  /// `excludes` is the result of excludes_of(); may be empty. The store must outlive the rules.
  [[nodiscard]] static base::Result<std::shared_ptr<const IgnoreRules>> of_tree(
      ObjectStore& store, const ObjectId& tree, std::string_view excludes);

  /// Whether the path itself, or a folder around it, is ignored.
  [[nodiscard]] bool ignores(std::string_view path, bool is_folder) const;

 private:
  // A folder of the tree and the rules in its own .gitignore.
  struct Folder {
    ObjectId tree;
    IgnoreFile rules;
  };
  struct Level {
    std::shared_ptr<const Folder> folder;
    /// The length of its path, with the slash.
    std::size_t length = 0;
  };
  using Folders = std::unordered_map<std::string, std::shared_ptr<const Folder>>;

  IgnoreRules(ObjectStore& store, const ObjectId& tree, std::string_view excludes);
  static std::shared_ptr<const Folder> load(ObjectStore& store, const ObjectId& tree);
  [[nodiscard]] std::shared_ptr<const Folder> load_below(const Folder& above,
                                                         std::string_view name) const;
  void enter(std::vector<Level>& levels, std::string_view path) const;
  [[nodiscard]] bool is_ignored(const std::vector<Level>& levels, std::string_view path,
                                bool is_folder) const;

  // Constant after construction.
  ObjectStore& store_;
  const IgnoreFile excludes_;
  const std::shared_ptr<const Folder> root_;
  // At most one entry per folder of the tree.
  mutable base::Guarded<Folders> folders_;
};

/// The rules besides the .gitignore files: the user's core.excludesFile, then the repository's
/// info/exclude, as one text in which later lines take precedence.
[[nodiscard]] base::Result<std::string> excludes_of(const Project& project);

}  // namespace clever::git

#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/object_store.h"
#include "git/project.h"
#include "git/tree_path.h"

namespace clever::git {

/// Which paths git would ignore: .gitignore files of a tree (nested ones too), the repository's
/// info/exclude and the user's global excludes, with git's precedence and patterns.
///
/// Thread-safe. Made from a tree, so that it means the same wherever that tree is checked out; its
/// files are read when they are first needed. A .gitignore that cannot be read counts as empty.
class IgnoreRules {
 public:
  /// `excludes` is what excludes_of() returns; may be empty. The store must outlive the rules.
  [[nodiscard]] static base::Result<std::shared_ptr<const IgnoreRules>> of_tree(
      ObjectStore& store, const ObjectId& tree, std::string_view excludes);
  virtual ~IgnoreRules() = default;

  /// Whether the path itself, or a folder it lies in, is ignored.
  [[nodiscard]] virtual bool ignores(std::string_view path, bool is_folder) const = 0;
};

/// What is ignored besides the .gitignore files: core.excludesFile of the user, then info/exclude
/// of the repository, as one text in which a later line is the stronger one.
[[nodiscard]] base::Result<std::string> excludes_of(const Project& project);

}  // namespace clever::git

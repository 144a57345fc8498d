#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
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
  virtual ~IgnoreRules() = default;

  /// Whether the path itself, or a folder around it, is ignored.
  [[nodiscard]] virtual bool ignores(std::string_view path, bool is_folder) const = 0;
};

/// The rules besides the .gitignore files: the user's core.excludesFile, then the repository's
/// info/exclude, as one text in which later lines take precedence.
[[nodiscard]] base::Result<std::string> excludes_of(const Project& project);

}  // namespace clever::git

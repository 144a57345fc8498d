#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "git/tree_entry.h"
#include "git/tree_path.h"

namespace clever::engine::internal {

/// A file of a tree, links at the end of the path followed within it; nothing if there is none, or
/// it is a folder or submodule.
[[nodiscard]] base::Result<std::optional<git::Node>> file_at(git::ObjectStore& store,
                                                             const git::ObjectId& tree,
                                                             const git::TreePath& path);

/// The names of all files of a tree, in one piece of memory. Immutable.
class TreeNames {
 public:
  /// At most 64 MiB of names; `truncated()` if there are more.
  [[nodiscard]] static base::Result<std::shared_ptr<const TreeNames>> of(
      git::ObjectStore& store, const git::ObjectId& tree, const base::StopToken& stop);

  /// In the order of the walk: by name within each folder.
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t at = 0; at < names_.size();) {
      const std::size_t end = names_.find('\0', at);
      visit(std::string_view(names_).substr(at, end - at));
      at = end + 1;
    }
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] bool truncated() const { return truncated_; }

 private:
  // Each with a NUL behind it.
  std::string names_;
  std::size_t count_ = 0;
  bool truncated_ = false;
};

/// The paths that a text mentions, in its order, at most `limit`.
[[nodiscard]] base::Result<std::vector<std::string>> mentioned_in(git::ObjectStore& store,
                                                                  const git::ObjectId& tree,
                                                                  const TreeNames& names,
                                                                  std::string_view text,
                                                                  std::size_t limit);

/// The files in at most `budget` bytes: a line for each folder with the names in it; folders that
/// do not fit are counted. Those above `focus` are shown first.
[[nodiscard]] std::string listing_of(const TreeNames& names, const std::vector<std::string>& focus,
                                     std::size_t budget);

}  // namespace clever::engine::internal

#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "diff/merge.h"
#include "git/tree.h"

namespace clever::diff::internal {

/// Which child last changed which path. Owned by one merge; not thread-safe.
class ChangeLog {
 public:
  void add(const std::string& child, const std::vector<git::TreeDifference>& changes);

  /// The author of the last change to the path; `otherwise` if no child changed it.
  [[nodiscard]] std::string last_author(const std::string& path, std::string otherwise) const;

  /// The child's reads that others changed, and that differ between its base and the result so far.
  [[nodiscard]] base::Result<std::vector<StaleRead>> stale_reads(git::ObjectStore& store,
                                                                 const Child& child,
                                                                 const git::ObjectId& result) const;

 private:
  using ChangedBy = std::map<std::string, std::string, std::less<>>;

  [[nodiscard]] std::vector<ChangedBy::const_iterator> read_changes(const Child& child) const;

  ChangedBy changed_by_;
};

}  // namespace clever::diff::internal

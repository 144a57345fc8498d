#include "diff/internal/change_log.h"

#include "diff/internal/tree_reader.h"

namespace clever::diff::internal {

void ChangeLog::add(const std::string& child, const std::vector<git::TreeDifference>& changes) {
  for (const git::TreeDifference& change : changes) changed_by_[change.path.text()] = child;
}

std::string ChangeLog::last_author(const std::string& path, std::string otherwise) const {
  const auto found = changed_by_.find(path);
  return found == changed_by_.end() ? std::move(otherwise) : found->second;
}

std::vector<ChangeLog::ChangedBy::const_iterator> ChangeLog::read_changes(
    const Child& child) const {
  std::vector<ChangedBy::const_iterator> found;
  for (const std::string& read : child.reads) {
    const bool folder = read.ends_with('/');
    for (auto change = changed_by_.lower_bound(read); change != changed_by_.end(); ++change) {
      if (folder ? !change->first.starts_with(read) : change->first != read) break;
      found.push_back(change);
    }
  }
  return found;
}

base::Result<std::vector<StaleRead>> ChangeLog::stale_reads(git::ObjectStore& store,
                                                            const Child& child,
                                                            const git::ObjectId& result) const {
  TreeReader before(store, child.base);
  TreeReader now(store, result);
  // A path may have been read alone and with its folder.
  std::map<std::string, StaleRead> stale;
  for (const auto& change : read_changes(child)) {
    const auto& [path, changed_by] = *change;
    CLEVER_ASSIGN(const Place seen, before.at(path));
    CLEVER_ASSIGN(const Place present, now.at(path));
    if (seen.node != present.node) stale.insert({path, {child.name, path, changed_by}});
  }
  std::vector<StaleRead> list;
  for (auto& [path, read] : stale) list.push_back(std::move(read));
  return list;
}

}  // namespace clever::diff::internal

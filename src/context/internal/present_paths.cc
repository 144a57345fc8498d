#include "context/internal/present_paths.h"

#include <algorithm>
#include <numeric>

namespace clever::context::internal {
namespace {

constexpr std::uint32_t kGone = TextTable::kNone;

// Maps names of the past to present names while it walks the past backwards.
class Names {
 public:
  explicit Names(std::size_t paths) : now_(paths), seen_(paths) {
    std::iota(now_.begin(), now_.end(), 0U);
  }

  /// Returns the present paths of the commit's changes; afterwards the names are those before the
  /// commit.
  std::vector<std::uint32_t> undo(const std::vector<Change>& changes) {
    std::vector<std::uint32_t> now;
    now.reserve(changes.size());
    for (const Change& change : changes) now.push_back(named_now(change));
    // Runs after all changes: within one commit two files may have swapped names.
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (changes[i].kind == Change::Kind::kRenamed) mean(changes[i].from, now[i]);
    }
    return now;
  }

 private:
  std::uint32_t named_now(const Change& change) {
    // A path whose newest mention deletes it is gone; a return would be newer.
    const bool gone = change.kind == Change::Kind::kDeleted && !seen_[change.path];
    if (gone) now_[change.path] = kGone;
    seen_[change.path] = true;
    return now_[change.path];
  }
  void mean(std::uint32_t name, std::uint32_t now) {
    now_[name] = now;
    seen_[name] = true;
  }

  std::vector<std::uint32_t> now_;
  std::vector<bool> seen_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> present_paths(const CommitTable& table,
                                                      const std::vector<std::uint32_t>& order,
                                                      std::size_t most_files) {
  Names names(table.paths.size());
  std::vector<std::vector<std::uint32_t>> result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Commit& commit = table.commits[order[i]];
    std::vector<std::uint32_t>& changed = result[i];
    changed = names.undo(commit.changes);
    if (commit.files > most_files) changed.clear();
    std::erase(changed, kGone);
    std::ranges::sort(changed);
    changed.erase(std::ranges::unique(changed).begin(), changed.end());
  }
  return result;
}

}  // namespace clever::context::internal
